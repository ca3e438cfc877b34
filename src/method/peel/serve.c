/* Where counts are capped, a class with one row of a rare value must have many rows.  Such classes are made first,
 * around the rows of rare values, in good boxes -- and filled with those rows that would be dear in any class.
 * Everybody else then lives in small classes.
 *
 * What rows cost elsewhere is found by a peeling without the rare values.  Around a row r, all boxes of ladder labels
 * are searched: the box, the G cheapest fitting rows inside, score = G * loss(box) - sum of prices.  Rows are bits in
 * the order of their prices, and every label is a set of bits.  A box can only lose rows and gain loss as it is refined
 * by an axis, which bounds the search. */
#include "method/peel/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    MOST_LABELS = 256,
    MOST_WORDS = 1 << 23,
    PRICE_ROUGHNESS = 4,
    MOST_VALUES = 2048 /* bounds are asked for all values, value by value */
};
#define SERVE_WORK ((int64_t)400 << 20) /* words looked at */
#define MOST_VISITS ((int64_t)1 << 29)  /* rows looked at, each where no cache holds it in a large table */
#define WORK_PER_REPORT (1 << 20)

struct server {
    covey_peel *p;
    covey_arena arena;
    size_t view; /* among the used ones: whose counts are bounded */
    uint32_t n_values;
    const covey_peel_plan *plan;
    uint32_t *least_size;    /* [n_values] of a class with one such row */
    bool *is_rare;           /* [n_values] */
    bool *leave;             /* [n_kinds] */
    uint32_t *value_rank;    /* [n_values] rarest first */
    uint32_t *order, n_rare; /* rare values, rarest first */
    int64_t *price;          /* [n_rows] */
    uint32_t *row;           /* [n_rows] in the order of prices */
    uint32_t *place;         /* [n_rows] and back */
    size_t n_words;
    uint64_t **set;      /* [n_axes][levels] sets of all labels, NULL: too many labels */
    size_t *first_level; /* [n_axes] into set */
    uint64_t *alive;     /* rows that are in no class */
    uint64_t *stage;     /* [n_axes + 1][n_words] the box so far */
    uint64_t *best_set;
    int64_t best;
    int64_t *cap, *need, *quota; /* [n_values] */
    uint32_t focus, size;        /* row and rows of its class */
    uint32_t *picked;            /* [n_rows] */
    covey_tally rest;
    int64_t work, n_visits;
    int64_t reported; /* work when the caller was asked last */
    covey_status status;
    covey_error *err;
};

static uint32_t value_of(const struct server *s, uint32_t row)
{
    return s->p->t->value[s->p->t->kind[row] * s->p->t->n_used + s->view];
}

static int64_t cap_at(struct server *s, uint32_t value, int64_t size)
{
    for (uint32_t v = 0; v < s->n_values; v++) {
        s->cap[v] = size;
        s->need[v] = 0;
    }
    covey_i_promises_bounds(&s->p->t->problem->promises, s->p->t->bounded_view, size, s->cap, s->need);
    return s->cap[value];
}

/* The smallest class that may hold one row of each value. */
static void find_least_sizes(struct server *s, const covey_histogram *prior)
{
    for (uint32_t v = 0; v < s->n_values; v++) {
        int64_t low = 0, high = s->p->t->n_rows;

        while (prior->count[v] > 0 && high - low > 1) {
            const int64_t middle = low + (high - low) / 2;

            if (cap_at(s, v, middle) >= 1)
                high = middle;
            else
                low = middle;
        }
        s->least_size[v] = (uint32_t)(high > s->p->t->min_size ? high : s->p->t->min_size);
        s->is_rare[v] = prior->count[v] > 0 && high >= s->plan->rare_size && high > s->p->t->min_size;
        s->n_rare += s->is_rare[v];
    }
}

struct valued {
    int64_t count;
    uint32_t value;
};

static int compare_valued(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static covey_status rank_values(struct server *s, const covey_histogram *prior, covey_error *err)
{
    struct valued *rare = covey_arena_array(&s->arena, struct valued, s->n_rare);
    uint32_t n = 0;

    if (!rare)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < s->n_values; v++) {
        s->value_rank[v] = UINT32_MAX;
        if (s->is_rare[v])
            rare[n++] = (struct valued){prior->count[v], v};
    }
    qsort(rare, n, sizeof *rare, compare_valued);
    for (uint32_t i = 0; i < n; i++) {
        s->order[i] = rare[i].value;
        s->value_rank[rare[i].value] = i;
    }
    for (uint32_t k = 0; k < s->p->t->n_kinds; k++)
        s->leave[k] = s->is_rare[s->p->t->value[k * s->p->t->n_used + s->view]];
    return COVEY_OK;
}

static covey_status set_up_values(struct server *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;
    const covey_histogram *prior = t->problem->promises.view[t->bounded_view].prior;

    while (t->used[s->view] != (uint32_t)t->bounded_view)
        s->view++;
    s->n_values = prior->n_values;
    s->least_size = covey_arena_array(&s->arena, uint32_t, s->n_values);
    s->is_rare = covey_arena_array_zero(&s->arena, bool, s->n_values);
    s->leave = covey_arena_array_zero(&s->arena, bool, t->n_kinds);
    s->value_rank = covey_arena_array(&s->arena, uint32_t, s->n_values);
    s->order = covey_arena_array(&s->arena, uint32_t, s->n_values);
    s->cap = covey_arena_array(&s->arena, int64_t, s->n_values);
    s->need = covey_arena_array(&s->arena, int64_t, s->n_values);
    s->quota = covey_arena_array(&s->arena, int64_t, s->n_values);
    if (!s->least_size || !s->is_rare || !s->leave || !s->value_rank || !s->order || !s->cap || !s->need || !s->quota)
        return covey_i_no_memory(err);
    find_least_sizes(s, prior);
    return rank_values(s, prior, err);
}

/* What a row would cost, about, in a world without rare values. */
static covey_status find_costs(struct server *s, covey_error *err)
{
    covey_peel *p = s->p;
    const covey_peel_take take = {
        .until = COVEY_PEEL_FAR, .roughness = PRICE_ROUGHNESS, .any_rest = true, .leave = s->leave};
    int64_t *price = covey_arena_array(&p->arena, int64_t, p->t->n_rows), most = 0;

    if (!price)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_peel_take(p, &take, err));
    for (uint32_t c = 0; c < p->n_classes; c++)
        most = p->class[c].loss > most ? p->class[c].loss : most;
    for (uint32_t r = 0; r < p->t->n_rows; r++) {
        const uint32_t c = p->class_of[r];

        price[r] = s->leave[p->t->kind[r]] ? 0 : c == COVEY_PEEL_NONE ? most : p->class[c].loss;
    }
    covey_i_peel_reset(p);
    p->price = price;
    return COVEY_OK;
}

static covey_status find_prices(struct server *s, covey_error *err)
{
    if (!s->p->price)
        COVEY_TRY(find_costs(s, err));
    for (uint32_t r = 0; r < s->p->t->n_rows; r++)
        s->price[r] = (int64_t)((double)s->p->price[r] * s->plan->price_share);
    return COVEY_OK;
}

static int compare_prices(const void *a, const void *b, void *context)
{
    const struct server *s = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t rank_x = s->value_rank[value_of(s, x)], rank_y = s->value_rank[value_of(s, y)];

    if (rank_x != rank_y)
        return rank_x < rank_y ? -1 : 1;
    if (s->price[x] != s->price[y])
        return s->price[x] > s->price[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static bool has(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> (bit % 64) & 1;
}

/* A set of rows for every label of the levels that have not too many: a class of many rows needs no finer ones. */
static covey_status make_sets(struct server *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;
    size_t n_levels = 0, n_words = 0;

    s->first_level = covey_arena_array(&s->arena, size_t, t->n_axes);
    for (size_t a = 0; s->first_level && a < t->n_axes; a++) {
        s->first_level[a] = n_levels;
        n_levels += t->ladder[a].n;
    }
    s->set = covey_arena_array_zero(&s->arena, uint64_t *, n_levels);
    if (!s->first_level || !s->set)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes; a++)
        for (size_t l = t->ladder[a].n; l-- > 0;) {
            const covey_peel_level *level = &t->ladder[a].level[l];
            uint64_t *set;

            n_words += level->n_labels * s->n_words;
            if (level->n_labels > MOST_LABELS || n_words > MOST_WORDS)
                break;
            if (!(set = covey_arena_array_zero(&s->arena, uint64_t, level->n_labels * s->n_words)))
                return covey_i_no_memory(err);
            for (uint32_t i = 0; i < t->n_rows; i++)
                put(set + level->label[covey_i_peel_codes(t, s->row[i])[a]] * s->n_words, i);
            s->set[s->first_level[a] + l] = set;
        }
    return COVEY_OK;
}

static covey_status set_up_rows(struct server *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;

    s->n_words = ((size_t)t->n_rows + 63) / 64;
    s->price = covey_arena_array(&s->arena, int64_t, t->n_rows);
    s->row = covey_arena_array(&s->arena, uint32_t, t->n_rows);
    s->place = covey_arena_array(&s->arena, uint32_t, t->n_rows);
    s->picked = covey_arena_array(&s->arena, uint32_t, t->n_rows);
    s->alive = covey_arena_array_zero(&s->arena, uint64_t, s->n_words);
    s->best_set = covey_arena_array(&s->arena, uint64_t, s->n_words);
    s->stage = covey_arena_array(&s->arena, uint64_t, s->n_words * (t->n_axes + 1));
    if (!s->price || !s->row || !s->place || !s->picked || !s->alive || !s->best_set || !s->stage)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&s->rest, &t->problem->promises, &s->arena, err));
    s->rest.has_ranges = false;
    COVEY_TRY(find_prices(s, err));
    for (uint32_t r = 0; r < t->n_rows; r++) {
        s->row[r] = r;
        covey_i_peel_tally_kind(t, &s->rest, t->kind[r], 1);
    }
    qsort_r(s->row, t->n_rows, sizeof *s->row, compare_prices, s);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        s->place[s->row[i]] = i;
        put(s->alive, i);
    }
    return make_sets(s, err);
}

/* The focus and the dearest rows of a set beside it that its quotas allow; fewer than s->size: there are no more.
 * picked: receives them, or NULL. */
static uint32_t pick(struct server *s, const uint64_t *set, int64_t *prices, uint32_t *picked)
{
    uint32_t n = 1;

    for (uint32_t v = 0; v < s->n_values; v++)
        s->quota[v] = s->cap[v];
    s->quota[value_of(s, s->focus)]--;
    *prices = 0;
    if (picked)
        picked[0] = s->focus;
    for (size_t w = 0; w < s->n_words && n < s->size; w++) {
        s->work++;
        for (uint64_t bits = set[w]; bits && n < s->size; bits &= bits - 1) {
            const uint32_t row = s->row[w * 64 + (size_t)__builtin_ctzll(bits)];
            int64_t *quota = &s->quota[value_of(s, row)];

            s->n_visits++;
            if (row == s->focus || *quota <= 0)
                continue;
            --*quota;
            *prices += s->price[row];
            if (picked)
                picked[n] = row;
            n++;
        }
    }
    return n;
}

/* box = from & set; is it another than from & finer? */
static bool intersect(uint64_t *box, const uint64_t *from, const uint64_t *set, const uint64_t *finer, size_t n_words)
{
    uint64_t differ = finer == NULL;

    for (size_t w = 0; w < n_words; w++) {
        box[w] = from[w] & set[w];
        if (finer)
            differ |= from[w] & (set[w] ^ finer[w]);
    }
    return differ != 0;
}

/* Asks the caller now and then; false: rows that are not served yet are left to others. */
static bool goes_on(struct server *s)
{
    if (s->status == COVEY_OK && s->work + s->n_visits - s->reported >= WORK_PER_REPORT) {
        s->reported = s->work + s->n_visits;
        s->status = covey_i_peel_report(s->p, 0, 1, s->err);
    }
    return s->status == COVEY_OK && s->work <= SERVE_WORK && s->n_visits <= MOST_VISITS &&
           !covey_i_peel_is_enough(s->p);
}

/* Refines the box by the axes from index_axis[step] on. */
static void search_boxes(struct server *s, size_t step, int64_t loss)
{
    const covey_peel_table *t = s->p->t;
    const uint64_t *from = s->stage + step * s->n_words, *finer = NULL;
    uint64_t *box = s->stage + (step + 1) * s->n_words;
    int64_t prices;
    uint32_t a;

    if (!goes_on(s) || pick(s, from, &prices, NULL) < s->size || (int64_t)s->size * loss - prices >= s->best)
        return;
    if (step == t->n_axes) {
        s->best = (int64_t)s->size * loss - prices;
        memcpy(s->best_set, from, s->n_words * sizeof *from);
        return;
    }
    a = t->index_axis[step];
    for (size_t l = 0; l < t->ladder[a].n; l++) {
        const covey_peel_level *level = &t->ladder[a].level[l];
        const uint32_t label = level->label[covey_i_peel_codes(t, s->focus)[a]];
        const uint64_t *set = s->set[s->first_level[a] + l];

        if (!set)
            continue;
        set += label * s->n_words;
        s->work += (int64_t)s->n_words;
        if (intersect(box, from, set, finer, s->n_words))
            search_boxes(s, step + 1,
                         loss + covey_i_peel_loss(&t->axis[a], level->range[2 * label], level->range[2 * label + 1]));
        finer = set;
    }
}

/* Makes the class around a row, unless the rest would break a promise. */
static covey_status serve_row(struct server *s, uint32_t row, covey_error *err)
{
    covey_peel *p = s->p;
    const covey_peel_table *t = p->t;
    int64_t prices;
    uint32_t n, c;

    s->focus = row;
    s->best = COVEY_PEEL_FAR;
    memcpy(s->stage, s->alive, s->n_words * sizeof *s->stage);
    search_boxes(s, 0, 0);
    if (s->best == COVEY_PEEL_FAR)
        return s->status;
    n = pick(s, s->best_set, &prices, s->picked);
    for (uint32_t i = 0; i < n; i++)
        covey_i_peel_tally_kind(t, &s->rest, t->kind[s->picked[i]], -1);
    if (!covey_i_peel_admits_lots(p, s->picked, n) || (s->rest.size > 0 && !covey_i_peel_admits_tally(t, &s->rest))) {
        for (uint32_t i = 0; i < n; i++)
            covey_i_peel_tally_kind(t, &s->rest, t->kind[s->picked[i]], 1);
        return COVEY_OK;
    }
    if ((c = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t bit = s->place[s->picked[i]];

        covey_i_peel_add(p, c, s->picked[i]);
        s->alive[bit / 64] &= ~((uint64_t)1 << (bit % 64));
    }
    return COVEY_OK;
}

static covey_status serve_all(struct server *s, covey_error *err)
{
    const covey_peel_table *t = s->p->t;

    for (uint32_t i = 0; i < s->n_rare; i++) {
        s->size = s->least_size[s->order[i]];
        cap_at(s, s->order[i], s->size);
        for (uint32_t r = 0; r < t->n_rows && goes_on(s); r++)
            if (value_of(s, r) == s->order[i] && has(s->alive, s->place[r]))
                COVEY_TRY(serve_row(s, r, err));
    }
    return s->status;
}

covey_status covey_i_peel_serve(covey_peel *p, const covey_peel_plan *plan, covey_error *err)
{
    struct server s = {.p = p, .arena = COVEY_ARENA_INIT, .plan = plan, .err = err};
    covey_status status;

    if (p->t->problem->promises.view[p->t->bounded_view].prior->n_values > MOST_VALUES)
        return COVEY_OK;
    status = set_up_values(&s, err);

    if (status == COVEY_OK && s.n_rare > 0 && s.n_rare < s.n_values && (status = set_up_rows(&s, err)) == COVEY_OK)
        status = serve_all(&s, err);
    covey_arena_free(&s.arena);
    return status;
}
