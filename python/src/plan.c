/* What comes before a recipe and behind it, for an engine that distributes work: plans, and verifying pieces. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "errors.h"

PyDoc_STRVAR(check_doc, "plan_check(policy, path) -> str or None\n\n"
                        "Why a policy cannot be kept part by part (covey_plan_check); None: it can.");

static PyObject *plan_check(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    const char *text, *path;
    covey_policy *policy;
    Py_ssize_t size;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#y:plan_check", &text, &size, &path) ||
        !(policy = covey_python_read_policy(text, size, path)))
        return NULL;
    covey_plan_check(policy, &error);
    covey_policy_free(policy);
    if (error.status == COVEY_OK)
        Py_RETURN_NONE;
    return error.status == COVEY_EINVAL ? PyUnicode_FromString(error.message) : covey_python_raise(&error);
}

PyDoc_STRVAR(columns_doc, "plan_columns(policy, path, names) -> tuple of bool\n\nWhich columns a policy publishes.");

static PyObject *plan_columns(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    const char *text, *path, **name = NULL;
    PyObject *names, *answer = NULL;
    covey_policy *policy;
    bool *kept = NULL;
    Py_ssize_t size, n;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#yO:plan_columns", &text, &size, &path, &names) ||
        !(policy = covey_python_read_policy(text, size, path)))
        return NULL;
    if ((name = covey_python_read_texts(names, &n)) && (kept = calloc((size_t)n + 1, sizeof *kept))) {
        if (covey_plan_columns(kept, policy, name, (size_t)n, &error) != COVEY_OK)
            covey_python_raise(&error);
        else if ((answer = PyTuple_New(n)))
            for (Py_ssize_t i = 0; i < n; i++)
                PyTuple_SetItem(answer, i, PyBool_FromLong(kept[i]));
    } else if (name) {
        PyErr_NoMemory();
    }
    free(kept);
    free(name);
    covey_policy_free(policy);
    return answer;
}

PyDoc_STRVAR(
    counted_doc,
    "plan_counted(policy, path, recipe, names, values, sample, rows, dropped, rows_per_part) -> (parts, warnings)\n\n"
    "Plans a table by counts and writes the recipe. values: for each column the source of its values and\n"
    "counts, or None; sample: that of the sample (covey_plan_counted).");

/* Takes a warning down in a list. */
static void take_warning(void *list, const char *message)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");

    if (!text || PyList_Append(list, text) != 0)
        PyErr_Clear();
    Py_XDECREF(text);
    PyGILState_Release(state);
}

static PyObject *plan_counted(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    const char *text, *path, *recipe, **name = NULL, **values = NULL;
    PyObject *names, *sources, *said = NULL, *answer = NULL;
    covey_parts_options options = {.force = false};
    covey_run run = COVEY_RUN_INIT;
    covey_counted counted = {.n_columns = 0};
    covey_plan_report report;
    covey_policy *policy;
    Py_ssize_t size, n, n_values;
    long long n_rows, n_dropped, rows_per_part;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#yyO!O!yLLL:plan_counted", &text, &size, &path, &recipe, &PyTuple_Type, &names,
                          &PyTuple_Type, &sources, &counted.sample, &n_rows, &n_dropped, &rows_per_part) ||
        !(policy = covey_python_read_policy(text, size, path)))
        return NULL;
    if ((said = PyList_New(0)) && (name = covey_python_read_texts(names, &n)) &&
        (values = covey_python_read_texts(sources, &n_values))) {
        covey_status status;

        run.warn = take_warning;
        run.context = said;
        counted.n_columns = (size_t)n;
        counted.name = name;
        counted.values = values;
        counted.n_rows = n_rows;
        counted.n_dropped = n_dropped;
        options.rows_per_part = rows_per_part;
        Py_BEGIN_ALLOW_THREADS status = covey_plan_counted(&report, policy, recipe, &counted, &options, &run, &error);
        Py_END_ALLOW_THREADS answer =
            status == COVEY_OK ? Py_BuildValue("(LO)", (long long)report.n_parts, said) : covey_python_raise(&error);
    }
    Py_XDECREF(said);
    free(name);
    free(values);
    covey_policy_free(policy);
    return answer;
}

/* ---- verifying ---- */

static PyObject *promise_tuple(const covey_promise_verdict *p)
{
    return Py_BuildValue("(sssOssd)", p->model, p->attribute, p->threshold, p->holds ? Py_True : Py_False, p->achieved,
                         p->achieved_e, p->achieved_value);
}

static PyObject *verdict_tuple(const covey_verdict *verdict)
{
    PyObject *promises = PyList_New(0), *problems = PyList_New(0);
    bool fine = promises && problems;

    for (size_t i = 0; fine && i < verdict->n_promises; i++) {
        PyObject *item = promise_tuple(&verdict->promise[i]);

        fine = item && PyList_Append(promises, item) == 0;
        Py_XDECREF(item);
    }
    for (size_t i = 0; fine && i < verdict->n_problems; i++) {
        PyObject *item = PyUnicode_DecodeUTF8(verdict->problem[i], (Py_ssize_t)strlen(verdict->problem[i]), "replace");

        fine = item && PyList_Append(problems, item) == 0;
        Py_XDECREF(item);
    }
    if (fine)
        return Py_BuildValue("(ONN)", verdict->holds ? Py_True : Py_False, promises, problems);
    Py_XDECREF(promises);
    Py_XDECREF(problems);
    return NULL;
}

PyDoc_STRVAR(verify_doc,
             "verify_piece(folder) -> (holds, promises, problems)\n\n"
             "Verifies whole classes of a larger release, against that one's prior (covey_verify_options.is_piece);\n"
             "the caller knows the hashes of its files.\n"
             "promises: tuples (model, attribute, threshold, holds, achieved, e, value).");

static PyObject *verify_piece(PyObject *module, PyObject *args)
{
    const covey_verify_options options = {.skip_hashes = true, .is_piece = true};
    covey_error error = {.status = COVEY_OK};
    covey_run run = COVEY_RUN_INIT;
    covey_verdict *verdict = NULL;
    PyObject *answer = NULL;
    const char *folder;
    covey_status status;

    (void)module;
    if (!PyArg_ParseTuple(args, "y:verify_piece", &folder))
        return NULL;
    run.n_threads = 1; /* the engine's own tasks are many */
    Py_BEGIN_ALLOW_THREADS status = covey_verify(&verdict, folder, &options, &run, &error);
    Py_END_ALLOW_THREADS answer = status == COVEY_OK ? verdict_tuple(verdict) : covey_python_raise(&error);
    covey_verdict_free(verdict);
    return answer;
}

PyMethodDef covey_python_plan_functions[] = {
    {"verify_piece", verify_piece, METH_VARARGS, verify_doc},
    {"plan_check", plan_check, METH_VARARGS, check_doc},
    {"plan_columns", plan_columns, METH_VARARGS, columns_doc},
    {"plan_counted", plan_counted, METH_VARARGS, counted_doc},
    {NULL, NULL, 0, NULL},
};
