/* Which unit goes where?  What the sums leave open falls into parts that do not touch each other.  In each, units of
 * several rows are tried one by one, in the equation with the fewest of them first, and those of one row are dealt out
 * by a flow.  Equations that failed often come first, and after some failures the search begins anew with what it has
 * learned of them [BoussemartHemerySais04].  Steps are counted, not the time, so that the answer is always the same. */
#include <string.h>

#include "audit/whole/equations.h"
#include "base/error.h"
#include "base/run.h"

static const int64_t MOST_WORK = INT64_C(1) << 29; /* of all parts: some seconds */
enum { FIRST_FAILURES = 64 };

struct decision {
    size_t n_changes;
    uint32_t unknown, low, high; /* before */
};

struct search {
    covey_whole_question *q;
    covey_whole_equations e;
    uint32_t *root;            /* [n_equations] of its part, where parts are found */
    uint32_t *equation;        /* [n_equations] part by part */
    uint32_t *weight;          /* [n_equations] failures, and one */
    struct decision *decision; /* [n_unknowns] */
    uint32_t wrong;
    covey_arena arena;
};

/* --- parts --- */

static uint32_t find_root(uint32_t *root, uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

/* Equations that share an open unknown are in one part: sorts them by part, those without one left out. */
static uint32_t sort_into_parts(struct search *s, uint32_t *first)
{
    covey_whole_equations *e = &s->e;
    uint32_t *n_of = e->scratch, n = 0, n_parts = 0;

    for (uint32_t i = 0; i < e->n_equations; i++) {
        s->root[i] = i;
        n_of[i] = 0;
    }
    for (uint32_t x = 0; x < e->n_unknowns; x++)
        for (uint32_t i = e->first_term[x] + 1; covey_i_whole_is_open(e, x) && i < e->first_term[x + 1]; i++)
            s->root[find_root(s->root, e->term[i].other)] = find_root(s->root, e->term[e->first_term[x]].other);
    for (uint32_t i = 0; i < e->n_equations; i++)
        n_of[find_root(s->root, i)]++;
    for (uint32_t i = 0; i < e->n_equations; i++)
        if (s->root[i] == i && n_of[i] > 1) {
            first[n_parts++] = n;
            n += n_of[i];
            n_of[i] = n - n_of[i];
        } else if (s->root[i] == i) {
            n_of[i] = UINT32_MAX;
        }
    first[n_parts] = n;
    for (uint32_t i = 0; i < e->n_equations; i++) {
        const uint32_t root = find_root(s->root, i);

        if (n_of[root] != UINT32_MAX)
            s->equation[n_of[root]++] = i;
    }
    return n_parts;
}

/* --- a part --- */

/* The equation in which units of several rows have least choice; UINT32_MAX: none of these is open. */
static uint32_t find_branch(struct search *s, const uint32_t *equation, uint32_t n)
{
    const covey_whole_equations *e = &s->e;
    uint32_t best = UINT32_MAX;

    s->e.work -= n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = equation[i];

        if (e->n_hard[at] > 0 && (best == UINT32_MAX || (uint64_t)e->n_hard[at] * s->weight[best] <
                                                            (uint64_t)e->n_hard[best] * s->weight[at]))
            best = at;
    }
    return best;
}

/* What the other equations of an unknown could spare, at least one of them: a unit with no other class, rows that
 * nobody else has. */
static int64_t find_spare(const covey_whole_equations *e, uint32_t unknown, uint32_t equation)
{
    int64_t least = INT64_MAX;

    for (uint32_t i = e->first_term[unknown]; i < e->first_term[unknown + 1]; i++) {
        const uint32_t other = e->term[i].other;

        if (other != equation && e->most[other] - e->sum[other] < least)
            least = e->most[other] - e->sum[other];
    }
    return least;
}

static uint32_t find_unknown(struct search *s, uint32_t equation)
{
    const covey_whole_equations *e = &s->e;
    uint32_t best = UINT32_MAX, best_factor = 0;
    int64_t best_spare = 0;

    s->e.work -= e->first_use[equation + 1] - e->first_use[equation];
    for (uint32_t i = e->first_use[equation]; i < e->first_use[equation + 1]; i++) {
        const uint32_t x = e->use[i].other, factor = e->use[i].factor;
        int64_t spare;

        if (!e->is_hard[x] || !covey_i_whole_is_open(e, x))
            continue;
        spare = find_spare(e, x, equation);
        if (best == UINT32_MAX || spare < best_spare || (spare == best_spare && factor > best_factor)) {
            best = x;
            best_spare = spare;
            best_factor = factor;
        }
    }
    return best;
}

static bool narrow(struct search *s, uint32_t unknown, uint32_t low, uint32_t high)
{
    covey_i_whole_narrow(&s->e, unknown, low, high);
    s->wrong = covey_i_whole_propagate(&s->e);
    return s->wrong == UINT32_MAX;
}

/* One step ahead: fixes a unit, or deals out what is left. */
static covey_status go_on(bool *fits, bool *done, struct search *s, uint32_t *depth, const uint32_t *equation,
                          uint32_t n, covey_error *err)
{
    const uint32_t at = find_branch(s, equation, n);
    covey_arena_mark mark = covey_arena_save(&s->arena);
    covey_status status;
    uint32_t x;

    if (at == UINT32_MAX) {
        status = covey_i_whole_match(fits, &s->wrong, &s->e, equation, n, &s->arena, err);
        covey_arena_rewind(&s->arena, mark);
        *done = *fits;
        return status;
    }
    x = find_unknown(s, at);
    s->decision[(*depth)++] = (struct decision){s->e.n_changes, x, s->e.low[x], s->e.high[x]};
    *fits = narrow(s, x, s->e.high[x], s->e.high[x]);
    return COVEY_OK;
}

/* The last decision was wrong: so is the one before if its opposite is, too.  False: none is left. */
static bool turn_back(struct search *s, uint32_t *depth)
{
    bool fits = false;

    while (!fits && *depth > 0) {
        const struct decision *last = &s->decision[--*depth];

        s->weight[s->wrong]++;
        covey_i_whole_undo(&s->e, last->n_changes);
        fits = narrow(s, last->unknown, last->low, last->high - 1);
    }
    return fits;
}

static covey_status solve_part(covey_whole_answer *out, struct search *s, const uint32_t *equation, uint32_t n,
                               covey_error *err)
{
    const size_t before = s->e.n_changes;
    int64_t most = FIRST_FAILURES, n_failures = 0;
    uint32_t depth = 0;
    bool done = false, fits;

    while (!done && s->e.work > 0 && !s->e.is_short) {
        if (depth == 0)
            COVEY_TRY(covey_i_run_goes_on(s->q->proof->audit->run, "look for whole units", 0, 0, err));
        COVEY_TRY(go_on(&fits, &done, s, &depth, equation, n, err));
        if (fits)
            continue;
        if (!turn_back(s, &depth)) {
            *out = COVEY_WHOLE_NONE;
            return s->e.is_short ? covey_i_no_memory(err) : COVEY_OK;
        }
        if (++n_failures == most) {
            covey_i_whole_undo(&s->e, before);
            depth = 0;
            n_failures = 0;
            most += most / 2;
        }
    }
    *out = done ? COVEY_WHOLE_SOME : COVEY_WHOLE_UNDECIDED;
    return s->e.is_short ? covey_i_no_memory(err) : COVEY_OK;
}

/* --- all parts --- */

static bool is_all_fixed(const covey_whole_equations *e)
{
    for (uint32_t x = 0; x < e->n_unknowns; x++)
        if (covey_i_whole_is_open(e, x))
            return false;
    return true;
}

/* That one part has no way suffices; that one stays open does not keep others from having none. */
static covey_status solve_parts(covey_whole_answer *out, struct search *s, covey_error *err)
{
    const uint32_t n = s->e.n_equations;
    uint32_t *first = covey_arena_array(s->q->arena, uint32_t, (size_t)n + 1), n_parts;

    s->root = covey_arena_array(s->q->arena, uint32_t, n);
    s->equation = covey_arena_array(s->q->arena, uint32_t, n);
    s->weight = covey_arena_array(s->q->arena, uint32_t, n);
    s->decision = covey_arena_array(s->q->arena, struct decision, s->e.n_unknowns);
    if (!first || !s->root || !s->equation || !s->weight || !s->decision)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        s->weight[i] = 1;
    n_parts = sort_into_parts(s, first);
    *out = COVEY_WHOLE_SOME;
    for (uint32_t i = 0; i < n_parts && *out != COVEY_WHOLE_NONE; i++) {
        covey_whole_answer of_part;

        COVEY_TRY(solve_part(&of_part, s, s->equation + first[i], first[i + 1] - first[i], err));
        if (of_part != COVEY_WHOLE_SOME)
            *out = of_part;
    }
    return COVEY_OK;
}

static covey_status solve(covey_whole_answer *out, struct search *s, covey_error *err)
{
    *out = COVEY_WHOLE_UNDECIDED;
    s->e.work = MOST_WORK;
    COVEY_TRY(covey_i_whole_equations_make(&s->e, s->q, err));
    if (s->e.work <= 0)
        return COVEY_OK;
    s->wrong = covey_i_whole_propagate(&s->e);
    if (s->e.is_short)
        return covey_i_no_memory(err);
    if (s->wrong != UINT32_MAX)
        *out = COVEY_WHOLE_NONE;
    else if (is_all_fixed(&s->e))
        *out = COVEY_WHOLE_ONLY;
    else
        return solve_parts(out, s, err);
    return COVEY_OK;
}

/* Units of a type go to its classes one after another. */
static void deal_out(uint32_t *class_of_unit, const struct search *s)
{
    const covey_whole_question *q = s->q;
    uint32_t at = 0;

    for (uint32_t x = 0; x < s->e.n_unknowns; x++)
        for (uint32_t i = 0; i < s->e.low[x]; i++)
            class_of_unit[q->unit[at++]] = s->e.class_of[x];
}

covey_status covey_i_whole_search(covey_whole_answer *out, uint32_t *class_of_unit, covey_whole_question *q,
                                  covey_error *err)
{
    struct search s = {.q = q, .arena = COVEY_ARENA_INIT};
    const covey_status status = solve(out, &s, err);

    if (status == COVEY_OK && *out >= COVEY_WHOLE_SOME)
        deal_out(class_of_unit, &s);
    covey_i_whole_equations_clear(&s.e);
    covey_arena_free(&s.arena);
    return status;
}
