/* covey._core: the library and its commands for Python.
 *
 * Everything that the command can do is done by the command's own code, with the results as JSON: one place knows how
 * options are read, figures are shown and errors are told.  What Python adds is data in memory (covey/arrow.h) and
 * ways to listen and to stop. Written for the limited API of Python 3.10. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "foreign.h"
#include "job.h"
#include "lines.h"
#include "pieces.h"
#include "plan.h"
#include "recipe.h"
#include "streams.h"

static const double poll_seconds = 0.02;

/* ---- commands ---- */

/* Has the job to stop?  Tells the caller's function where the work is; what either raises waits for the job's end. */
static bool has_to_stop(PyObject *listener, const covey_job_progress *now, covey_job_progress *told)
{
    PyObject *answer;
    bool stops;

    if (PyErr_CheckSignals() != 0)
        return true;
    if (listener == Py_None || !now->phase[0] ||
        (now->done == told->done && now->to_do == told->to_do && strcmp(now->phase, told->phase) == 0))
        return false;
    *told = *now;
    answer = PyObject_CallFunction(listener, "sLL", now->phase, (long long)now->done, (long long)now->to_do);
    stops = !answer || answer == Py_False;
    Py_XDECREF(answer);
    return stops;
}

/* Waits for the end.  True if the job ran undisturbed; else it was asked to stop, perhaps with an exception set.  Once
 * it has ended nobody is asked any more: what it made is there. */
static bool attend(covey_job *job, PyObject *listener)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    covey_job_progress now, told = {.done = -1};
    bool ended = false, stopped = false;

    while (!ended) {
        Py_BEGIN_ALLOW_THREADS ended = covey_job_wait(job, poll_seconds, &now);
        Py_END_ALLOW_THREADS if (stopped)
        {
            if (!ended && PyErr_CheckSignals() != 0) /* it is stopping already */
                PyErr_Clear();
        }
        else if (!ended && has_to_stop(listener, &now, &told))
        {
            stopped = true;
            PyErr_Fetch(&type, &value, &traceback);
            covey_job_cancel(job);
        }
        covey_job_go_on(job);
    }
    PyErr_Restore(type, value, traceback);
    return !stopped;
}

static PyObject *warnings_of(const covey_job_result *result)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < result->n_warnings; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(result->warning[i], (Py_ssize_t)strlen(result->warning[i]), "replace");

        if (!text || PyList_Append(list, text) != 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *answer_of(const covey_job_result *result)
{
    PyObject *warnings;

    if (result->status != COVEY_OK)
        return covey_python_raise(&result->error);
    if (!(warnings = warnings_of(result)))
        return NULL;
    return Py_BuildValue("(Oy#N)", result->yes ? Py_True : Py_False, result->text, (Py_ssize_t)result->size, warnings);
}

/* [n + 1] borrowed from words, which are bytes; for free().  NULL with an exception. */
static const char **read_words(PyObject *words, Py_ssize_t n)
{
    const char **argv = calloc((size_t)n + 2, sizeof *argv);

    if (!argv) {
        PyErr_NoMemory();
        return NULL;
    }
    argv[0] = "covey";
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *word = PyTuple_GetItem(words, i);

        if (!word || !(argv[i + 1] = PyBytes_AsString(word)) || strlen(argv[i + 1]) != (size_t)PyBytes_Size(word)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "embedded null byte");
            free(argv);
            return NULL;
        }
    }
    return argv;
}

/* ---- releases that stay open ---- */

typedef struct core_kept {
    PyObject head;
    covey_query_release *release; /* NULL until a query has opened it; then it stays as it is */
} core_kept;

static void kept_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    covey_query_close(((core_kept *)self)->release);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot kept_slots[] = {
    {Py_tp_dealloc, kept_dealloc},
    {Py_tp_doc,
     (void *)(uintptr_t) "Kept(): a place for the release that a query opens, so that the next one finds it."},
    {0, NULL},
};

static PyType_Spec kept_spec = {
    .name = "covey._core.Kept", .basicsize = sizeof(core_kept), .flags = Py_TPFLAGS_DEFAULT, .slots = kept_slots};

static PyTypeObject *kept_type;

/* What the job has opened stays, unless another thread's has come first. */
static void keep(core_kept *kept, covey_job *job)
{
    covey_query_release *opened = kept ? covey_job_take_release(job) : NULL;

    if (opened && !kept->release)
        kept->release = opened;
    else
        covey_query_close(opened);
}

PyDoc_STRVAR(run_doc,
             "run(words, policy, listener, kept=None) -> (yes, output, warnings)\n\n"
             "Runs a command. words: its name and arguments, as bytes. policy: None, or YAML (bytes) that stands\n"
             "for the first operand. listener(phase, done, to_do): called now and then; False stops the work. kept:\n"
             "None, or where a query finds its release opened, or leaves it.");

static PyObject *core_run(PyObject *module, PyObject *args)
{
    PyObject *words, *policy_text, *listener, *place = Py_None, *answer = NULL;
    core_kept *kept = NULL;
    const char *policy = NULL, **argv;
    covey_job *job;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOO|O:run", &words, &policy_text, &listener, &place))
        return NULL;
    if (place != Py_None && !PyObject_TypeCheck(place, kept_type)) {
        PyErr_SetString(PyExc_TypeError, "kept must be a Kept");
        return NULL;
    }
    kept = place == Py_None ? NULL : (core_kept *)place; /* the caller's reference holds it */
    if (policy_text != Py_None && !(policy = PyBytes_AsString(policy_text)))
        return NULL;
    if (!PyTuple_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "words must be a tuple of bytes");
        return NULL;
    }
    if (!(argv = read_words(words, PyTuple_Size(words))))
        return NULL;
    job = covey_job_start((int)PyTuple_Size(words) + 1, argv, policy, kept ? kept->release : NULL, listener != Py_None);
    free(argv);
    if (!job)
        return PyErr_NoMemory();
    if (attend(job, listener) || !PyErr_Occurred()) {
        const covey_job_result result = covey_job_result_of(job);

        answer = answer_of(&result);
    }
    keep(kept, job);
    covey_job_free(job);
    return answer;
}

PyDoc_STRVAR(main_doc, "main(words) -> exit code\n\nThe command, with the program's own streams and signals.");

static PyObject *core_main(PyObject *module, PyObject *words)
{
    const char **argv;
    int code;

    (void)module;
    if (!PyTuple_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "words must be a tuple of bytes");
        return NULL;
    }
    if (!(argv = read_words(words, PyTuple_Size(words))))
        return NULL;
    Py_BEGIN_ALLOW_THREADS code = covey_python_main((int)PyTuple_Size(words) + 1, (char **)argv);
    Py_END_ALLOW_THREADS free(argv);
    return PyLong_FromLong(code);
}

PyDoc_STRVAR(policy_json_doc,
             "policy_json(text, path) -> JSON\n\nThe YAML of a policy as JSON with nothing but texts as values.");

static PyObject *core_policy_json(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    const char *text, *path;
    Py_ssize_t size;
    PyObject *answer;
    char *json;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#y:policy_json", &text, &size, &path))
        return NULL;
    if (covey_policy_json(&json, text, (size_t)size, path, &error) != COVEY_OK)
        return covey_python_raise(&error);
    answer = PyUnicode_DecodeUTF8(json, (Py_ssize_t)strlen(json), "replace");
    covey_policy_json_free(json);
    return answer;
}

PyDoc_STRVAR(policy_check_doc, "policy_check(text, path)\n\nRaises what no policy can say, with its line and column.");

static PyObject *core_policy_check(PyObject *module, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    covey_policy *policy = NULL;
    const char *text, *path;
    Py_ssize_t size;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#y:policy_check", &text, &size, &path))
        return NULL;
    if (covey_policy_parse(&policy, text, (size_t)size, path, &error) != COVEY_OK)
        return covey_python_raise(&error);
    covey_policy_free(policy);
    Py_RETURN_NONE;
}

/* ---- tables out ---- */

static void release_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");

    if (stream && stream->release) /* nobody has moved it out */
        stream->release(stream);
    free(stream);
}

PyDoc_STRVAR(stream_doc, "stream(folder, table) -> capsule\n\nA table of a release as an Arrow stream.");

static PyObject *core_stream(PyObject *module, PyObject *args)
{
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    covey_error error = {.status = COVEY_OK};
    PyObject *capsule = NULL;
    const char *folder, *table;
    covey_status status;

    (void)module;
    if (!stream)
        return PyErr_NoMemory();
    if (PyArg_ParseTuple(args, "yy:stream", &folder, &table)) {
        Py_BEGIN_ALLOW_THREADS status = covey_export_stream(stream, folder, table, NULL, &error);
        Py_END_ALLOW_THREADS if (status != COVEY_OK) covey_python_raise(&error);
        else if (!(capsule = PyCapsule_New(stream, "arrow_array_stream", release_capsule))) stream->release(stream);
    }
    if (!capsule)
        free(stream);
    return capsule;
}

/* ---- tables in ---- */

PyDoc_STRVAR(
    copy_doc,
    "copy(source, path, header, trim)\n\nWrites the table of a source, such as a database, as a new CSV file that\n"
    "only its owner can read. header: does the first line name the columns; trim: are blanks around cells none?");

static PyObject *core_copy(PyObject *module, PyObject *args)
{
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_error error = {.status = COVEY_OK};
    const char *source, *path;
    covey_table *table = NULL;
    covey_status status;
    int header, trim;

    (void)module;
    if (!PyArg_ParseTuple(args, "yypp:copy", &source, &path, &header, &trim))
        return NULL;
    options.no_header = !header;
    options.trim = trim;
    Py_BEGIN_ALLOW_THREADS status = covey_table_read(&table, source, &options, NULL, &error);
    if (status == COVEY_OK)
        status = covey_csv_write(table, path, ',', NULL, &error);
    covey_table_free(table);
    Py_END_ALLOW_THREADS if (status != COVEY_OK) return covey_python_raise(&error);
    Py_RETURN_NONE;
}

/* ---- data in memory ---- */

typedef struct core_data {
    PyObject head;
    covey_arrow_data *data;
} core_data;

static PyObject *data_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    covey_error error = {.status = COVEY_OK};
    struct ArrowArrayStream *stream, own;
    covey_arrow_data *data = NULL;
    PyObject *capsule, *self;
    covey_status status;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O:Data", &capsule))
        return NULL;
    if (!(stream = PyCapsule_GetPointer(capsule, "arrow_array_stream")))
        return NULL;
    if (!stream->release) {
        PyErr_SetString(PyExc_ValueError, "the stream was read before");
        return NULL;
    }
    own = *stream; /* moved: the capsule lets it be from now on */
    stream->release = NULL;
    Py_BEGIN_ALLOW_THREADS status = covey_arrow_data_new(&data, &own, NULL, &error);
    Py_END_ALLOW_THREADS if (status != COVEY_OK) return covey_python_raise(&error);
    self = ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self)
        ((core_data *)self)->data = data;
    else
        covey_arrow_data_free(data);
    return self;
}

static void data_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    covey_arrow_data_free(((core_data *)self)->data);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *data_source(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(covey_arrow_data_source(((core_data *)self)->data));
}

static PyObject *data_n_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(covey_arrow_data_n_rows(((core_data *)self)->data));
}

static PyObject *data_n_columns(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(covey_arrow_data_n_columns(((core_data *)self)->data));
}

static PyGetSetDef data_properties[] = {
    {"source", data_source, NULL, "what the data are called where a path is taken", NULL},
    {"n_rows", data_n_rows, NULL, "rows", NULL},
    {"n_columns", data_n_columns, NULL, "columns", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot data_slots[] = {
    {Py_tp_new, data_new},
    {Py_tp_dealloc, data_dealloc},
    {Py_tp_getset, data_properties},
    {Py_tp_doc, (void *)(uintptr_t) "Data(capsule): the table of an Arrow stream, taken over."},
    {0, NULL},
};

static PyType_Spec data_spec = {
    .name = "covey._core.Data", .basicsize = sizeof(core_data), .flags = Py_TPFLAGS_DEFAULT, .slots = data_slots};

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"run", core_run, METH_VARARGS, run_doc},
    {"main", core_main, METH_O, main_doc},
    {"copy", core_copy, METH_VARARGS, copy_doc},
    {"stream", core_stream, METH_VARARGS, stream_doc},
    {"policy_json", core_policy_json, METH_VARARGS, policy_json_doc},
    {"policy_check", core_policy_check, METH_VARARGS, policy_check_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_def = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "covey._core", .m_size = -1, .m_methods = functions};

static int add_object(PyObject *module, const char *name, PyObject *object)
{
    if (!object)
        return -1;
    return PyModule_AddObjectRef(module, name, object);
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&module_def), *core_error, *data = NULL, *recipe = NULL;

    if (!module)
        return NULL;
    core_error = covey_python_error_type();
    data = PyType_FromSpec(&data_spec);
    recipe = covey_python_recipe_type();
    kept_type = (PyTypeObject *)PyType_FromSpec(&kept_spec);
    if (add_object(module, "Kept", (PyObject *)kept_type) != 0 || add_object(module, "CoreError", core_error) != 0 ||
        add_object(module, "Data", data) != 0 || add_object(module, "Recipe", recipe) != 0 ||
        PyModule_AddFunctions(module, covey_python_plan_functions) != 0 ||
        PyModule_AddFunctions(module, covey_python_lines_functions) != 0 ||
        PyModule_AddFunctions(module, covey_python_piece_functions) != 0 ||
        PyModule_AddStringConstant(module, "version", covey_version()) != 0) {
        Py_DECREF(module);
        module = NULL;
    }
    Py_XDECREF(data);
    Py_XDECREF(recipe);
    if (module) {
        covey_foreign_set_reader(covey_python_read_foreign);
        covey_foreign_set_writer(covey_python_write_foreign);
    }
    return module;
}
