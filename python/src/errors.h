/* Errors of the library as exceptions. */
#ifndef COVEY_PYTHON_ERRORS_H
#define COVEY_PYTHON_ERRORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <covey/covey.h>

/* Makes covey._core.CoreError, before anything is raised; NULL with an exception. */
PyObject *covey_python_error_type(void);

/* Raises CoreError(status, message, file, row, column, column_number, parameter, nearest); NULL. */
PyObject *covey_python_raise(const covey_error *error);

#endif
