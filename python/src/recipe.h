/* covey._core.Recipe: the steps of covey/parts.h for an engine that distributes work. */
#ifndef COVEY_PYTHON_RECIPE_H
#define COVEY_PYTHON_RECIPE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type Recipe; NULL with an exception. */
PyObject *covey_python_recipe_type(void);

#endif
