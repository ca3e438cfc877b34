/* covey._core.CoreError. */
#include "errors.h"

#include <string.h>

static PyObject *core_error; /* the package makes exceptions with fields of it */

/* The text as UTF-8; what is none shows as U+FFFD. */
static PyObject *text_or_none(const char *text)
{
    if (!text[0])
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *covey_python_raise(const covey_error *error)
{
    PyObject *message = text_or_none(error->message), *file = text_or_none(error->file),
             *column = text_or_none(error->column), *parameter = text_or_none(error->parameter),
             *nearest = text_or_none(error->nearest);
    PyObject *fields =
        message && file && column && parameter && nearest
            ? Py_BuildValue("(sOOLOLOO)", covey_status_name(error->status), message, file, (long long)error->row,
                            column, (long long)error->column_number, parameter, nearest)
            : NULL;

    if (fields)
        PyErr_SetObject(core_error, fields);
    Py_XDECREF(fields);
    Py_XDECREF(message);
    Py_XDECREF(file);
    Py_XDECREF(column);
    Py_XDECREF(parameter);
    Py_XDECREF(nearest);
    return NULL;
}

PyObject *covey_python_error_type(void)
{
    return core_error = PyErr_NewException("covey._core.CoreError", NULL, NULL);
}
