/* See pieces.h. */
#include "pieces.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "arguments.h"
#include "errors.h"

PyDoc_STRVAR(gather_doc, "query_gather(folder, rows, sql) -> bytes\n\n"
                         "Counts what a query needs of a piece of a release: its first rows (covey_query_gather).");

static PyObject *query_gather(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    covey_run run = COVEY_RUN_INIT;
    covey_query_release *piece = NULL;
    covey_query_counted counted = {NULL, 0};
    const char *folder, *sql;
    PyObject *answer = NULL;
    covey_status status;
    long long n_rows;

    (void)module;
    if (!PyArg_ParseTuple(args, "yLy:query_gather", &folder, &n_rows, &sql))
        return NULL;
    run.n_threads = 1; /* the engine's own tasks are many */
    Py_BEGIN_ALLOW_THREADS status = covey_query_open_piece(&piece, folder, n_rows, &run, &error);
    if (status == COVEY_OK)
        status = covey_query_gather(&counted, piece, sql, &run, &error);
    covey_query_close(piece);
    Py_END_ALLOW_THREADS if (status != COVEY_OK) return covey_python_raise(&error);
    answer = PyBytes_FromStringAndSize((const char *)counted.bytes, (Py_ssize_t)counted.size);
    covey_query_counted_free(&counted);
    return answer;
}

static PyObject *number_or_none(double value)
{
    if (isfinite(value))
        return PyFloat_FromDouble(value);
    Py_RETURN_NONE;
}

static PyObject *interval_tuple(const covey_query_interval *i)
{
    if (!i->exists)
        Py_RETURN_NONE;
    return Py_BuildValue("(NNNNO)", number_or_none(i->low), number_or_none(i->high), number_or_none(i->clipped_low),
                         number_or_none(i->clipped_high), i->is_of_few ? Py_True : Py_False);
}

static PyObject *answer_tuple(const covey_query_answer *a)
{
    return Py_BuildValue(
        "(szzONNONN)", a->aggregate, a->lower.exists ? a->lower.text : NULL, a->upper.exists ? a->upper.text : NULL,
        a->is_date ? Py_True : Py_False, number_or_none(a->estimate), number_or_none(a->standard_error),
        a->has_midpoint ? Py_True : Py_False, number_or_none(a->midpoint), interval_tuple(&a->interval));
}

/* (keys, answers, hits at least, at most) */
static PyObject *group_tuple(const covey_query_result *result, const covey_query_group *group)
{
    PyObject *keys = PyTuple_New((Py_ssize_t)result->n_keys), *answers = PyTuple_New((Py_ssize_t)result->n_answers);

    for (size_t k = 0; keys && k < result->n_keys; k++)
        PyTuple_SetItem(keys, (Py_ssize_t)k, Py_BuildValue("z", group->key[k]));
    for (size_t i = 0; answers && i < result->n_answers; i++)
        PyTuple_SetItem(answers, (Py_ssize_t)i, answer_tuple(&group->answer[i]));
    if (keys && answers)
        return Py_BuildValue("(NNLL)", keys, answers, (long long)group->hits_lower, (long long)group->hits_upper);
    Py_XDECREF(keys);
    Py_XDECREF(answers);
    return NULL;
}

static PyObject *result_tuple(const covey_query_result *result)
{
    PyObject *names = PyTuple_New((Py_ssize_t)result->n_keys), *groups = PyTuple_New((Py_ssize_t)result->n_groups),
             *notes = PyTuple_New((Py_ssize_t)result->n_notes);

    for (size_t i = 0; notes && i < result->n_notes; i++)
        PyTuple_SetItem(notes, (Py_ssize_t)i, Py_BuildValue("s", result->note[i]));
    for (size_t k = 0; names && k < result->n_keys; k++)
        PyTuple_SetItem(names, (Py_ssize_t)k,
                        Py_BuildValue("(sO)", result->key_name[k], result->key_is_number[k] ? Py_True : Py_False));
    for (size_t g = 0; groups && g < result->n_groups; g++)
        PyTuple_SetItem(groups, (Py_ssize_t)g, group_tuple(result, &result->group[g]));
    if (names && groups && notes)
        return Py_BuildValue("(ONNN)", result->is_grouped ? Py_True : Py_False, names, groups, notes);
    Py_XDECREF(names);
    Py_XDECREF(groups);
    Py_XDECREF(notes);
    return NULL;
}

PyDoc_STRVAR(
    settle_doc,
    "query_settle(folder, sql, counted) -> (grouped, keys, groups, notes)\n\n"
    "Answers a query from what was counted of all pieces (covey_query_settle). keys: (name, is a number);\n"
    "groups: (keys, answers, hits at least, at most); answers: (aggregate, lower, upper, are they dates,\n"
    "estimate, error, has a midpoint, midpoint, interval), bounds as texts; interval: (low, high, clipped low,\n"
    "clipped high, of few rows).");

static PyObject *query_settle(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    covey_query_release *cells = NULL;
    covey_query_result *result = NULL;
    covey_query_counted *counted;
    PyObject *pieces, *answer;
    const char *folder, *sql;
    covey_status status;
    covey_bytes *bytes;
    Py_ssize_t n;

    (void)module;
    if (!PyArg_ParseTuple(args, "yyO!:query_settle", &folder, &sql, &PyTuple_Type, &pieces) ||
        !(bytes = covey_python_read_bytes(pieces, &n)))
        return NULL;
    if (!(counted = calloc((size_t)n + 1, sizeof *counted))) {
        free(bytes);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < n; i++)
        counted[i] = (covey_query_counted){(unsigned char *)(uintptr_t)bytes[i].bytes, bytes[i].size};
    Py_BEGIN_ALLOW_THREADS status = covey_query_open_piece(&cells, folder, 0, NULL, &error);
    if (status == COVEY_OK)
        status = covey_query_settle(&result, cells, sql, counted, (size_t)n, NULL, &error);
    covey_query_close(cells);
    Py_END_ALLOW_THREADS free(counted);
    free(bytes);
    answer = status == COVEY_OK ? result_tuple(result) : covey_python_raise(&error);
    if (status == COVEY_OK)
        covey_query_result_free(result);
    return answer;
}

PyMethodDef covey_python_piece_functions[] = {
    {"query_gather", query_gather, METH_VARARGS, gather_doc},
    {"query_settle", query_settle, METH_VARARGS, settle_doc},
    {NULL, NULL, 0, NULL},
};
