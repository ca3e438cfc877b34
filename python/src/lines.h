/* Functions of covey._core for the text of one file of a release's table. */
#ifndef COVEY_PYTHON_LINES_H
#define COVEY_PYTHON_LINES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef covey_python_lines_functions[]; /* lines_facts, lines_shifted */

#endif
