/* covey._core.Recipe: the steps of covey/parts.h for an engine that distributes work. */
#ifndef COVEY_PYTHON_RECIPE_H
#define COVEY_PYTHON_RECIPE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <covey/covey.h>

/* Raises the error of a call that failed; NULL. */
typedef PyObject *(*covey_python_raise)(const covey_error *error);

/* The type Recipe, and the functions of the module that go with it; NULL with an exception. */
PyObject *covey_python_recipe_type(covey_python_raise raise);
extern PyMethodDef covey_python_recipe_functions[];

#endif
