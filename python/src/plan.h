/* Functions of covey._core beside Recipe for an engine that distributes work. */
#ifndef COVEY_PYTHON_PLAN_H
#define COVEY_PYTHON_PLAN_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef covey_python_plan_functions[]; /* plan_columns, plan_counted, verify_piece */

#endif
