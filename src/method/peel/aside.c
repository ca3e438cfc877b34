/* Where the prior caps counts, a class with one row of a rare value must have many rows: a value of one row in 100,000
 * asks for 20,000 under beta = 4.  Rows with rare values are all over the table, and so all classes are large.  Here
 * they are set aside instead: as few rows as keep the promises as one class, those with the rarest values, and for the
 * rest of it rows that would be dear in any class.  Small classes are left to all others.
 *
 * Nothing is suppressed: suppressed rows would have to keep the promises, too, and would cost more than this class.
 * docs/design/peel.md */
#include "method/peel/cover.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

enum {
    STEPS = 256,   /* verdicts on sets that grow */
    RARE_PART = 32 /* of the rows: values that ask for classes of more are worth a class that is set aside */
};

struct rare {
    int64_t count; /* rows of the table with its value */
    uint32_t value, kind;
};

struct dear {
    int64_t price;
    uint32_t lot;
};

struct setting_aside {
    covey_peel *p;
    covey_arena arena;
    size_t view;       /* among the used ones: whose counts are bounded */
    int64_t *rows;     /* [n_kinds] */
    struct rare *rare; /* [n_kinds] rarest value first */
    bool *goes;        /* [n_kinds] */
    struct dear *dear; /* [n_lots] dearest first */
    int64_t *quota;    /* [n_values] how many rows of each may still go */
    int64_t *need;     /* [n_values] scratch */
    uint32_t n_values;
    int64_t size;           /* of the class */
    covey_tally gone, rest; /* without ranges */
};

covey_status covey_i_peel_asks_aside(bool *out, const covey_peel_table *t, covey_error *err)
{
    const covey_histogram *prior = t->problem->promises.view[t->bounded_view].prior;
    const int64_t size = t->n_rows / RARE_PART;
    int64_t *quota = covey_i_array(prior->n_values, sizeof *quota),
            *need = covey_i_array(prior->n_values, sizeof *need);
    covey_status status = COVEY_OK;

    *out = false;
    if (quota && need) {
        for (uint32_t v = 0; v < prior->n_values; v++) {
            quota[v] = size;
            need[v] = 0;
        }
        covey_i_promises_bounds(&t->problem->promises, t->bounded_view, size, quota, need);
        for (uint32_t v = 0; v < prior->n_values; v++)
            *out |= prior->count[v] > 0 && quota[v] < 1;
    } else {
        status = covey_i_no_memory(err);
    }
    covey_i_free(quota);
    covey_i_free(need);
    return status;
}

static int compare_rare(const void *a, const void *b)
{
    const struct rare *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int compare_dear(const void *a, const void *b)
{
    const struct dear *x = a, *y = b;

    if (x->price != y->price)
        return x->price > y->price ? -1 : 1;
    return x->lot < y->lot ? -1 : x->lot > y->lot;
}

static uint32_t value_of(const struct setting_aside *s, uint32_t kind)
{
    return s->p->t->value[kind * s->p->t->n_used + s->view];
}

static void move(struct setting_aside *s, uint32_t kind, int64_t n)
{
    covey_i_peel_tally_kind(s->p->t, &s->gone, kind, n);
    covey_i_peel_tally_kind(s->p->t, &s->rest, kind, -n);
}

static covey_status allocate(struct setting_aside *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;

    s->rows = covey_arena_array_zero(&s->arena, int64_t, t->n_kinds);
    s->rare = covey_arena_array(&s->arena, struct rare, t->n_kinds);
    s->goes = covey_arena_array_zero(&s->arena, bool, t->n_kinds);
    s->dear = covey_arena_array(&s->arena, struct dear, t->n_lots);
    s->quota = covey_arena_array(&s->arena, int64_t, s->n_values);
    s->need = covey_arena_array(&s->arena, int64_t, s->n_values);
    if (!s->rows || !s->rare || !s->goes || !s->dear || !s->quota || !s->need)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&s->gone, &t->problem->promises, &s->arena, err));
    COVEY_TRY(covey_i_tally_new(&s->rest, &t->problem->promises, &s->arena, err));
    s->gone.has_ranges = s->rest.has_ranges = false;
    return COVEY_OK;
}

static covey_status set_up(struct setting_aside *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;
    const covey_histogram *prior = t->problem->promises.view[t->bounded_view].prior;

    while (t->used[s->view] != (uint32_t)t->bounded_view)
        s->view++;
    s->n_values = prior->n_values;
    COVEY_TRY(allocate(s, err));
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        s->rows[t->kind[lot]] += covey_i_peel_size(t, lot);
    for (uint32_t k = 0; k < t->n_kinds; k++) {
        s->rare[k] = (struct rare){prior->count[value_of(s, k)], value_of(s, k), k};
        covey_i_peel_tally_kind(t, &s->rest, k, s->rows[k]);
    }
    qsort(s->rare, t->n_kinds, sizeof *s->rare, compare_rare);
    return COVEY_OK;
}

/* The rarest values, as many as keep the promises together, move to s->gone.  Returns how many kinds these are, 0: it
 * is never so. */
static uint32_t move_rarest(struct setting_aside *s)
{
    const covey_peel_table *t = s->p->t;
    int64_t asked = 0;

    for (uint32_t i = 0; i < t->n_kinds; i++) {
        move(s, s->rare[i].kind, s->rows[s->rare[i].kind]);
        if ((i + 1 < t->n_kinds && s->rare[i + 1].value == s->rare[i].value) ||
            s->gone.size - asked < t->n_rows / STEPS)
            continue;
        asked = s->gone.size;
        if (covey_i_peel_admits_tally(t, &s->gone))
            return i + 1;
    }
    return 0;
}

/* Only a share of them goes for the sake of its values. */
static void keep_share(struct setting_aside *s, uint32_t n, double share)
{
    s->size = s->gone.size;
    while (n > 0 && (double)s->gone.size > share * (double)s->size) {
        n--;
        move(s, s->rare[n].kind, -s->rows[s->rare[n].kind]);
    }
    while (n-- > 0)
        s->goes[s->rare[n].kind] = true;
}

/* What the other rows would cost in a world without those. */
static covey_status find_dear(struct setting_aside *s, int roughness, covey_error *err)
{
    covey_peel *p = s->p;
    const covey_peel_take take = {.until = COVEY_PEEL_FAR, .roughness = roughness, .any_rest = true, .leave = s->goes};

    COVEY_TRY(covey_i_peel_take(p, &take, err));
    for (uint32_t lot = 0; lot < p->t->n_lots; lot++) {
        const uint32_t c = p->class_of[lot];

        s->dear[lot] = (struct dear){c == COVEY_PEEL_NONE ? COVEY_PEEL_FAR : p->class[c].loss, lot};
    }
    covey_i_peel_reset(p);
    qsort(s->dear, p->t->n_lots, sizeof *s->dear, compare_dear);
    return COVEY_OK;
}

static void find_quotas(struct setting_aside *s)
{
    const covey_peel_table *t = s->p->t;

    for (uint32_t v = 0; v < s->n_values; v++) {
        s->quota[v] = s->size;
        s->need[v] = 0;
    }
    covey_i_promises_bounds(&t->problem->promises, t->bounded_view, s->size, s->quota, s->need);
}

static covey_status make_class(struct setting_aside *s, covey_error *err)
{
    covey_peel *p = s->p;
    const covey_peel_table *t = p->t;
    const uint32_t c = covey_i_peel_class_new(p);

    if (c == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    find_quotas(s);
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        if (s->goes[t->kind[lot]]) {
            covey_i_peel_add(p, c, lot);
            s->quota[value_of(s, t->kind[lot])] -= covey_i_peel_size(t, lot);
        }
    for (uint32_t i = 0; i < t->n_lots && s->gone.size < s->size; i++) {
        const uint32_t lot = s->dear[i].lot, n = covey_i_peel_size(t, lot);
        int64_t *quota = &s->quota[value_of(s, t->kind[lot])];

        if (s->goes[t->kind[lot]] || *quota < n)
            continue;
        *quota -= n;
        covey_i_peel_add(p, c, lot);
        move(s, t->kind[lot], n);
    }
    if (!covey_i_peel_admits_tally(t, &s->gone) || !covey_i_peel_admits_tally(t, &s->rest))
        covey_i_peel_reset(p);
    return COVEY_OK;
}

covey_status covey_i_peel_set_aside(covey_peel *p, const covey_peel_plan *plan, covey_error *err)
{
    struct setting_aside s = {.p = p, .arena = COVEY_ARENA_INIT};
    covey_status status = set_up(&s, err);
    uint32_t n;

    if (status == COVEY_OK && (n = move_rarest(&s)) > 0) {
        keep_share(&s, n, plan->aside);
        if ((status = find_dear(&s, plan->roughness, err)) == COVEY_OK)
            status = make_class(&s, err);
    }
    covey_arena_free(&s.arena);
    return status;
}
