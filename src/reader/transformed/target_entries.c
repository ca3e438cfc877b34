/* The entries of a transformed release: which node of its target each line of sensitive.csv is. */
#include "reader/transformed/transformed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "reader/names.h"

enum { LOW, HIGH, LABEL, COUNT };
static const char FILE_NAME[] = "sensitive.csv";

/* Nodes by what their cells say; cells are numbers of texts. */
struct key {
    uint32_t target, low, high, label, line;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

struct matching {
    covey_names names; /* of target.csv's cells */
    struct key *key;   /* [n] sorted */
    uint32_t n;
    uint32_t *number[3]; /* cells of sensitive.csv; UINT32_MAX: target.csv has no such cell */
    int64_t *count;      /* cells of its last column; 0: it is none */
    covey_arena arena;
};

static covey_status number_cells(uint32_t **out, struct matching *m, const covey_column *text, bool adds,
                                 covey_error *err)
{
    if (!(*out = covey_arena_array(&m->arena, uint32_t, text->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < text->n_values; i++)
        if (adds)
            COVEY_TRY(covey_i_names_add(&(*out)[i], &m->names, covey_column_label(text, i), err));
        else
            (*out)[i] = covey_i_names_find(&m->names, covey_column_label(text, i));
    return COVEY_OK;
}

static covey_status list_nodes(struct matching *m, const covey_opened_transformed *t, covey_error *err)
{
    uint32_t *number[3];

    m->n = t->targets->n_rows;
    COVEY_TRY(covey_i_names_init(&m->names, m->n, &m->arena, err));
    for (size_t c = LOW; c <= LABEL; c++)
        COVEY_TRY(number_cells(&number[c], m, covey_i_opened_text(t->targets, c), true, err));
    if (!(m->key = covey_arena_array(&m->arena, struct key, m->n)))
        return covey_i_no_memory(err);
    for (uint32_t target = 0; target < t->targets->n_classes; target++)
        for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++) {
            m->key[i] = (struct key){.target = target, .line = i};
            m->key[i].low = number[LOW][covey_i_code_at(covey_i_opened_text(t->targets, LOW), i)];
            m->key[i].high = number[HIGH][covey_i_code_at(covey_i_opened_text(t->targets, HIGH), i)];
            m->key[i].label = number[LABEL][covey_i_code_at(covey_i_opened_text(t->targets, LABEL), i)];
        }
    qsort(m->key, m->n, sizeof *m->key, compare_keys);
    for (size_t c = LOW; c <= LABEL; c++)
        COVEY_TRY(number_cells(&m->number[c], m, covey_i_opened_text(t->entries, c), false, err));
    return COVEY_OK;
}

/* A count is written without sign and leading zeros, and is not 0. */
static int64_t read_count(const char *text)
{
    const size_t n = strlen(text);
    int64_t value = 0;

    if (n == 0 || n > 10 || text[0] == '0' || strspn(text, "0123456789") != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (text[i] - '0');
    return value;
}

static covey_status match(bool *usable, struct matching *m, covey_opened_transformed *t, covey_problems *problems,
                          covey_error *err)
{
    const covey_column *text[] = {covey_i_opened_text(t->entries, LOW), covey_i_opened_text(t->entries, HIGH),
                                  covey_i_opened_text(t->entries, LABEL), covey_i_opened_text(t->entries, COUNT)};

    COVEY_TRY(list_nodes(m, t, err));
    if (!(m->count = covey_arena_array(&m->arena, int64_t, text[COUNT]->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < text[COUNT]->n_values; i++)
        m->count[i] = read_count(covey_column_label(text[COUNT], i));
    for (uint32_t g = 0; g < t->entries->n_classes; g++)
        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++) {
            const struct key wanted = {t->target_of_group[g], m->number[LOW][covey_i_code_at(text[LOW], e)],
                                       m->number[HIGH][covey_i_code_at(text[HIGH], e)],
                                       m->number[LABEL][covey_i_code_at(text[LABEL], e)], 0};
            const struct key *found = bsearch(&wanted, m->key, m->n, sizeof *m->key, compare_keys);

            t->count[e] = m->count[covey_i_code_at(text[COUNT], e)];
            t->line_of_entry[e] = found ? found->line : 0;
            if (found && t->count[e] > 0)
                continue;
            covey_i_problem(problems, "%s:%" PRIu32 ": %s", FILE_NAME, e + 2,
                            found ? "the count is not a whole number from 1"
                                  : "the interval is not a node of its group's target");
            *usable = false;
        }
    return COVEY_OK;
}

/* Every row has a value; there may be more. */
static void compare_counts(bool *usable, const covey_opened_transformed *t, covey_problems *problems)
{
    for (uint32_t g = 0; g < t->entries->n_classes; g++) {
        const uint32_t n_rows = t->rows->class_start[g + 1] - t->rows->class_start[g];
        int64_t n = 0;

        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
            n += t->count[e];
        if (n >= n_rows)
            continue;
        covey_i_problem(problems,
                        "group %" PRIu32 " has %" PRIu32 " row%s in quasi.csv, but only %" PRId64 " value%s in %s",
                        g + 1, n_rows, covey_i_plural(n_rows), n, covey_i_plural(n), FILE_NAME);
        *usable = false;
    }
}

covey_status covey_i_target_entries_read(bool *usable, covey_opened_transformed *t, covey_opened *o,
                                         covey_problems *problems, covey_error *err)
{
    struct matching m = {.n = 0};
    covey_status status;

    *usable = true;
    t->line_of_entry = covey_arena_array(&o->arena, uint32_t, t->entries->n_rows);
    t->count = covey_arena_array(&o->arena, int64_t, t->entries->n_rows);
    if (!t->line_of_entry || !t->count)
        return covey_i_no_memory(err);
    if ((status = match(usable, &m, t, problems, err)) == COVEY_OK && *usable)
        compare_counts(usable, t, problems);
    covey_arena_free(&m.arena);
    return status;
}
