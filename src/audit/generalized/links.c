/* See links.h.  Shares no code with what writes the list or makes the classes; what a promise over units means is
 * defined once (model/units.h). */
#include "audit/generalized/links.h"

#include <covey/io.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "audit/content_keys.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/hash.h"
#include "model/units.h"
#include "reader/generalized/units.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* A row of the original in the order in which it is judged. */
struct place {
    uint32_t class; /* published number, from 1; 0: in none */
    uint32_t whole, person, row;
};

struct proving {
    covey_audit *audit;
    const covey_original *original;
    covey_problems *problems;
    uint32_t *class_of;  /* [original->n_rows] */
    struct place *place; /* the same, sorted */
    covey_units units;
    covey_promises promises;
    covey_arena arena;
    bool is_wrong; /* something was reported after which the rest makes no sense */
};

/* --- the list --- */

static bool parse_number(int64_t *out, const char *text)
{
    *out = 0;
    if (text[0] < '1' || text[0] > '9')
        return false;
    for (; *text >= '0' && *text <= '9' && *out <= UINT32_MAX; text++)
        *out = 10 * *out + (*text - '0');
    return *text == '\0' && *out <= UINT32_MAX;
}

static covey_status wrong_line(const struct proving *p, int64_t row, const char *expected, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, p->audit->links, row + 2, NULL, 0, "%s is expected", expected);
}

/* Line by line: `row,class`, rows 1, 2, ...; the class of those that took part goes to class_of. */
static covey_status read_lines(struct proving *p, const covey_table *table, covey_error *err)
{
    const covey_stated *stated = p->audit->stated;
    const covey_column *number = covey_table_column(table, 0), *class = covey_table_column(table, 1);
    const int64_t n = stated->n_rows + stated->n_dropped;
    int64_t next = 0;

    if (covey_table_n_columns(table) != 2 || strcmp(number->name, "row") != 0 || strcmp(class->name, "class") != 0)
        return covey_fail_at(err, COVEY_EPARSE, p->audit->links, 1, NULL, 0,
                             "the columns row and class are expected, as anonymize --links writes them");
    if (covey_table_n_rows(table) != n) {
        covey_i_problem(p->problems, "the links are of %" PRId64 " rows, but the release was made from %" PRId64,
                        covey_table_n_rows(table), n);
        p->is_wrong = true;
        return COVEY_OK;
    }
    for (int64_t row = 0; row < n; row++) {
        const bool is_none = class->has_null && covey_i_code(class, row) == 0;
        const bool took_part = !p->original->row_of || (next < p->original->n_rows && p->original->row_of[next] == row);
        int64_t of_row, of_class = 0;

        if (!parse_number(&of_row, covey_column_label(number, covey_i_code(number, row))) || of_row != row + 1)
            return wrong_line(p, row, "the number of the row, one more than that of the line before,", err);
        if (!is_none && (!parse_number(&of_class, covey_column_label(class, covey_i_code(class, row))) ||
                         of_class > p->audit->opened->n_classes))
            return wrong_line(p, row, "the number of a class, or nothing,", err);
        if (took_part)
            p->class_of[next++] = (uint32_t)of_class;
        else if (!is_none) {
            covey_i_problem(p->problems,
                            "the links put row %" PRId64 " into a class, which was dropped for a missing value",
                            row + 1);
            p->is_wrong = true;
        }
    }
    return COVEY_OK;
}

static covey_status read_list(struct proving *p, covey_error *err)
{
    static const char *const empty[] = {""};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_table *table = NULL;
    covey_status status;

    options.delimiter = ',';
    options.null = empty;
    options.n_null = 1;
    if (!(p->class_of = covey_arena_array_zero(&p->arena, uint32_t, p->original->n_rows)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_csv_read(&table, p->audit->links, &options, p->audit->run, err));
    status = read_lines(p, table, err);
    covey_table_free(table);
    return status;
}

static covey_status compare_hash(covey_audit *audit, const json_t *facts, const char *key, const char *path,
                                 const char *what, covey_error *err)
{
    const char *stated = json_string_value(json_object_get(facts, key));
    unsigned char hash[32];
    uint64_t size;
    char hex[65];

    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(hex, hash);
    if (!stated || strcmp(stated, hex) != 0)
        covey_i_problem(&audit->of_original, "the links are those of another %s: its SHA-256 differs", what);
    return COVEY_OK;
}

static covey_status keep_name(const char **out, covey_audit *audit, const json_t *facts, const char *key,
                              covey_error *err)
{
    const char *name = json_string_value(json_object_get(facts, key));

    *out = NULL;
    return name && !(*out = covey_arena_strdup(&audit->arena, name)) ? covey_i_no_memory(err) : COVEY_OK;
}

/* The description says which release and which table the list is of, and which columns name units. */
static covey_status read_facts(covey_audit *audit, const json_t *facts, covey_text *path, covey_error *err)
{
    covey_i_text_clear(path);
    covey_i_text_add_format(path, "%s/manifest.json", audit->folder);
    if (path->broken)
        return covey_i_no_memory(err);
    COVEY_TRY(compare_hash(audit, facts, "manifest_sha256", path->bytes, "release", err));
    if (covey_i_source_kind(audit->original) == COVEY_SOURCE_FILE)
        COVEY_TRY(compare_hash(audit, facts, "input_sha256", audit->original, "table", err));
    COVEY_TRY(keep_name(&audit->entity, audit, facts, "entity", err));
    COVEY_TRY(keep_name(&audit->within, audit, facts, "within", err));
    audit->missing_is_own = json_is_true(json_object_get(facts, "missing_is_own"));
    if (!audit->entity || !audit->within == audit->stated->has_households) {
        covey_i_problem(&audit->of_original, "the description of the links does not name the columns of the units");
        audit->entity = audit->within = NULL;
    }
    return COVEY_OK;
}

covey_status covey_i_audit_links_open(covey_audit *audit, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    json_t *facts = NULL;
    json_error_t why;
    covey_status status = COVEY_OK;

    if (!audit->links)
        return COVEY_OK;
    if (!audit->stated->has_units) {
        covey_i_problem(&audit->of_original, "rows of the release have no units: links prove nothing of it");
        return COVEY_OK;
    }
    covey_i_text_add_format(&path, "%s.json", audit->links);
    if (path.broken)
        status = covey_i_no_memory(err);
    else if (!(facts = json_load_file(path.bytes, 0, &why)) || !json_is_object(facts))
        covey_i_problem(&audit->of_original,
                        "the description of the links, with .json behind their name, cannot be read");
    else
        status = read_facts(audit, facts, &path, err);
    json_decref(facts);
    covey_i_text_free(&path);
    return status;
}

/* --- units --- */

/* A number for each value, and for each row without one. */
static bool number_rows(struct proving *p, const covey_column *column, covey_unit_set *out)
{
    const uint32_t first = column->has_null ? 1 : 0;

    if (!(out->of_row = covey_arena_array(&p->arena, uint32_t, p->original->n_rows)))
        return false;
    out->n = column->n_values - first;
    for (uint32_t row = 0; row < p->original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(column, row);

        if (code < first && !p->audit->missing_is_own && !p->is_wrong) {
            covey_i_problem(p->problems, "a row of the original has no value of the entity");
            p->is_wrong = true;
        }
        out->of_row[row] = code < first ? out->n++ : code - first;
    }
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    if (x->person != y->person)
        return x->person < y->person ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int compare_units(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    return x->person < y->person ? -1 : x->person > y->person;
}

/* Puts the rows in the order of class, unit and person.  Persons are told apart by both columns. */
static covey_status make_units(struct proving *p, covey_error *err)
{
    const uint32_t n = p->original->n_rows;

    p->units = (covey_units){.entity = p->audit->entity, .within = p->audit->within};
    p->place = covey_arena_array(&p->arena, struct place, n);
    if (!p->place || !number_rows(p, p->original->more[0], &p->units.person) ||
        !number_rows(p, p->original->more[p->audit->within ? 1 : 0], &p->units.whole))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n; row++)
        p->place[row] = (struct place){p->class_of[row], p->units.whole.of_row[row], p->units.person.of_row[row], row};
    qsort(p->place, n, sizeof *p->place, compare_units);
    p->units.person.n = 0;
    for (uint32_t i = 0, whole = 0, person = 0; i < n; i++) {
        struct place *at = &p->place[i];

        if (i == 0 || at->whole != whole || at->person != person)
            p->units.person.n++;
        whole = at->whole;
        person = at->person;
        at->person = p->units.person.of_row[at->row] = p->units.person.n - 1;
    }
    qsort(p->place, n, sizeof *p->place, compare_places);
    return COVEY_OK;
}

/* All rows of a unit are in one class, or in none. */
static covey_status check_whole(struct proving *p, covey_error *err)
{
    uint32_t *class_of_unit = covey_arena_array(&p->arena, uint32_t, p->units.whole.n);
    int64_t n_split = 0;

    if (!class_of_unit)
        return covey_i_no_memory(err);
    memset(class_of_unit, 0xff, p->units.whole.n * sizeof *class_of_unit);
    for (uint32_t row = 0; row < p->original->n_rows; row++) {
        uint32_t *class = &class_of_unit[p->units.whole.of_row[row]];

        n_split += *class != UINT32_MAX && *class != p->class_of[row];
        *class = p->class_of[row];
    }
    if (n_split > 0)
        covey_i_problem(p->problems,
                        "units are not whole: %" PRId64
                        " time%s a row is in another class than the one before of its unit",
                        n_split, n_split == 1 ? "" : "s");
    return COVEY_OK;
}

/* --- rows --- */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Does each quasi-identifier of a row lie in its class's cell? */
static bool fits_class(const struct proving *p, const struct place *at)
{
    const covey_opened *o = p->audit->opened;

    for (size_t q = 0; q < o->n_quasi; q++) {
        const covey_opened_column *column = &o->column[o->quasi[q]];
        const covey_original_column *from = &p->original->column[o->quasi[q]];

        if (!covey_i_cover_holds(&from->cover[column->class_cell[at->class - 1]],
                                 covey_i_code_at(from->column, at->row)))
            return false;
    }
    return true;
}

/* The rows that the list puts into a class show what those of the class show. */
static void check_class_rows(struct proving *p, const covey_key_side *published, const covey_key_side *from,
                             uint64_t *a, uint64_t *b, const struct place *at, uint32_t n, uint32_t c)
{
    const covey_opened *o = p->audit->opened;
    const uint32_t begin = o->class_start[c], size = o->class_start[c + 1] - begin;
    uint32_t n_misfits = 0;

    if (n != size) {
        covey_i_problem(p->problems, "class %" PRIu32 " has %" PRIu32 " rows, but the links put %" PRIu32 " into it",
                        c + 1, size, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        a[i] = published->key[begin + i];
        b[i] = from->key[at[i].row];
        n_misfits += !fits_class(p, &at[i]);
    }
    qsort(a, n, sizeof *a, compare_keys);
    qsort(b, n, sizeof *b, compare_keys);
    if (n_misfits > 0 || memcmp(a, b, n * sizeof *a) != 0)
        covey_i_problem(p->problems,
                        "class %" PRIu32 ": the rows that the links put into it are not those that it shows", c + 1);
}

static covey_status make_keys(covey_key_side *published, covey_key_side *from, struct proving *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    uint32_t *column = covey_arena_array(&p->arena, uint32_t, o->n_columns);
    size_t n = 0;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role != COVEY_ROLE_QUASI)
            column[n++] = (uint32_t)i;
    return covey_i_content_keys(published, from, o, p->original, column, n, &p->arena, err);
}

static covey_status check_rows(struct proving *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    covey_key_side published, from;
    uint64_t *a = covey_arena_array(&p->arena, uint64_t, o->n_rows),
             *b = covey_arena_array(&p->arena, uint64_t, o->n_rows);
    uint32_t at = 0;

    if (!a || !b)
        return covey_i_no_memory(err);
    COVEY_TRY(make_keys(&published, &from, p, err));
    while (at < p->original->n_rows && p->place[at].class == 0)
        at++;
    for (uint32_t c = 0; c < o->n_classes; c++) {
        const uint32_t begin = at;

        while (at < p->original->n_rows && p->place[at].class == c + 1)
            at++;
        check_class_rows(p, &published, &from, a, b, p->place + begin, at - begin, c);
    }
    return COVEY_OK;
}

/* --- promises --- */

/* The sensitive column that a promise is about; NULL: it is not about one, or about all jointly. */
static const covey_opened_column *find_sensitive(const struct proving *p, const covey_stated_promise *stated,
                                                 size_t *index)
{
    const covey_opened *o = p->audit->opened;

    for (size_t i = 0; i < o->n_columns && !stated->joint; i++)
        if (o->column[i].stated->role == COVEY_ROLE_SENSITIVE &&
            (!stated->attribute || strcmp(stated->attribute, o->column[i].stated->name) == 0)) {
            *index = i;
            return &o->column[i];
        }
    return NULL;
}

static covey_status add_view(struct proving *p, covey_promise *promise, const covey_opened_column *column, size_t index,
                             covey_error *err)
{
    covey_view *view = &p->promises.view[p->promises.n_views];
    covey_histogram *prior = covey_arena_array_zero(&p->arena, covey_histogram, 1);

    if (!prior)
        return covey_i_no_memory(err);
    *view = (covey_view){.name = column->stated->name,
                         .column = p->original->column[index].column,
                         .tree = column->rebuilt ? column->rebuilt : column->tree,
                         .prior = prior};
    view->has_order = column->stated->n_order > 0 || covey_column_is_number(view->column);
    COVEY_TRY(covey_i_histogram_of(prior, view->column, &p->arena, err));
    promise->view = (int)p->promises.n_views++;
    return COVEY_OK;
}

static covey_status set_params(covey_promise *promise, const covey_stated_promise *stated, covey_arena *arena,
                               covey_error *err)
{
    const covey_model *model = promise->model;
    void *params = covey_arena_alloc_zero(arena, 1, model->params_size ? model->params_size : 1);

    if (!params)
        return covey_i_no_memory(err);
    promise->params = params;
    COVEY_TRY(covey_param_defaults(params, model->params, model->n_params, err));
    for (size_t i = 0; i < stated->n_params; i++)
        COVEY_TRY(covey_param_set(params, model->params, model->n_params, model->name, stated->param_name[i],
                                  stated->param_text[i], err));
    return COVEY_OK;
}

/* The promises over units, with the values of the original.  One on several attributes jointly cannot be proven. */
static covey_status bind_promises(bool *all, struct proving *p, covey_error *err)
{
    const covey_stated *stated = p->audit->stated;
    size_t failed;

    *all = true;
    p->promises.promise = covey_arena_array_zero(&p->arena, covey_promise, stated->n_promises);
    p->promises.view = covey_arena_array_zero(&p->arena, covey_view, stated->n_promises);
    if (!p->promises.promise || !p->promises.view)
        return covey_i_no_memory(err);
    p->promises.min_size = 1;
    for (size_t i = 0; i < stated->n_promises; i++) {
        covey_promise *promise = &p->promises.promise[p->promises.n];
        const covey_opened_column *column;
        size_t index = 0;

        *promise = (covey_promise){.model = covey_model_find(stated->promise[i].model),
                                   .units = stated->promise[i].units,
                                   .view = -1,
                                   .quasi = -1};
        if (!promise->model || promise->units == COVEY_UNITS_ROWS ||
            (!(promise->model->traits & COVEY_MODEL_SENSITIVE) && !promise->model->least_rows))
            continue;
        column = find_sensitive(p, &stated->promise[i], &index);
        if ((promise->model->traits & COVEY_MODEL_SENSITIVE) && !column) {
            *all = false;
            continue;
        }
        COVEY_TRY(set_params(promise, &stated->promise[i], &p->arena, err));
        if (promise->model->traits & COVEY_MODEL_SENSITIVE)
            COVEY_TRY(add_view(p, promise, column, index, err));
        p->promises.n++;
    }
    for (size_t i = 0; i < p->promises.n; i++)
        COVEY_TRY(covey_i_promise_prepare(&p->promises.promise[i], &p->promises, &p->arena, err));
    return covey_i_units_prepare(&failed, &p->promises, &p->units, p->original->n_rows, &p->arena, err);
}

static void compare_facts(struct proving *p, const covey_unit_facts *facts, uint32_t c)
{
    const covey_opened_units *stated = p->audit->opened->units;

    if (!stated)
        return;
    if (stated->n_units[c] != facts->n_units ||
        stated->n_persons[c] != (p->units.within ? facts->n_persons : facts->n_units))
        covey_i_problem(p->problems, "%s, class %" PRIu32 ": it has other numbers of units than are stated",
                        COVEY_UNITS_TABLE, c + 1);
    if (stated->largest[c] < facts->largest)
        covey_i_problem(p->problems, "%s, class %" PRIu32 ": one of its units has more rows than are stated",
                        COVEY_UNITS_TABLE, c + 1);
}

static covey_status judge_classes(struct proving *p, covey_error *err)
{
    const uint32_t n = p->original->n_rows;
    uint32_t *rows = covey_arena_array(&p->arena, uint32_t, n), at = 0;
    covey_unit_judge *judge;

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_judge_new(&judge, &p->promises, &p->units, &p->arena, err));
    while (at < n) {
        const uint32_t class = p->place[at].class;
        covey_unit_facts facts;
        uint32_t size = 0;
        int broken;

        for (; at < n && p->place[at].class == class; at++)
            rows[size++] = p->place[at].row;
        if (class == 0 && p->audit->stated->n_priors == 0) /* nothing tells of those in none */
            continue;
        COVEY_TRY(covey_i_unit_judge_class(&facts, &broken, judge, rows, size, err));
        if (class > 0)
            compare_facts(p, &facts, class - 1);
        if (broken >= 0 && class > 0)
            covey_i_problem(p->problems, "class %" PRIu32 " breaks %s over units", class,
                            p->promises.promise[broken].model->name);
        else if (broken >= 0)
            covey_i_problem(p->problems,
                            "the suppressed rows, of which the prior tells, break %s over units as one class",
                            p->promises.promise[broken].model->name);
    }
    return COVEY_OK;
}

/* What does not fit the original is the release's fault. */
static covey_status bind_or_complain(bool *all, struct proving *p, covey_error *err)
{
    covey_error why;
    const covey_status status = bind_promises(all, p, &why);

    if (status == COVEY_EINVAL) {
        covey_i_problem(p->problems, "the promises over units cannot be checked: %s", why.message);
        p->is_wrong = true;
        return COVEY_OK;
    }
    if (status != COVEY_OK && err)
        *err = why;
    return status;
}

static covey_status prove(struct proving *p, covey_error *err)
{
    bool all = false;

    COVEY_TRY(read_list(p, err));
    if (!p->is_wrong)
        COVEY_TRY(make_units(p, err));
    if (!p->is_wrong)
        COVEY_TRY(bind_or_complain(&all, p, err));
    if (p->is_wrong)
        return COVEY_OK;
    COVEY_TRY(check_whole(p, err));
    COVEY_TRY(check_rows(p, err));
    COVEY_TRY(judge_classes(p, err));
    if (all && p->problems->n_found == 0)
        p->audit->units_proven = 1;
    return COVEY_OK;
}

covey_status covey_i_audit_links(covey_audit *audit, const covey_original *original, covey_error *err)
{
    struct proving p = {
        .audit = audit, .original = original, .problems = &audit->of_original, .arena = COVEY_ARENA_INIT};
    covey_status status;

    status = prove(&p, err);
    covey_arena_free(&p.arena);
    return status;
}
