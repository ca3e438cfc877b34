/* The text of a ledger with one release more: the units of the ledger and those of the release, in the order of their
 * bytes. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort/compare.h"
#include "job/ledger.h"
#include "policy/entity.h"
#include "reader/names.h"

struct composing {
    covey_text *out;
    const covey_ledger *before;
    const covey_release *release;
    const char *entity;            /* what the ledger calls the column of units: its name, or its place */
    const covey_column *unit;      /* of the table */
    const covey_column *sensitive; /* as it is published */
    uint32_t *class_of_code;       /* [unit->n_values] from 1; 0: in none */
    uint32_t *row_of_code;         /* [unit->n_values] of those that are in one */
    uint32_t *signature_of_class;  /* [classes] number among all; UINT32_MAX: not asked for yet */
    covey_names signatures;        /* those of before, then the new ones */
    covey_arena arena;
};

/* --- signatures --- */

/* The values of a class as JSON, in the order of their bytes. */
static covey_status signature_text(char **out, struct composing *c, uint32_t class, covey_error *err)
{
    const covey_release *release = c->release;
    const uint32_t begin = release->class_start[class], n = release->class_start[class + 1] - begin;
    const covey_arena_mark mark = covey_arena_save(&c->arena);
    const char **value = covey_arena_array(&c->arena, const char *, n);
    json_t *list = json_array();
    char *text = NULL;

    for (uint32_t i = 0; value && i < n; i++)
        value[i] = covey_column_label(c->sensitive, covey_i_code(c->sensitive, release->row_order[begin + i]));
    if (value)
        qsort(value, n, sizeof *value, covey_i_compare_strings);
    for (uint32_t i = 0; value && i < n; i++)
        if (json_array_append_new(list, json_string(value[i])) != 0)
            value = NULL;
    covey_arena_rewind(&c->arena, mark);
    if (value)
        text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    *out = text ? covey_arena_strdup(&c->arena, text) : NULL;
    free(text);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}

/* The classes of new units have signatures that the ledger may not have. */
static covey_status find_signature(struct composing *c, uint32_t class, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&c->arena);
    uint32_t *number = &c->signature_of_class[class];
    char *text;

    if (*number != UINT32_MAX)
        return COVEY_OK;
    COVEY_TRY(signature_text(&text, c, class, err));
    if ((*number = covey_i_names_find(&c->signatures, text)) != UINT32_MAX) {
        covey_arena_rewind(&c->arena, mark);
        return COVEY_OK;
    }
    return covey_i_names_add(number, &c->signatures, text, err);
}

/* --- lines --- */

static void add_cell(covey_text *out, const char *text)
{
    covey_i_csv_add_cell(out, text, strlen(text), ',');
}

static void add_commas(covey_text *out, size_t n)
{
    while (n-- > 0)
        covey_i_text_add_char(out, ',');
}

static void add_number(covey_text *out, uint32_t number)
{
    char digits[16];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    covey_i_text_add(out, digits + at, sizeof digits - at);
}

static size_t n_before(const struct composing *c)
{
    return c->before ? c->before->n_releases : 0;
}

static void add_header(size_t *manifest_at, struct composing *c)
{
    static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
    covey_text name = COVEY_TEXT_INIT;

    covey_i_text_add_format(&name, COVEY_LEDGER_ENTITY "%s", c->entity);
    add_cell(c->out, name.broken ? "" : name.bytes);
    c->out->broken |= name.broken;
    covey_i_text_clear(&name);
    covey_i_text_add_format(&name, COVEY_LEDGER_SENSITIVE "%s", c->sensitive->name);
    covey_i_text_add_char(c->out, ',');
    add_cell(c->out, name.broken ? "" : name.bytes);
    c->out->broken |= name.broken;
    covey_i_text_free(&name);
    covey_i_text_add_string(c->out, "," COVEY_LEDGER_SIGNATURE);
    for (size_t r = 0; r < n_before(c); r++)
        covey_i_text_add_format(c->out, "," COVEY_LEDGER_RELEASE "%s", c->before->manifest[r]);
    covey_i_text_add_string(c->out, "," COVEY_LEDGER_RELEASE);
    *manifest_at = c->out->size;
    covey_i_text_add_format(c->out, "%s," COVEY_LEDGER_SEAL "%s\n", zeros, zeros);
}

static void add_signatures(struct composing *c)
{
    for (uint32_t i = 0; i < c->signatures.n; i++) {
        covey_i_text_add_char(c->out, ',');
        add_cell(c->out, c->signatures.text[i]);
        covey_i_text_add_char(c->out, ',');
        add_number(c->out, i + 1);
        add_commas(c->out, n_before(c) + 2);
        covey_i_text_add_char(c->out, '\n');
    }
}

/* u: in the ledger, UINT32_MAX: not yet; v: in the table, UINT32_MAX: not any more. */
static void add_unit(struct composing *c, uint32_t u, uint32_t v)
{
    const bool is_new = u == UINT32_MAX;
    const uint32_t class = v == UINT32_MAX ? 0 : c->class_of_code[v];
    covey_text *out = c->out;

    if (is_new && class == 0)
        return; /* suppressed: nothing of it was released */
    add_cell(out, is_new ? covey_column_label(c->unit, v) : covey_i_ledger_unit(c->before, u));
    covey_i_text_add_char(out, ',');
    add_cell(out, is_new ? covey_column_label(c->sensitive, covey_i_code(c->sensitive, c->row_of_code[v]))
                         : covey_i_ledger_value(c->before, u));
    covey_i_text_add_char(out, ',');
    add_number(out, (is_new ? c->signature_of_class[class - 1] : c->before->signature_of[u]) + 1);
    for (size_t r = 0; r < n_before(c); r++) {
        covey_i_text_add_char(out, ',');
        if (!is_new && c->before->class_of[r][u] > 0)
            add_number(out, c->before->class_of[r][u]);
    }
    covey_i_text_add_char(out, ',');
    if (class > 0)
        add_number(out, class);
    covey_i_text_add_string(out, ",\n");
}

/* Calls add for every unit, or finds the signatures of the new ones. */
static covey_status walk_units(struct composing *c, bool adds, covey_error *err)
{
    const uint32_t n_old = c->before ? c->before->n_units : 0;

    for (uint32_t u = 0, v = 0; u < n_old || v < c->unit->n_values;) {
        const int order = u == n_old ? 1
                          : v == c->unit->n_values
                              ? -1
                              : strcmp(covey_i_ledger_unit(c->before, u), covey_column_label(c->unit, v));

        if (adds)
            add_unit(c, order <= 0 ? u : UINT32_MAX, order >= 0 ? v : UINT32_MAX);
        else if (order > 0 && c->class_of_code[v] > 0)
            COVEY_TRY(find_signature(c, c->class_of_code[v] - 1, err));
        u += order <= 0;
        v += order >= 0;
    }
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status find_places(struct composing *c, const covey_prepared *prepared, covey_error *err)
{
    const covey_release *release = c->release;
    const size_t n = c->unit->n_values;

    c->class_of_code = covey_arena_array_zero(&c->arena, uint32_t, n);
    c->row_of_code = covey_arena_array_zero(&c->arena, uint32_t, n);
    c->signature_of_class = covey_arena_array(&c->arena, uint32_t, release->n_classes);
    if (!c->class_of_code || !c->row_of_code || !c->signature_of_class)
        return covey_i_no_memory(err);
    memset(c->signature_of_class, 0xff, release->n_classes * sizeof *c->signature_of_class);
    for (uint32_t k = 0; k < release->n_classes; k++)
        for (uint32_t i = release->class_start[k]; i < release->class_start[k + 1]; i++) {
            const uint32_t row = release->row_order[i];
            uint32_t code;

            if (row >= prepared->problem.n_rows)
                continue; /* made up */
            code = covey_i_code(c->unit, row);
            c->class_of_code[code] = k + 1;
            c->row_of_code[code] = row;
        }
    COVEY_TRY(covey_i_names_init(&c->signatures, 64, &c->arena, err));
    for (uint32_t i = 0, at; c->before && i < c->before->n_signatures; i++)
        COVEY_TRY(covey_i_names_add(&at, &c->signatures, c->before->signature[i], err));
    return COVEY_OK;
}

static const covey_column *sensitive_of(const covey_problem *problem)
{
    size_t f = 0;

    while (problem->field[f].role != COVEY_ROLE_SENSITIVE)
        f++;
    return problem->field[f].column;
}

covey_status covey_i_job_ledger_compose(covey_job_ledger *ledger, const covey_release *release,
                                        const covey_problem *problem, const covey_prepared *prepared,
                                        const covey_policy *policy, covey_error *err)
{
    const char *entity = covey_i_policy_entity(policy)->name;
    char digits[12];
    struct composing c = {.out = &ledger->text, .before = ledger->before, .release = release};
    covey_status status;

    c.sensitive = sensitive_of(problem);
    c.entity = c.before ? c.before->entity : covey_policy_unpublished(digits, policy, entity);
    for (size_t i = 0; i < prepared->n_columns; i++)
        if (strcmp(prepared->column[i]->name, entity) == 0)
            c.unit = prepared->column[i];
    if ((status = find_places(&c, prepared, err)) == COVEY_OK && (status = walk_units(&c, false, err)) == COVEY_OK) {
        add_header(&ledger->manifest_at, &c);
        add_signatures(&c);
        status = walk_units(&c, true, err);
    }
    covey_arena_free(&c.arena);
    return status == COVEY_OK && ledger->text.broken ? covey_i_no_memory(err) : status;
}
