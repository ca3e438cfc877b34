/* The steps that follow from a recipe, each a method. */
#include "recipe.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "errors.h"

typedef struct core_recipe {
    PyObject head;
    covey_recipe *recipe;
} core_recipe;

static covey_recipe *recipe_of(PyObject *self)
{
    return ((core_recipe *)self)->recipe;
}

static PyObject *recipe_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    covey_error error = {.status = COVEY_OK};
    covey_recipe *recipe = NULL;
    const char *path;
    PyObject *self;

    (void)kwargs;
    if (!PyArg_ParseTuple(args, "y:Recipe", &path))
        return NULL;
    if (covey_recipe_open(&recipe, path, NULL, &error) != COVEY_OK)
        return covey_python_raise(&error);
    self = ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self)
        ((core_recipe *)self)->recipe = recipe;
    else
        covey_recipe_close(recipe);
    return self;
}

static void recipe_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    covey_recipe_close(recipe_of(self));
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- dealing ---- */

/* The rows of each part so far. */
struct dealt {
    size_t row_size, n_parts;
    struct rows {
        char *bytes;
        size_t size, capacity;
    } * part;
};

static covey_status take_rows(void *context, int64_t part, const unsigned char *rows, size_t n, covey_error *err)
{
    struct dealt *dealt = context;
    struct rows *to = &dealt->part[part - 1];
    const size_t size = n * dealt->row_size;

    if (to->size + size > to->capacity) {
        const size_t capacity = (to->size + size) * 3 / 2;
        char *bytes = realloc(to->bytes, capacity);

        if (!bytes)
            return covey_fail(err, COVEY_ENOMEM, "out of memory");
        to->bytes = bytes;
        to->capacity = capacity;
    }
    memcpy(to->bytes + to->size, rows, size);
    to->size += size;
    return COVEY_OK;
}

static bool append_new(PyObject *list, PyObject *item)
{
    const bool is_done = item && PyList_Append(list, item) == 0;

    Py_XDECREF(item);
    return is_done;
}

/* The sums of all rows stand first, as part 0. */
static PyObject *list_dealt(const struct dealt *dealt, const covey_recipe *recipe)
{
    const size_t n = covey_recipe_n_columns(recipe);
    uint64_t *sum = calloc(n + 1, sizeof *sum);
    PyObject *list = PyList_New(0);

    if (!sum) {
        Py_XDECREF(list);
        return PyErr_NoMemory();
    }
    for (size_t p = 0; p < dealt->n_parts; p++)
        covey_recipe_sum(sum, recipe, (const unsigned char *)dealt->part[p].bytes,
                         dealt->part[p].size / dealt->row_size);
    if (list && !append_new(list, Py_BuildValue("(iiy#)", 0, 0, (const char *)sum, (Py_ssize_t)(n * sizeof *sum))))
        Py_CLEAR(list);
    free(sum);
    for (size_t p = 0; list && p < dealt->n_parts; p++) {
        const struct rows *rows = &dealt->part[p];

        if (rows->size > 0 &&
            !append_new(list, Py_BuildValue("(nny#)", (Py_ssize_t)p + 1, (Py_ssize_t)(rows->size / dealt->row_size),
                                            rows->bytes, (Py_ssize_t)rows->size)))
            Py_CLEAR(list);
    }
    return list;
}

PyDoc_STRVAR(deal_doc, "deal(source) -> list of (part, rows, bytes)\n\n"
                       "Deals the rows of a table to parts. Part 0 is no part: its bytes are the sums for changed().");

static PyObject *recipe_deal(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    struct dealt dealt = {.row_size = covey_recipe_row_size(recipe_of(self)),
                          .n_parts = (size_t)covey_recipe_report(recipe_of(self)).n_parts};
    PyObject *answer = NULL;
    const char *source;
    covey_status status;
    int64_t n_rows;

    if (!PyArg_ParseTuple(args, "y:deal", &source))
        return NULL;
    if (!(dealt.part = calloc(dealt.n_parts, sizeof *dealt.part)))
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS status =
        covey_recipe_deal(&n_rows, recipe_of(self), source, take_rows, &dealt, NULL, &error);
    Py_END_ALLOW_THREADS answer = status == COVEY_OK ? list_dealt(&dealt, recipe_of(self)) : covey_python_raise(&error);
    for (size_t p = 0; p < dealt.n_parts; p++)
        free(dealt.part[p].bytes);
    free(dealt.part);
    return answer;
}

PyDoc_STRVAR(changed_doc, "changed(sums) -> str or None\n\n"
                          "The first column in which not the values were dealt that were counted. sums: those of all\n"
                          "batches (covey_recipe_sum).");

static PyObject *recipe_changed(PyObject *self, PyObject *args)
{
    const size_t n = covey_recipe_n_columns(recipe_of(self));
    uint64_t *sum = calloc(n + 1, sizeof *sum);
    PyObject *batches, *answer = NULL;
    const char *name;

    if (!sum)
        return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "O!:changed", &PyTuple_Type, &batches))
        goto end;
    for (Py_ssize_t i = 0; i < PyTuple_Size(batches); i++) {
        char *bytes;
        Py_ssize_t size;

        if (PyBytes_AsStringAndSize(PyTuple_GetItem(batches, i), &bytes, &size) != 0)
            goto end;
        if ((size_t)size != n * sizeof *sum) {
            PyErr_SetString(PyExc_ValueError, "these are no sums of this recipe");
            goto end;
        }
        for (size_t c = 0; c < n; c++) {
            uint64_t one;

            memcpy(&one, bytes + c * sizeof one, sizeof one);
            sum[c] += one;
        }
    }
    name = covey_recipe_changed(recipe_of(self), sum);
    answer = name ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
end:
    free(sum);
    return answer;
}

/* ---- a part ---- */

PyDoc_STRVAR(make_doc,
             "make(file, first, last, rows, random)\n\n"
             "Anonymizes the rows of parts (a tuple of bytes) and writes a part to an open file. random: a secret of\n"
             "32 bytes, a seed, or None.");

static PyObject *recipe_make(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    PyObject *rows, *random;
    covey_bytes *bytes;
    covey_status status;
    covey_run run;
    long long first, last;
    Py_ssize_t n;
    int file;

    if (!PyArg_ParseTuple(args, "iLLO!O:make", &file, &first, &last, &PyTuple_Type, &rows, &random) ||
        !covey_python_read_random(&run, random) || !(bytes = covey_python_read_bytes(rows, &n)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status =
        covey_recipe_make(recipe_of(self), file, first, last, bytes, (size_t)n, &run, &error);
    Py_END_ALLOW_THREADS free(bytes);
    if (status != COVEY_OK)
        return covey_python_raise(&error);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(look_doc, "look(part, keys) -> JSON\n\nWhat is in a part: counts, keys, marks (covey_recipe_look).");

static PyObject *recipe_look(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    PyObject *answer;
    Py_ssize_t n_keys;
    const char *part;
    char *text;

    if (!PyArg_ParseTuple(args, "yn:look", &part, &n_keys))
        return NULL;
    if (covey_recipe_look(&text, recipe_of(self), part, (size_t)n_keys, &error) != COVEY_OK)
        return covey_python_raise(&error);
    answer = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "strict");
    covey_recipe_free(text);
    return answer;
}

PyDoc_STRVAR(cut_doc,
             "cut(part, splitters, files)\n\nCuts a part at keys into one open file more than there are keys.");

static PyObject *recipe_cut(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    PyObject *splitters, *files;
    const char *part, **splitter;
    covey_status status = COVEY_OK;
    Py_ssize_t n;
    int *file;

    if (!PyArg_ParseTuple(args, "yO!O!:cut", &part, &PyTuple_Type, &splitters, &PyTuple_Type, &files) ||
        !(splitter = covey_python_read_texts(splitters, &n)))
        return NULL;
    if (PyTuple_Size(files) != n + 1 || !(file = calloc((size_t)n + 1, sizeof *file))) {
        free(splitter);
        PyErr_SetString(PyExc_ValueError, "there is one file more than splitters");
        return NULL;
    }
    for (Py_ssize_t i = 0; i <= n; i++)
        file[i] = (int)PyLong_AsLong(PyTuple_GetItem(files, i));
    if (!PyErr_Occurred())
        status = covey_recipe_cut(recipe_of(self), part, splitter, (size_t)n, file, &error);
    free(file);
    free(splitter);
    if (status != COVEY_OK)
        return covey_python_raise(&error);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* ---- joining ---- */

PyDoc_STRVAR(one_range_doc, "is_one_range(marks) -> bool\n\n"
                            "Must all units be joined as one range (covey_recipe_is_one_range)?");

static PyObject *recipe_is_one_range(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    const char *marks;
    Py_ssize_t n;
    bool answer;

    if (!PyArg_ParseTuple(args, "z#:is_one_range", &marks, &n))
        return NULL;
    if (covey_recipe_is_one_range(&answer, recipe_of(self), (const unsigned char *)marks, (size_t)n, &error) !=
        COVEY_OK)
        return covey_python_raise(&error);
    return PyBool_FromLong(answer);
}

PyDoc_STRVAR(join_doc, "join(pieces, marks, suppressed, first, folder) -> (sums, classes)\n\n"
                       "Joins pieces of parts and writes their lines of the release's tables into a folder.");

static PyObject *recipe_join(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    covey_joining joining = {.n_pieces = 0};
    covey_run run = COVEY_RUN_INIT;
    long long n_suppressed, first;
    const char *marks, *folder;
    Py_ssize_t n_marks, n;
    PyObject *pieces, *answer;
    covey_status status;
    int64_t n_classes;
    size_t size;
    char *sums;

    if (!PyArg_ParseTuple(args, "O!z#LLy:join", &PyTuple_Type, &pieces, &marks, &n_marks, &n_suppressed, &first,
                          &folder) ||
        !(joining.piece = covey_python_read_texts(pieces, &n)))
        return NULL;
    joining.n_pieces = (size_t)n;
    joining.marks = (const unsigned char *)marks;
    joining.n_marks = (size_t)n_marks;
    joining.n_suppressed = n_suppressed;
    joining.first_class = first;
    run.n_threads = 1;
    Py_BEGIN_ALLOW_THREADS status =
        covey_recipe_join(&sums, &size, &n_classes, recipe_of(self), &joining, folder, &run, &error);
    Py_END_ALLOW_THREADS free((void *)(uintptr_t)joining.piece);
    if (status != COVEY_OK)
        return covey_python_raise(&error);
    answer = Py_BuildValue("(y#L)", sums, (Py_ssize_t)size, (long long)n_classes);
    covey_recipe_free(sums);
    return answer;
}

/* (name, rows, classes, is_part, bytes, sha256) */
static bool read_file(covey_release_file *out, PyObject *tuple)
{
    const char *name, *sha256;
    long long n_rows, n_classes, size;
    Py_ssize_t n;
    int is_part;

    if (!PyArg_ParseTuple(tuple, "yLLpLy#", &name, &n_rows, &n_classes, &is_part, &size, &sha256, &n))
        return false;
    if (n != sizeof out->sha256) {
        PyErr_SetString(PyExc_ValueError, "a SHA-256 has 32 bytes");
        return false;
    }
    *out = (covey_release_file){
        .name = name, .n_rows = n_rows, .n_classes = n_classes, .is_part = is_part, .size_bytes = (uint64_t)size};
    memcpy(out->sha256, sha256, sizeof out->sha256);
    return true;
}

PyDoc_STRVAR(finish_doc,
             "finish(sums, marks, suppressed, files, folder)\n\n"
             "Checks that the ranges are the whole, and writes manifest and hierarchies into a folder. files: tuples\n"
             "(name, rows, classes, is_part, bytes, sha256).");

static PyObject *recipe_finish(PyObject *self, PyObject *args)
{
    covey_error error = {.status = COVEY_OK};
    covey_joined joined = {.n_sums = 0};
    covey_release_file *file = NULL;
    covey_anonymize_report report;
    PyObject *sums, *files;
    const char *marks, *folder;
    long long n_suppressed;
    Py_ssize_t n_marks, n;
    covey_status status = COVEY_EINVAL;
    bool is_read;

    if (!PyArg_ParseTuple(args, "O!z#LO!y:finish", &PyTuple_Type, &sums, &marks, &n_marks, &n_suppressed, &PyTuple_Type,
                          &files, &folder) ||
        !(joined.sums = covey_python_read_bytes(sums, &n)))
        return NULL;
    joined.n_sums = (size_t)n;
    joined.marks = (const unsigned char *)marks;
    joined.n_marks = (size_t)n_marks;
    joined.n_suppressed = n_suppressed;
    joined.n_files = (size_t)PyTuple_Size(files);
    file = calloc(joined.n_files + 1, sizeof *file);
    is_read = file != NULL;
    for (size_t i = 0; is_read && i < joined.n_files; i++)
        is_read = read_file(&file[i], PyTuple_GetItem(files, (Py_ssize_t)i));
    joined.file = file;
    if (is_read) {
        Py_BEGIN_ALLOW_THREADS status = covey_recipe_finish(&report, recipe_of(self), &joined, folder, NULL, &error);
        Py_END_ALLOW_THREADS
    } else if (!file) {
        PyErr_NoMemory();
    }
    free(file);
    free((void *)(uintptr_t)joined.sums);
    if (!is_read)
        return NULL;
    if (status != COVEY_OK)
        return covey_python_raise(&error);
    covey_anonymize_report_clear(&report);
    Py_RETURN_NONE;
}

static PyObject *recipe_parts(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(covey_recipe_report(recipe_of(self)).n_parts);
}

static PyObject *recipe_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(covey_recipe_report(recipe_of(self)).n_rows);
}

static PyObject *recipe_rows_per_part(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(covey_recipe_report(recipe_of(self)).rows_per_part);
}

static PyGetSetDef recipe_properties[] = {
    {"n_parts", recipe_parts, NULL, "parts that are planned", NULL},
    {"n_rows", recipe_rows, NULL, "rows that were counted", NULL},
    {"rows_per_part", recipe_rows_per_part, NULL, "rows of a part, about", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef recipe_methods[] = {
    {"deal", recipe_deal, METH_VARARGS, deal_doc},
    {"changed", recipe_changed, METH_VARARGS, changed_doc},
    {"make", recipe_make, METH_VARARGS, make_doc},
    {"look", recipe_look, METH_VARARGS, look_doc},
    {"cut", recipe_cut, METH_VARARGS, cut_doc},
    {"is_one_range", recipe_is_one_range, METH_VARARGS, one_range_doc},
    {"join", recipe_join, METH_VARARGS, join_doc},
    {"finish", recipe_finish, METH_VARARGS, finish_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot recipe_slots[] = {
    {Py_tp_new, recipe_new},
    {Py_tp_dealloc, recipe_dealloc},
    {Py_tp_methods, recipe_methods},
    {Py_tp_getset, recipe_properties},
    {Py_tp_doc, (void *)(uintptr_t) "Recipe(path): a plan, and the steps that follow from it."},
    {0, NULL},
};

static PyType_Spec recipe_spec = {
    .name = "covey._core.Recipe", .basicsize = sizeof(core_recipe), .flags = Py_TPFLAGS_DEFAULT, .slots = recipe_slots};

PyObject *covey_python_recipe_type(void)
{
    return PyType_FromSpec(&recipe_spec);
}
