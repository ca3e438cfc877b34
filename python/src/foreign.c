/* See foreign.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "foreign.h"

static const char listening_name[] = "covey_listening";

/* Whom to ask whether the work goes on, and what was said. */
struct listening {
    const covey_run *run;
    bool is_stopped;
};

/* goes_on() for Python: False once whoever called the library asked to stop. */
static PyObject *goes_on(PyObject *capsule, PyObject *unused)
{
    struct listening *listening = PyCapsule_GetPointer(capsule, listening_name);
    bool goes = true;

    (void)unused;
    if (!listening)
        return NULL;
    if (listening->run && listening->run->progress) {
        const covey_run *run = listening->run;

        Py_BEGIN_ALLOW_THREADS goes = run->progress(run->context, "reading", 0, 0);
        Py_END_ALLOW_THREADS
    }
    listening->is_stopped |= !goes;
    return PyBool_FromLong(goes);
}

static PyMethodDef goes_on_def = {"goes_on", goes_on, METH_NOARGS, NULL};

/* covey._files.reading.stream(path, goes_on) */
static PyObject *read_stream(const char *path, struct listening *listening)
{
    PyObject *module = PyImport_ImportModule("covey._files.reading");
    PyObject *capsule = PyCapsule_New(listening, listening_name, NULL);
    PyObject *function = capsule ? PyCFunction_New(&goes_on_def, capsule) : NULL;
    PyObject *name = PyUnicode_DecodeFSDefault(path), *stream = NULL;

    if (module && function && name)
        stream = PyObject_CallMethod(module, "stream", "OO", name, function);
    Py_XDECREF(name);
    Py_XDECREF(function);
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    return stream;
}

/* COVEY_EIO for an exception with the exit code of a system that failed. */
static covey_status status_of(PyObject *exception)
{
    PyObject *code = exception ? PyObject_GetAttrString(exception, "code") : NULL;
    const bool is_system = code && PyLong_Check(code) && PyLong_AsLong(code) == 3;

    Py_XDECREF(code);
    PyErr_Clear();
    return is_system ? COVEY_EIO : COVEY_EINVAL;
}

/* What Python raised as an error of the library. */
static covey_status take_exception(const char *path, bool is_stopped, covey_error *err)
{
    PyObject *type, *value, *traceback, *text, *bytes = NULL;
    covey_status status;
    const char *said = NULL;

    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    status = is_stopped ? COVEY_ECANCELLED : status_of(value);
    if ((text = value ? PyObject_Str(value) : NULL) && (bytes = PyUnicode_AsEncodedString(text, "utf-8", "replace")))
        said = PyBytes_AsString(bytes);
    PyErr_Clear();
    if (said && strncmp(said, path, strlen(path)) == 0 && strncmp(said + strlen(path), ": ", 2) == 0)
        said += strlen(path) + 2; /* the place is put in front again */
    covey_fail_at(err, status, path, 0, NULL, 0, "%s", said ? said : "cannot be read");
    Py_XDECREF(bytes);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return status;
}

covey_status covey_python_read_foreign(struct ArrowArrayStream *out, const char *path, const covey_run *run,
                                       covey_error *err)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    struct listening listening = {.run = run};
    PyObject *capsule = read_stream(path, &listening);
    struct ArrowArrayStream *stream = capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    covey_status status = COVEY_OK;

    if (stream) {
        *out = *stream; /* moved: the capsule lets it be from now on */
        stream->release = NULL;
    } else {
        status = take_exception(path, listening.is_stopped, err);
    }
    Py_XDECREF(capsule);
    PyGILState_Release(state);
    return status;
}

static void release_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");

    if (stream && stream->release) /* nobody has moved it out */
        stream->release(stream);
    free(stream);
}

/* The stream, moved, as whatever reads Arrow takes it over. */
static PyObject *capsule_of(struct ArrowArrayStream *stream)
{
    struct ArrowArrayStream *moved = malloc(sizeof *moved);
    PyObject *capsule;

    if (!moved)
        return PyErr_NoMemory();
    *moved = *stream;
    if (!(capsule = PyCapsule_New(moved, "arrow_array_stream", release_stream))) {
        free(moved);
        return NULL;
    }
    stream->release = NULL;
    return capsule;
}

static void warn_of(PyObject *said, const covey_run *run)
{
    PyObject *bytes = PyUnicode_AsEncodedString(said, "utf-8", "replace");

    if (bytes && PyBytes_Size(bytes) > 0 && run && run->warn)
        run->warn(run->context, PyBytes_AsString(bytes));
    Py_XDECREF(bytes);
    PyErr_Clear();
}

covey_status covey_python_write_foreign(struct ArrowArrayStream *table, const char *release, const char *path,
                                        bool force, const covey_run *run, covey_error *err)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = PyImport_ImportModule("covey._files.writing"), *capsule = capsule_of(table);
    PyObject *folder = PyUnicode_DecodeFSDefault(release), *name = PyUnicode_DecodeFSDefault(path), *done = NULL;
    covey_status status = COVEY_OK;

    if (module && capsule && folder && name)
        done = PyObject_CallMethod(module, "export", "OOOO", capsule, folder, name, force ? Py_True : Py_False);
    if (!done)
        status = take_exception(path, false, err);
    else
        warn_of(done, run);
    Py_XDECREF(done);
    Py_XDECREF(name);
    Py_XDECREF(folder);
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    if (table->release)
        table->release(table);
    PyGILState_Release(state);
    return status;
}
