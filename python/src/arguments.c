/* Arguments of functions, as the library wants them. */
#include "arguments.h"

#include <stdlib.h>

#include "errors.h"

const char **covey_python_read_texts(PyObject *tuple, Py_ssize_t *n)
{
    const char **text;

    *n = PyTuple_Size(tuple);
    if (*n < 0 || !(text = calloc((size_t)*n + 1, sizeof *text)))
        return *n < 0 ? NULL : (const char **)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < *n; i++) {
        PyObject *item = PyTuple_GetItem(tuple, i);

        if (item == Py_None)
            continue;
        if (!(text[i] = PyBytes_AsString(item))) {
            free(text);
            return NULL;
        }
    }
    return text;
}

covey_bytes *covey_python_read_bytes(PyObject *tuple, Py_ssize_t *n)
{
    covey_bytes *bytes;

    *n = PyTuple_Size(tuple);
    if (*n < 0 || !(bytes = calloc((size_t)*n + 1, sizeof *bytes)))
        return *n < 0 ? NULL : (covey_bytes *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < *n; i++) {
        Py_ssize_t size;
        char *at;

        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &at, &size) != 0) {
            free(bytes);
            return NULL;
        }
        bytes[i] = (covey_bytes){(const unsigned char *)at, (size_t)size};
    }
    return bytes;
}

bool covey_python_read_random(covey_run *run, PyObject *random)
{
    Py_ssize_t size;
    char *secret;

    *run = (covey_run)COVEY_RUN_INIT;
    run->n_threads = 1; /* the engine's own tasks are many */
    if (random == Py_None)
        return true;
    if (PyLong_Check(random)) {
        run->has_seed = true;
        run->seed = PyLong_AsUnsignedLongLong(random);
        return !PyErr_Occurred();
    }
    if (PyBytes_AsStringAndSize(random, &secret, &size) != 0)
        return false;
    if (size != 32) {
        PyErr_SetString(PyExc_ValueError, "a secret has 32 bytes");
        return false;
    }
    run->secret = (const unsigned char *)secret;
    return true;
}

covey_policy *covey_python_read_policy(const char *text, Py_ssize_t size, const char *path)
{
    covey_error error = {.status = COVEY_OK};
    covey_policy *policy = NULL;

    if (covey_policy_parse(&policy, text, (size_t)size, path, &error) == COVEY_OK &&
        covey_policy_check(policy, &error) == COVEY_OK)
        return policy;
    covey_policy_free(policy);
    covey_python_raise(&error);
    return NULL;
}
