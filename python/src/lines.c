/* Where the classes of a table's file begin, and their numbers.  What the lines say is the verifier's to judge: here a
 * file is only cut between records, and numbered as it is to be beside others. */
#include "lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 18 };

/* The end of the record that begins at `at`: behind its line feed. */
static const char *record_end(const char *at, const char *end)
{
    bool is_quoted = false;

    for (; at < end; at++) {
        is_quoted ^= *at == '"';
        if (*at == '\n' && !is_quoted)
            return at + 1;
    }
    return end;
}

/* The number that a record begins with, which ends at *digits_end; 0 if it begins with something else. */
static long long number_at(const char **digits_end, const char *at, const char *end)
{
    const char *digit = at;
    long long number = 0;

    while (digit < end && *digit >= '0' && *digit <= '9' && digit - at < MOST_DIGITS)
        number = number * 10 + (*digit++ - '0');
    *digits_end = digit;
    return digit > at && digit < end && (*digit == ',' || *digit == '\n') ? number : 0;
}

struct facts {
    Py_ssize_t header_end, first_end, last_start; /* bytes before them */
    long long n_records, n_classes, first, last;
};

/* Without numbers each record is a class of its own. */
static struct facts find_facts(const char *text, Py_ssize_t size, bool is_numbered)
{
    const char *end = text + size, *at = record_end(text, end), *ignored;
    struct facts f = {.header_end = at - text, .first_end = at - text, .last_start = at - text};

    while (at < end) {
        const long long number = is_numbered ? number_at(&ignored, at, end) : f.n_records + 1;

        if (f.n_records == 0)
            f.first = number;
        if (f.n_records == 0 || number != f.last) {
            f.last_start = at - text;
            f.n_classes++;
        }
        f.last = number;
        f.n_records++;
        at = record_end(at, end);
        if (f.n_classes == 1)
            f.first_end = at - text;
    }
    return f;
}

PyDoc_STRVAR(
    facts_doc,
    "lines_facts(text, is_numbered) -> (header_end, records, classes, first, last, first_end, last_start)\n\n"
    "What the lines of a table's file are: where the header ends; how many records and runs of one number\n"
    "follow; the first and the last number (0: something else); where the first run ends and the last begins.\n"
    "Without numbers each record counts as a run.");

static PyObject *lines_facts(PyObject *module, PyObject *args)
{
    const char *text;
    struct facts f;
    Py_ssize_t size;
    int is_numbered;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#p:lines_facts", &text, &size, &is_numbered))
        return NULL;
    Py_BEGIN_ALLOW_THREADS f = find_facts(text, size, is_numbered);
    Py_END_ALLOW_THREADS return Py_BuildValue("(nLLLLnn)", f.header_end, f.n_records, f.n_classes, f.first, f.last,
                                              f.first_end, f.last_start);
}

/* --- other numbers --- */

static char *put_number(char *to, long long number)
{
    char digits[24];
    size_t n = 0;

    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

/* Fills room for MOST_DIGITS + 2 bytes more a record than there are; the end of what was written. */
static char *shift(char *to, const char *text, const char *end, long long by)
{
    const char *at = record_end(text, end);

    memcpy(to, text, (size_t)(at - text));
    to += at - text;
    while (at < end) {
        const char *next = record_end(at, end), *rest;
        const long long number = number_at(&rest, at, end);

        if (number > 0)
            to = put_number(to, number + by > 0 ? number + by : 0);
        else
            rest = at;
        memcpy(to, rest, (size_t)(next - rest));
        to += next - rest;
        at = next;
    }
    return to;
}

static Py_ssize_t count_line_feeds(const char *text, Py_ssize_t size)
{
    Py_ssize_t n = 1;

    for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + size - at))); at++)
        n++;
    return n;
}

PyDoc_STRVAR(shifted_doc,
             "lines_shifted(text, by) -> bytes\n\n"
             "The text of a table's file with other numbers of classes: each larger by so much, 0 where that is\n"
             "not positive.");

static PyObject *lines_shifted(PyObject *module, PyObject *args)
{
    const char *text;
    PyObject *answer;
    Py_ssize_t size;
    long long by;
    char *out;

    (void)module;
    if (!PyArg_ParseTuple(args, "y#L:lines_shifted", &text, &size, &by))
        return NULL;
    if (!(out = malloc((size_t)size + (size_t)count_line_feeds(text, size) * (MOST_DIGITS + 2))))
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS size = shift(out, text, text + size, by) - out;
    Py_END_ALLOW_THREADS answer = PyBytes_FromStringAndSize(out, size);
    free(out);
    return answer;
}

PyMethodDef covey_python_lines_functions[] = {
    {"lines_facts", lines_facts, METH_VARARGS, facts_doc},
    {"lines_shifted", lines_shifted, METH_VARARGS, shifted_doc},
    {NULL, NULL, 0, NULL},
};
