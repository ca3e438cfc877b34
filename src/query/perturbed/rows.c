/* Which rows of a perturbed release a condition selects, counted by what they show. */
#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "query/perturbed/perturbed.h"

enum { MOST_TESTS = 32, WORDS_PER_STEP = 512 };
static const uint64_t MOST_COUNTS = UINT64_C(1) << 24;

/* --- by the index --- */

struct conjunction {
    const covey_query_perturbed *p;
    const covey_condition *condition;
    size_t n;
    covey_bit_test test[MOST_TESTS];
    uint64_t atoms; /* of the sensitive column */
    covey_arena *arena;
    bool fits;
};

/* The cells that pass a test, as runs of places. */
static void add_runs(covey_bit_test *test, const covey_condition_attribute *a, int part)
{
    const covey_bit_column *column = test->column;
    bool before = false;

    for (uint32_t place = 0; place < column->n; place++) {
        uint32_t cell = column->place[place];
        bool passes = a->passes[a->share[a->start[cell]].atom] >> part & 1;

        if (passes && !before)
            test->run[test->n_runs++].first = place;
        if (passes)
            test->run[test->n_runs - 1].last = place;
        before = passes;
    }
}

static covey_status collect_tests(struct conjunction *c, const covey_condition_node *node, covey_error *err)
{
    const covey_condition_attribute *a = node->part >= 0 ? &c->condition->attribute[node->attribute] : NULL;
    covey_bit_test *test = &c->test[c->n];

    if (!a) {
        c->fits &= node->kind == COVEY_NODE_AND;
        for (const covey_condition_node *child = node->child; child && c->fits; child = child->next)
            COVEY_TRY(collect_tests(c, child, err));
        return COVEY_OK;
    }
    if (a->index == c->p->sensitive) {
        for (uint32_t t = 0; t < a->n_atoms; t++)
            if (!(a->passes[t] >> node->part & 1))
                c->atoms &= ~(UINT64_C(1) << t);
        return COVEY_OK;
    }
    *test = (covey_bit_test){.column = &c->p->index.column[a->index]};
    if (test->column->n == 0 || c->n == MOST_TESTS) {
        c->fits = false;
        return COVEY_OK;
    }
    if (!(test->run = covey_arena_array(c->arena, covey_bit_run, test->column->n / 2 + 1)))
        return covey_i_no_memory(err);
    add_runs(test, a, node->part);
    c->n++;
    return COVEY_OK;
}

static void count_shown(int64_t *count, const covey_column *text, const uint32_t *weight, const uint64_t *bits,
                        uint32_t first, uint32_t n)
{
    COVEY_CODES_TYPED(text->width, {
        const covey_code *code = text->codes;

        for (uint32_t w = 0; w < n; w++)
            for (uint64_t left = bits[w]; left; left &= left - 1) {
                const size_t row = (size_t)(first + w) * 64 + (uint32_t)__builtin_ctzll(left);

                count[code[row]] += weight ? weight[row] : 1;
            }
    });
}

static covey_status count_by_index(covey_perturbed_kind *kind, const struct conjunction *c, const covey_column *text,
                                   covey_error *err)
{
    const covey_query_perturbed *p = c->p;
    int64_t *count = covey_arena_array_zero(c->arena, int64_t, text->n_values);
    uint64_t bits[WORDS_PER_STEP];

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t first = 0; first < p->index.n_words; first += WORDS_PER_STEP) {
        uint32_t n = p->index.n_words - first < WORDS_PER_STEP ? p->index.n_words - first : WORDS_PER_STEP;

        covey_i_bit_all(bits, &p->index, first, n);
        for (size_t t = 0; t < c->n; t++)
            covey_i_bit_keep(bits, &c->test[t], first, n);
        count_shown(count, text, p->rows.weight, bits, first, n);
    }
    for (uint32_t code = 0; code < text->n_values; code++) {
        kind->shown[p->value_of_code[code]] += count[code];
        kind->n += count[code];
    }
    return COVEY_OK;
}

/* --- row by row --- */

/* Numbers the sets of atoms that rows accept, from 1; in place of the set the scan's table gets its number. */
static covey_status number_kinds(covey_perturbed_rows *out, const covey_row_scan *scan, uint64_t *number,
                                 uint32_t n_values, covey_error *err)
{
    for (uint32_t k = 0; k < scan->n_kinds; k++) {
        uint32_t i = 0;

        number[k] = 0;
        if (!scan->accepts[k])
            continue;
        while (i < out->n && out->kind[i].atoms != scan->accepts[k])
            i++;
        if (i == out->n) {
            if ((uint64_t)(i + 1) * n_values > MOST_COUNTS || i >= 1 << 12)
                return covey_fail(
                    err, COVEY_EINVAL,
                    "query: the condition links the sensitive column with others in too many ways; ask a simpler one");
            out->kind[out->n++].atoms = scan->accepts[k];
        }
        number[k] = i + 1;
    }
    return COVEY_OK;
}

static void count_by_row(covey_perturbed_rows *out, const covey_query_perturbed *p, const covey_row_scan *scan,
                         const covey_column *text, const covey_query_rows *rows)
{
    uint64_t number[COVEY_SCAN_BLOCK];

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(number, scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            covey_perturbed_kind *kind = &out->kind[number[i] - 1];
            const uint32_t row = rows->row ? rows->row[at + i] : at + i,
                           n_rows = p->rows.weight ? p->rows.weight[row] : 1;

            if (number[i] == 0)
                continue;
            kind->n += n_rows;
            kind->shown[p->value_of_code[covey_i_code_at(text, row)]] += n_rows;
        }
    }
}

static covey_status make_room(covey_perturbed_rows *out, const covey_query_perturbed *p, covey_arena *arena,
                              covey_error *err)
{
    for (uint32_t i = 0; i < out->n; i++)
        if (!(out->kind[i].shown = covey_arena_array_zero(arena, int64_t, p->n_values)))
            return covey_i_no_memory(err);
    return COVEY_OK;
}

covey_status covey_i_perturbed_rows(covey_perturbed_rows *out, const covey_query_perturbed *p,
                                    const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                    covey_error *err)
{
    const covey_condition *condition = scan->condition;
    struct conjunction c = {.p = p, .condition = condition, .arena = arena, .fits = !rows->row};
    const covey_column *text = p->text;
    covey_row_scan numbered = *scan;

    if (!(out->kind = covey_arena_array_zero(arena, covey_perturbed_kind, scan->n_kinds)))
        return covey_i_no_memory(err);
    c.atoms = scan->sensitive < 0 ? 1
              : condition->attribute[scan->sensitive].n_atoms == 64
                  ? UINT64_MAX
                  : (UINT64_C(1) << condition->attribute[scan->sensitive].n_atoms) - 1;
    if (c.fits && condition->root)
        COVEY_TRY(collect_tests(&c, condition->root, err));
    if (c.fits) {
        out->n = 1;
        out->kind[0].atoms = c.atoms;
        COVEY_TRY(make_room(out, p, arena, err));
        return count_by_index(&out->kind[0], &c, text, err);
    }
    if (!(numbered.accepts = covey_arena_array(arena, uint64_t, scan->n_kinds)))
        return covey_i_no_memory(err);
    COVEY_TRY(number_kinds(out, scan, numbered.accepts, p->n_values, err));
    COVEY_TRY(make_room(out, p, arena, err));
    count_by_row(out, p, &numbered, text, rows);
    return COVEY_OK;
}
