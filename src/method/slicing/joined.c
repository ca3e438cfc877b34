/* The sensitive attribute in several columns: both copies belong to one person, so that pieces of these columns join
 * only where the sensitive value agrees, too.  In a bucket, of the rows that look like some pieces u of them, expected
 * are
 *
 *     F(u, s) = product over these columns of n(u, s) / product over the tree's edges among them of n(shared, s)
 *
 * with value s; the other columns multiply all of a signature's F alike.  What follows from a
 * signature is a mean over the buckets that match it, so that nothing does with more than 1/l where no F exceeds its
 * share of a bucket's sum (fact 2): that is the test. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/exact/sum.h"
#include "base/sort/sort.h"
#include "method/slicing/slicing.h"
#include "table/table_impl.h"

enum { MOST_STEPS = 1 << 26 }; /* pieces with a value that one test looks at: a second, about */

/* How often the bucket holds numbers with values, ascending: number << 32 | value. */
struct held {
    uint32_t n, *count; /* [n] */
    uint64_t *word;     /* [rows of the table] */
};

/* A column, from the last one outwards; numbers are those of what stands beside the sensitive attribute. */
struct column {
    size_t slice;
    size_t parent;             /* column; of the first: itself */
    uint32_t *set, *shared;    /* [rows of the table] number of its values; of those that its parent has, too */
    uint32_t *own, *of_parent; /* [sets here], [sets of the parent]: number of shared values */
    uint32_t n_sets, n_shared;
    struct held held, held_shared;
};

struct covey_slicing_joined {
    const covey_slicing *s;
    covey_ratio l; /* of the test that runs */
    long double
        *least; /* NULL, or where to put the least sum of a signature's F by the largest of them, instead of a test */
    size_t n;
    struct column *column; /* [n] */
    uint32_t *set;         /* [n] of the walk */
    uint64_t *scratch;     /* [rows] */
    uint32_t steps;
    covey_slicing_joined_verdict *verdict; /* of the test that runs */
};

/* --- columns --- */

/* Numbers rows by a slice's values beside the sensitive one; only: by those that stand in this slice, too. */
static covey_status number_rows(uint32_t **number, uint32_t *n, const covey_slicing *s, const covey_slice *slice,
                                const covey_slice *only, covey_error *err)
{
    if (!(*number = covey_arena_array_zero(s->arena, uint32_t, s->problem->n_rows)))
        return covey_i_no_memory(err);
    *n = 1;
    for (size_t f = 0; f + 1 < slice->n_fields; f++)
        if (!only || covey_i_slicing_has(only, slice->field[f]))
            COVEY_TRY(covey_i_slicing_refine(*number, n, s->problem->field[slice->field[f]].column, s, err));
    return COVEY_OK;
}

static covey_status new_held(struct held *held, const covey_slicing *s, covey_error *err)
{
    *held = (struct held){0, covey_arena_array(s->arena, uint32_t, s->n), covey_arena_array(s->arena, uint64_t, s->n)};
    return held->count && held->word ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status add_column(covey_slicing_joined *j, size_t slice, size_t parent, covey_error *err)
{
    const covey_slicing *s = j->s;
    struct column *c = &j->column[j->n], *p = &j->column[parent];

    *c = (struct column){.slice = slice, .parent = parent};
    COVEY_TRY(number_rows(&c->set, &c->n_sets, s, &s->slice[slice], NULL, err));
    COVEY_TRY(new_held(&c->held, s, err));
    if (j->n++ == 0)
        return COVEY_OK;
    COVEY_TRY(number_rows(&c->shared, &c->n_shared, s, &s->slice[slice], &s->slice[p->slice], err));
    COVEY_TRY(new_held(&c->held_shared, s, err));
    c->own = covey_arena_array(s->arena, uint32_t, c->n_sets);
    c->of_parent = covey_arena_array(s->arena, uint32_t, p->n_sets);
    if (!c->own || !c->of_parent)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i];

        c->own[c->set[row]] = c->shared[row];
        c->of_parent[p->set[row]] = c->shared[row];
    }
    return COVEY_OK;
}

/* Prim's tree of most shared attributes among the columns that hold the sensitive one: a part of that of all columns,
 * where they hang together. */
covey_status covey_i_slicing_joined_new(covey_slicing_joined **out, const covey_slicing *s, covey_error *err)
{
    covey_slicing_joined *j = covey_arena_array_zero(s->arena, covey_slicing_joined, 1);
    bool *done = covey_arena_array_zero(s->arena, bool, s->n_slices);

    if (!j || !done)
        return covey_i_no_memory(err);
    *j = (covey_slicing_joined){.s = s,
                                .l = s->l,
                                .column = covey_arena_array_zero(s->arena, struct column, s->n_holding),
                                .set = covey_arena_array(s->arena, uint32_t, s->n_holding),
                                .scratch = covey_arena_array(s->arena, uint64_t, s->n)};
    if (!j->column || !j->set || !j->scratch)
        return covey_i_no_memory(err);
    COVEY_TRY(add_column(j, s->n_slices - 1, 0, err));
    done[s->n_slices - 1] = true;
    while (j->n < s->n_holding) {
        size_t best = 0, parent = 0, most = 0;

        for (size_t i = 0; i < s->n_slices; i++)
            for (size_t k = 0; k < j->n && !done[i] && covey_i_slicing_has(&s->slice[i], s->sensitive); k++) {
                const size_t n = covey_i_slicing_shared(
                    &s->slice[i], &s->slice[j->column[k].slice]); /* the sensitive attribute at least */

                if (n > most) {
                    best = i;
                    parent = k;
                    most = n;
                }
            }
        done[best] = true;
        COVEY_TRY(add_column(j, best, parent, err));
    }
    *out = j;
    return COVEY_OK;
}

/* --- a bucket --- */

static void hold(struct held *held, covey_slicing_joined *j, const uint32_t *number, const uint32_t *row, uint32_t n)
{
    const covey_column *sensitive = j->s->problem->field[j->s->sensitive].column;

    for (uint32_t i = 0; i < n; i++)
        held->word[i] = (uint64_t)number[row[i]] << 32 | covey_i_code(sensitive, row[i]);
    covey_i_sort_u64(held->word, j->scratch, n, 64);
    held->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (held->n > 0 && held->word[held->n - 1] == held->word[i]) {
            held->count[held->n - 1]++;
            continue;
        }
        held->word[held->n] = held->word[i];
        held->count[held->n++] = 1;
    }
}

static uint32_t count_in(const struct held *held, uint32_t number, uint32_t value)
{
    const uint64_t word = (uint64_t)number << 32 | value;
    uint32_t low = 0, high = held->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (held->word[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < held->n && held->word[low] == word ? held->count[low] : 0;
}

/* Values that the pieces so far leave, with the factors of F. */
struct values {
    uint32_t n, *value, *num, *den; /* [n], [n * columns] */
};

static covey_status new_values(struct values *v, const covey_slicing_joined *j, uint32_t most, covey_error *err)
{
    covey_arena *arena = j->s->arena;

    *v = (struct values){.value = covey_arena_array(arena, uint32_t, most),
                         .num = covey_arena_array(arena, uint32_t, most * j->n),
                         .den = covey_arena_array(arena, uint32_t, most * j->n)};
    return v->value && v->num && v->den ? COVEY_OK : covey_i_no_memory(err);
}

/* As near as numbers come; what is made of it is tested exactly. */
static void measure(covey_slicing_joined *j, const struct values *v)
{
    long double sum = 0, most = 0;

    for (uint32_t i = 0; i < v->n; i++) {
        long double f = 1;

        for (size_t k = 0; k < j->n; k++)
            f *= (long double)v->num[i * j->n + k] / v->den[i * j->n + k];
        sum += f;
        most = f > most ? f : most;
    }
    *j->least = sum / most < *j->least ? sum / most : *j->least;
}

static covey_status judge(covey_slicing_joined *j, const struct values *v, covey_error *err)
{
    const covey_ratio l = j->l;
    covey_i128 *excess = covey_arena_array(j->s->arena, covey_i128, v->n);
    const covey_exact_sum sum = {v->n, j->n, excess, v->num, v->den};

    if (!excess)
        return covey_i_no_memory(err);
    for (uint32_t k = 0; k < v->n && j->verdict->holds; k++) { /* l F(k) - sum of F */
        int sign;

        for (uint32_t i = 0; i < v->n; i++)
            excess[i] = (i == k ? (covey_i128)l.num : 0) - l.den;
        COVEY_TRY(covey_i_exact_sum_sign(&sign, &sum, j->s->arena, err));
        j->verdict->holds = sign <= 0;
    }
    j->verdict->n_values = v->n;
    return COVEY_OK;
}

/* A set of column k: keeps the values that it has, too. */
static void keep_values(struct values *to, covey_slicing_joined *j, size_t k, const struct values *from)
{
    struct column *c = &j->column[k];

    for (uint32_t i = 0; i < from->n; i++) {
        const uint32_t n = count_in(&c->held, j->set[k], from->value[i]);
        uint32_t *num = to->num + to->n * j->n, *den = to->den + to->n * j->n;

        j->steps++;
        if (n == 0)
            continue;
        memcpy(num, from->num + i * j->n, j->n * sizeof *num);
        memcpy(den, from->den + i * j->n, j->n * sizeof *den);
        num[k] = n;
        den[k] = count_in(&c->held_shared, c->own[j->set[k]], from->value[i]);
        to->value[to->n++] = from->value[i];
    }
}

static void start_values(struct values *to, covey_slicing_joined *j, uint32_t begin, uint32_t end)
{
    const struct held *held = &j->column[0].held;

    for (uint32_t i = begin; i < end; i++, to->n++) {
        for (size_t k = 0; k < j->n; k++)
            to->num[to->n * j->n + k] = to->den[to->n * j->n + k] = 1;
        to->num[to->n * j->n] = held->count[i];
        to->value[to->n] = (uint32_t)held->word[i];
        j->steps++;
    }
}

static covey_status put_together(covey_slicing_joined *j, size_t k, const struct values *from, covey_error *err)
{
    const struct column *c = &j->column[k];

    if (k == j->n && j->least) {
        measure(j, from);
        return COVEY_OK;
    }
    if (k == j->n)
        return judge(j, from, err);
    for (uint32_t i = 0, end; i < c->held.n && j->verdict->holds; i = end) {
        const covey_arena_mark mark = covey_arena_save(j->s->arena);
        struct values v;

        j->set[k] = (uint32_t)(c->held.word[i] >> 32);
        for (end = i + 1; end < c->held.n && c->held.word[end] >> 32 == j->set[k];)
            end++;
        if (k > 0 && c->own[j->set[k]] != c->of_parent[j->set[c->parent]]) {
            j->steps++;
            continue; /* copies of an attribute differ */
        }
        if (j->steps > MOST_STEPS) {
            j->verdict->is_long = true;
            j->verdict->holds = false;
            return COVEY_OK;
        }
        COVEY_TRY(new_values(&v, j, k == 0 ? end - i : from->n, err));
        if (k == 0)
            start_values(&v, j, i, end);
        else
            keep_values(&v, j, k, from);
        if (v.n > 0)
            COVEY_TRY(put_together(j, k + 1, &v, err));
        covey_arena_rewind(j->s->arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_slicing_joined_holds(covey_slicing_joined_verdict *out, covey_slicing_joined *j,
                                          const uint32_t *row, uint32_t n, covey_error *err)
{
    *out = (covey_slicing_joined_verdict){.holds = true};
    if (j->l.num == j->l.den) /* nothing is promised */
        return COVEY_OK;
    for (size_t k = 0; k < j->n; k++) {
        hold(&j->column[k].held, j, j->column[k].set, row, n);
        if (k > 0)
            hold(&j->column[k].held_shared, j, j->column[k].shared, row, n);
    }
    j->steps = 0;
    j->verdict = out;
    return put_together(j, 0, NULL, err);
}

/* --- what l could be --- */

enum { MOST_DENOMINATOR = 1000000 };

/* The fraction of smallest numbers that is as good as x, which is at least 1: the first of its continued fraction. */
static covey_ratio simplest(long double x)
{
    covey_ratio before = {1, 0}, now = {(int64_t)x, 1};
    long double rest = x - (long double)now.num;

    while (fabsl((long double)now.num / (long double)now.den - x) > 1e-12L * x) {
        const int64_t term = (int64_t)(1 / rest);
        const covey_ratio next = {term * now.num + before.num, term * now.den + before.den};

        if (next.den > MOST_DENOMINATOR)
            break;
        rest = 1 / rest - (long double)term;
        before = now;
        now = next;
    }
    return now;
}

/* Takes l, which is greater than 1, if it holds. */
static covey_status try_l(bool *holds, covey_ratio l, covey_slicing_joined *j, const uint32_t *row, uint32_t n,
                          covey_error *err)
{
    const covey_ratio own = j->l;
    covey_slicing_joined_verdict verdict;
    covey_status status;

    j->l = l;
    status = covey_i_slicing_joined_holds(&verdict, j, row, n, err);
    j->l = own;
    *holds = status == COVEY_OK && verdict.holds;
    return status;
}

covey_status covey_i_slicing_joined_largest(covey_ratio *out, covey_slicing_joined *j, const uint32_t *row, uint32_t n,
                                            covey_error *err)
{
    long double least = INFINITY;
    covey_slicing_joined_verdict verdict;
    covey_status status;
    covey_ratio l;
    bool holds;

    j->least = &least;
    status = covey_i_slicing_joined_holds(&verdict, j, row, n, err);
    j->least = NULL;
    *out = (covey_ratio){verdict.is_long ? 0 : 1, 1};
    if (status != COVEY_OK || verdict.is_long || !(least > 1))
        return status;
    l = simplest(least);
    for (int64_t steps = (int64_t)(least * 10000); l.num > l.den; l = (covey_ratio){steps--, 10000}) {
        COVEY_TRY(try_l(&holds, l, j, row, n, err));
        if (holds) {
            *out = l;
            return COVEY_OK;
        }
    }
    return COVEY_OK;
}
