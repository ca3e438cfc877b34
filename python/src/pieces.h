/* Functions of covey._core for queries over releases that lie in several places. */
#ifndef COVEY_PYTHON_PIECES_H
#define COVEY_PYTHON_PIECES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef covey_python_piece_functions[]; /* query_gather, query_settle */

#endif
