/* A part in pieces.  Units are copied as they stand: a piece is a part that says it was made of the rows of the whole
 * part, but holds some units only. */
#include "parts/part/cut.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "parts/merge/settle.h"

/* --- keys --- */

static char *key_text(char *out, const covey_part_reader *r)
{
    for (size_t i = 0; i < r->n_key; i++)
        snprintf(out + i * COVEY_KEY_DIGITS, COVEY_KEY_DIGITS + 1, "%08" PRIx32, r->key[i]);
    return out;
}

static char *new_key_text(const covey_part_reader *r)
{
    return covey_i_array(r->n_key * COVEY_KEY_DIGITS + 1, 1);
}

static covey_status check_splitters(const covey_part_reader *r, const char *const *splitter, size_t n, covey_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(splitter[i]) != r->n_key * COVEY_KEY_DIGITS ||
            strspn(splitter[i], "0123456789abcdef") != strlen(splitter[i]) ||
            (i > 0 && strcmp(splitter[i - 1], splitter[i]) >= 0))
            return covey_fail(err, COVEY_EINVAL, "splitter %zu is no key, or not behind the one before it", i + 1);
    return COVEY_OK;
}

/* --- cutting --- */

struct cutting {
    covey_part_reader reader;
    const covey_plan *plan;
    const char *const *splitter;
    size_t n;
    char *key;
};

/* Counts the units of each piece in a reading of their own: its header says how many there are. */
static covey_status count(int64_t *n_rows, int64_t *n_units, struct cutting *c, const char *path, covey_error *err)
{
    covey_part_reader *r = &c->reader;
    size_t piece = 0;

    COVEY_TRY(covey_i_part_reader_open(r, path, c->plan, err));
    if (!(c->key = new_key_text(r)))
        return covey_i_no_memory(err);
    COVEY_TRY(check_splitters(r, c->splitter, c->n, err));
    while (r->n > 0) {
        key_text(c->key, r);
        while (piece < c->n && strcmp(c->key, c->splitter[piece]) >= 0)
            piece++;
        n_rows[piece] += r->n;
        n_units[piece]++;
        COVEY_TRY(covey_i_part_reader_next(r, err));
    }
    covey_i_part_reader_close(r);
    return COVEY_OK;
}

static covey_status copy(struct cutting *c, const char *path, const int64_t *n_rows, const int64_t *n_units,
                         const int *file, covey_error *err)
{
    covey_part_reader *r = &c->reader;

    COVEY_TRY(covey_i_part_reader_open(r, path, c->plan, err));
    for (size_t piece = 0; piece <= c->n; piece++) {
        covey_part_facts facts = r->facts;
        covey_outfile *out;
        covey_status status;

        facts.n_published = n_rows[piece];
        facts.n_units = n_units[piece];
        COVEY_TRY(covey_i_outfile_over(&out, file[piece], "a piece of a part", err));
        if ((status = covey_i_part_file_copy(out, c->plan, &facts, r, n_units[piece], err)) == COVEY_OK) {
            COVEY_TRY(covey_i_outfile_close(out, err));
        } else {
            covey_i_outfile_abort(out);
            return status;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_part_cut(const covey_plan *plan, const char *path, const char *const *splitter, size_t n,
                              const int *file, covey_error *err)
{
    struct cutting c = {.reader = {.file = -1}, .plan = plan, .splitter = splitter, .n = n};
    int64_t *n_rows = covey_i_array_zero(n + 1, sizeof *n_rows), *n_units = covey_i_array_zero(n + 1, sizeof *n_units);
    covey_status status = n_rows && n_units ? count(n_rows, n_units, &c, path, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = copy(&c, path, n_rows, n_units, file, err);
    covey_i_part_reader_close(&c.reader);
    covey_i_free(c.key);
    covey_i_free(n_rows);
    covey_i_free(n_units);
    return status;
}

/* --- looking --- */

/* A key each time that another share of the rows has begun. */
static covey_status list_keys(json_t *keys, covey_part_reader *r, size_t n_keys, covey_error *err)
{
    char *key = new_key_text(r);
    const int64_t step = r->facts.n_published / (int64_t)(n_keys ? n_keys : 1) + 1;
    covey_status status = key ? COVEY_OK : covey_i_no_memory(err);
    int64_t n_since = step;

    while (status == COVEY_OK && r->n > 0) {
        if (n_since >= step) {
            json_array_append_new(keys, json_pack("[s,I]", key_text(key, r), (json_int_t)0));
            n_since = 0;
        }
        n_since += r->n;
        json_array_set_new(json_array_get(keys, json_array_size(keys) - 1), 1, json_integer(n_since));
        status = covey_i_part_reader_next(r, err);
    }
    covey_i_free(key);
    return status;
}

static json_t *list_marks(const bool *mark, size_t n)
{
    char *text = covey_i_array(2 * n + 1, 1);
    json_t *object;

    for (size_t i = 0; text && i < n; i++)
        memcpy(text + 2 * i, mark[i] ? "01" : "00", 2);
    object = text ? json_stringn(text, 2 * n) : NULL;
    covey_i_free(text);
    return object;
}

covey_status covey_i_part_look(char **out, const covey_plan *plan, const char *path, size_t n_keys, covey_error *err)
{
    const size_t n_marks = covey_i_parts_n_marks(plan);
    covey_part_reader r = {.file = -1};
    bool *mark = covey_i_array_zero(n_marks, sizeof *mark);
    json_t *root = json_object(), *keys = json_array();
    covey_status status = mark && root && keys ? COVEY_OK : covey_i_no_memory(err);

    if (status == COVEY_OK && (status = covey_i_parts_mark(mark, plan, path, err)) == COVEY_OK &&
        (status = covey_i_part_reader_open(&r, path, plan, err)) == COVEY_OK) {
        json_object_set_new(root, "first", json_integer(r.facts.first + 1));
        json_object_set_new(root, "last", json_integer(r.facts.last + 1));
        json_object_set_new(root, "rows", json_integer(r.facts.n_rows));
        json_object_set_new(root, "published_rows", json_integer(r.facts.n_published));
        json_object_set_new(root, "units", json_integer(r.facts.n_units));
        json_object_set_new(root, "marks", list_marks(mark, n_marks));
        status = list_keys(keys, &r, n_keys, err);
        json_object_set(root, "keys", keys);
        if (status == COVEY_OK && !(*out = json_dumps(root, JSON_COMPACT)))
            status = covey_i_no_memory(err);
    }
    covey_i_part_reader_close(&r);
    covey_i_free(mark);
    json_decref(keys);
    json_decref(root);
    return status;
}
