/* Arguments of functions that several files read.  Lists come as tuples, so that nobody changes them while they are
 * read; paths and policies as bytes. */
#ifndef COVEY_PYTHON_ARGUMENTS_H
#define COVEY_PYTHON_ARGUMENTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <covey/covey.h>

/* [n] borrowed texts of a tuple of bytes, NULL where it has None; for free().  NULL with an exception. */
const char **covey_python_read_texts(PyObject *tuple, Py_ssize_t *n);
/* The same of any bytes. */
covey_bytes *covey_python_read_bytes(PyObject *tuple, Py_ssize_t *n);
/* Random numbers of a run with one thread: a secret of 32 bytes, a seed, or None.  False with an exception. */
bool covey_python_read_random(covey_run *run, PyObject *random);
/* A checked policy; NULL with an exception. */
covey_policy *covey_python_read_policy(const char *text, Py_ssize_t size, const char *path);

#endif
