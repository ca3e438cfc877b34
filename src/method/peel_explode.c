/* A pool -- a class, or a class and one near it -- falls apart in two: the rows in a box and the others.  Each part's rows either join
 * existing classes one by one, or become a class that is filled up with donors.
 *
 * Boxes are spanned by two cells of the pool.  Most are ruled out by what the parts would cost at least, so trying them all is cheap. */
#include "method/peel_impl.h"

#include <string.h>

enum {
    MOST_ROWS = 40,     /* of a pool; they are bits of a word */
    MOST_DONORS = 60,
    MOST_SPLITS = 512,
    SEEN_SLOTS = 2 * MOST_SPLITS,
    LOOK_UP = 256,
    TRIED_BITS = 18
};
#define NOWHERE ((int64_t)1 << 50) /* the cost of a row that no class takes */

/* A part of a pool and what to do with it. */
struct part {
    uint32_t row[MOST_ROWS + MOST_DONORS]; /* the donors behind the others */
    uint32_t n, n_donors;
    bool is_class;   /* else its rows join other classes */
    int64_t cost;
};

/* The codes that a pool has on an axis, if they are several; sets of rows are bits. */
struct spread {
    uint32_t axis, n;
    uint32_t code[MOST_ROWS];      /* [n] ascending */
    uint64_t having[MOST_ROWS];    /* [n] the rows that have it */
    uint8_t rank[MOST_ROWS];       /* by row: of its code */
    uint64_t between[MOST_ROWS * MOST_ROWS]; /* [n * n] rows under the label of two codes */
};

/* The rows of a pool, which are in no class, and the best way found to part them. */
struct split {
    uint32_t row[MOST_ROWS], n;
    int64_t target[MOST_ROWS]; /* cost of joining another class */
    int64_t all_targets;       /* their sum */
    struct spread *spread;     /* [n_spread] */
    size_t n_spread;
    int64_t loss_alike;        /* on the other axes */
    int64_t best;
    struct part part[2];
    uint64_t seen[SEEN_SLOTS]; /* sets of rows by their hash, 0: free */
    uint16_t seen_at[MOST_SPLITS];
    uint32_t n_seen;
};

struct covey_peel_pools {
    uint64_t *tried;        /* hashes of pools that were tried in vain */
    uint32_t n_tried;
    uint32_t *target;       /* [n_rows] by the first row alike: the class it was last found to join best */
    int64_t *target_bound;  /* [n_rows] and below which cost it was searched; -1: never */
    uint32_t *hull;         /* [2 * n_axes] */
    struct split *split;    /* scratch */
};

static covey_status set_up(covey_peel *p, covey_error *err)
{
    struct covey_peel_pools *pools = p->pools;
    const uint32_t n = p->t->n_rows;

    if (!pools) {
        pools = covey_arena_array_zero(&p->arena, struct covey_peel_pools, 1);
        if (!pools || !(pools->tried = covey_arena_array_zero(&p->arena, uint64_t, (size_t)1 << TRIED_BITS)) ||
            !(pools->target = covey_arena_array(&p->arena, uint32_t, n)) || !(pools->target_bound = covey_arena_array(&p->arena, int64_t, n)) ||
            !(pools->hull = covey_arena_array(&p->arena, uint32_t, 2 * p->t->n_axes)) || !(pools->split = covey_arena_array_zero(&p->arena, struct split, 1)) ||
            !(pools->split->spread = covey_arena_array(&p->arena, struct spread, p->t->n_axes)))
            return covey_fail(err, COVEY_ENOMEM, "pools of %u rows", n);
        p->pools = pools;
    }
    for (uint32_t r = 0; r < n; r++)
        pools->target_bound[r] = -1;
    return COVEY_OK;
}

void covey_i_peel_forget_pools(covey_peel *p)
{
    if (p->pools)
        memset(p->pools->tried, 0, sizeof *p->pools->tried << TRIED_BITS);
    if (p->pools)
        p->pools->n_tried = 0;
}

static uint64_t *find_tried(const struct covey_peel_pools *pools, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & ((1u << TRIED_BITS) - 1);

    while (pools->tried[slot] != 0 && pools->tried[slot] != hash)
        slot = (slot + 1) & ((1u << TRIED_BITS) - 1);
    return &pools->tried[slot];
}

static void note_tried(covey_peel *p, uint64_t hash)
{
    uint64_t *slot;

    if (p->pools->n_tried > (1u << TRIED_BITS) / 4 * 3)
        covey_i_peel_forget_pools(p);
    slot = find_tried(p->pools, hash);
    p->pools->n_tried += *slot == 0;
    *slot = hash;
}

bool covey_i_peel_is_tried(covey_peel *p, uint64_t hash)
{
    if (*find_tried(p->pools, hash) == hash)
        return true;
    note_tried(p, hash);
    return false;
}

/* What it costs about to put a row into an existing class, at most bound. */
static int64_t target_cost(covey_peel *p, uint32_t row, int64_t bound)
{
    const uint32_t key = p->t->alike[row];
    uint32_t c = p->pools->target[key];
    int64_t increase;

    if (p->pools->target_bound[key] >= 0) {
        if (c == COVEY_PEEL_NONE && bound <= p->pools->target_bound[key])
            return bound;
        if (c != COVEY_PEEL_NONE && c < p->n_classes && p->class[c].n > 0 && covey_i_peel_admits(p, c, COVEY_PEEL_NONE, row)) {
            increase = (p->class[c].n + 1) * covey_i_peel_class_loss_with(p, c, covey_i_peel_codes(p->t, row)) - covey_i_peel_cost(p, c);
            return increase < bound ? increase : bound;
        }
    }
    c = covey_i_peel_target(p, &increase, row, COVEY_PEEL_NONE, bound);
    p->pools->target[key] = c;
    p->pools->target_bound[key] = bound;
    return c == COVEY_PEEL_NONE ? bound : increase;
}

static void widen(const covey_peel_table *t, uint32_t *hull, uint32_t row, bool first)
{
    const uint32_t *codes = covey_i_peel_codes(t, row);

    for (size_t a = 0; a < t->n_axes; a++) {
        uint32_t *low = &hull[a], *high = &hull[t->n_axes + a];

        *low = first || codes[a] < *low ? codes[a] : *low;
        *high = first || codes[a] > *high ? codes[a] : *high;
    }
}

/* Loss of some of the pool's rows. */
static int64_t hull_loss(const covey_peel *p, const struct split *s, uint64_t rows)
{
    int64_t loss = s->loss_alike;

    for (size_t i = 0; i < s->n_spread; i++) {
        const struct spread *spread = &s->spread[i];
        uint32_t low = 0, high = spread->n - 1;

        while (!(spread->having[low] & rows))
            low++;
        while (!(spread->having[high] & rows))
            high--;
        loss += covey_i_peel_loss(&p->t->axis[spread->axis], spread->code[low], spread->code[high]);
    }
    return loss;
}

/* Donors that a part can use: new kinds as long as it has too few, then -- where too many of a kind are no good -- none of the most
 * frequent ones. */
struct wanted {
    const covey_peel_table *t;
    const struct part *part;
    uint32_t n_distinct, most;
    bool new_only;
};

static uint32_t count_kind(const struct wanted *w, uint32_t kind, uint32_t n)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        count += w->t->kind[w->part->row[i]] == kind;
    return count;
}

static bool is_wanted(const void *context, uint32_t kind)
{
    const struct wanted *w = context;
    const uint32_t count = count_kind(w, kind, w->part->n + w->part->n_donors);

    return w->new_only ? count == 0 : w->t->is_hereditary || count < w->most || w->most == 0;
}

static void find_wanted(struct wanted *w)
{
    const uint32_t n = w->part->n + w->part->n_donors;

    w->n_distinct = w->most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t kind = w->t->kind[w->part->row[i]];
        const uint32_t count = count_kind(w, kind, n);

        w->n_distinct += count_kind(w, kind, i) == 0;
        w->most = count > w->most ? count : w->most;
    }
    w->new_only = w->n_distinct < w->t->least_kinds && (int64_t)n + (w->t->least_kinds - w->n_distinct) >= w->t->min_size;
}

/* Fills a part up with donors until it keeps the promises.  They leave their classes meanwhile and are back in the end.  The cost may
 * be negative: donors may leave better classes behind. */
static void fill(covey_peel *p, struct part *part, int64_t bound)
{
    const covey_peel_table *t = p->t;
    uint32_t *hull = p->pools->hull, from[MOST_DONORS];
    struct wanted wanted = {.t = t, .part = part};
    int64_t relief = 0;

    for (uint32_t i = 0; i < part->n; i++)
        widen(t, hull, part->row[i], i == 0);
    part->n_donors = 0;
    part->is_class = false;
    part->cost = bound;
    for (;;) {
        const int64_t n = part->n + part->n_donors, size = n < t->min_size ? t->min_size : n;
        const int64_t loss = covey_i_peel_box_loss(t, hull, hull + t->n_axes);
        int64_t cost;
        uint32_t row;

        if (size * loss - relief >= bound)
            break;
        if (covey_i_peel_admits_lots(p, part->row, (uint32_t)n)) {
            part->cost = n * loss - relief;
            part->is_class = true;
            break;
        }
        if (part->n_donors == MOST_DONORS || n > 2 * t->min_size + 10)
            break;
        if (t->least_kinds > 1)
            find_wanted(&wanted);
        row = covey_i_peel_best_donor(p, &cost, hull, hull + t->n_axes, n < t->min_size ? t->min_size - 1 : n, COVEY_PEEL_NONE, bound + relief,
                                      t->least_kinds > 1 ? is_wanted : NULL, &wanted);
        if (row == COVEY_PEEL_NONE)
            break;
        relief += covey_i_peel_relief(p, row);
        from[part->n_donors] = p->class_of[row];
        covey_i_peel_remove(p, row);
        part->row[part->n + part->n_donors++] = row;
        widen(t, hull, row, false);
    }
    for (uint32_t i = part->n_donors; i-- > 0;)
        covey_i_peel_add(p, from[i], part->row[part->n + i]);
}

static void insert_code(struct spread *spread, uint32_t code, uint32_t row)
{
    uint32_t at = 0, i;

    while (at < spread->n && spread->code[at] < code)
        at++;
    if (at == spread->n || spread->code[at] != code) {
        for (i = spread->n++; i > at; i--) {
            spread->code[i] = spread->code[i - 1];
            spread->having[i] = spread->having[i - 1];
        }
        spread->code[at] = code;
        spread->having[at] = 0;
    }
    spread->having[at] |= (uint64_t)1 << row;
}

/* The rows under the label of each two codes. */
static void fill_between(struct spread *spread, const covey_peel_axis *axis)
{
    const uint32_t n = spread->n;

    for (uint32_t x = 0; x < n; x++) {
        for (uint64_t rows = spread->having[x]; rows; rows &= rows - 1)
            spread->rank[__builtin_ctzll(rows)] = (uint8_t)x;
        for (uint32_t y = x; y < n; y++) {
            uint32_t span[2], i = x;
            uint64_t rows = 0;

            covey_i_peel_span(span, axis, spread->code[x], spread->code[y]);
            while (i > 0 && spread->code[i - 1] >= span[0])
                i--;
            for (; i < n && spread->code[i] <= span[1]; i++)
                rows |= spread->having[i];
            spread->between[x * n + y] = spread->between[y * n + x] = rows;
        }
    }
}

/* Where the rows of the pool stand on the axes on which they differ. */
static void spread_out(const covey_peel *p, struct split *s)
{
    const covey_peel_table *t = p->t;

    s->n_spread = 0;
    s->loss_alike = 0;
    for (uint32_t a = 0; a < t->n_axes; a++) {
        struct spread *spread = &s->spread[s->n_spread];

        spread->axis = a;
        spread->n = 0;
        for (uint32_t i = 0; i < s->n; i++)
            insert_code(spread, covey_i_peel_codes(t, s->row[i])[a], i);
        if (spread->n < 2) {
            s->loss_alike += covey_i_peel_loss(&t->axis[a], spread->code[0], spread->code[0]);
            continue;
        }
        fill_between(spread, &t->axis[a]);
        s->n_spread++;
    }
}

/* The rows of the pool inside the box that two of its cells span, as bits. */
static uint64_t rows_in_box(const struct split *s, uint32_t x, uint32_t y)
{
    uint64_t inside = ((uint64_t)1 << s->n) - 1;

    for (size_t i = 0; i < s->n_spread; i++) {
        const struct spread *spread = &s->spread[i];

        inside &= spread->between[spread->rank[x] * spread->n + spread->rank[y]];
    }
    return inside;
}

static void forget_seen(struct split *s)
{
    while (s->n_seen > 0)
        s->seen[s->seen_at[--s->n_seen]] = 0;
}

static bool is_new(struct split *s, uint64_t inside)
{
    uint32_t at = (uint32_t)((inside * 0x9E3779B97F4A7C15u) >> 32) % SEEN_SLOTS;

    for (; s->seen[at] != 0; at = (at + 1) % SEEN_SLOTS)
        if (s->seen[at] == inside)
            return false;
    if (s->n_seen < MOST_SPLITS) {
        s->seen[at] = inside;
        s->seen_at[s->n_seen++] = (uint16_t)at;
    }
    return true;
}

/* Prices a part: joining costs join, being a class at least least. */
static void price(covey_peel *p, struct part *part, int64_t join, int64_t least, int64_t bound)
{
    if (least < join) {
        fill(p, part, join < bound ? join : bound);
        if (part->is_class && part->cost < join)
            return;
    }
    part->is_class = false;
    part->n_donors = 0;
    part->cost = join;
}

static void list_part(struct part *part, const struct split *s, uint64_t rows)
{
    for (part->n = 0; rows; rows &= rows - 1)
        part->row[part->n++] = s->row[__builtin_ctzll(rows)];
}

static void try_split(covey_peel *p, struct split *s, uint64_t inside)
{
    const uint64_t rows[2] = {inside, (((uint64_t)1 << s->n) - 1) & ~inside};
    struct part part[2];
    int64_t join[2] = {0, 0}, least[2], floor[2];

    for (uint64_t left = inside; left; left &= left - 1)
        join[0] += s->target[__builtin_ctzll(left)];
    join[1] = s->all_targets - join[0];
    for (int side = 0; side < 2; side++) {
        const int64_t n = __builtin_popcountll(rows[side]);

        least[side] = (n < p->t->min_size ? p->t->min_size : n) * hull_loss(p, s, rows[side]);
        floor[side] = join[side] < least[side] ? join[side] : least[side];
    }
    if (floor[0] + floor[1] >= s->best)
        return;
    list_part(&part[0], s, rows[0]);
    list_part(&part[1], s, rows[1]);
    price(p, &part[0], join[0], least[0], s->best - floor[1]);
    if (part[0].cost + floor[1] >= s->best)
        return;
    price(p, &part[1], join[1], least[1], s->best - part[0].cost);
    if (part[0].cost + part[1].cost >= s->best)
        return;
    s->best = part[0].cost + part[1].cost;
    s->part[0] = part[0];
    s->part[1] = part[1];
}

/* Rows that were put somewhere, to be put back if it does not pay. */
struct journal {
    uint32_t row[2 * (MOST_ROWS + MOST_DONORS)], from[2 * (MOST_ROWS + MOST_DONORS)], n;
};

static void note(struct journal *j, uint32_t row, uint32_t from)
{
    j->row[j->n] = row;
    j->from[j->n++] = from;
}

/* Does what the part says, at its real cost; false if it cannot be done any more. */
static bool carry_out(covey_peel *p, struct journal *j, int64_t *cost, const struct part *part, int64_t bound, bool *no_memory)
{
    uint32_t c;

    if (!part->is_class) {
        for (uint32_t i = 0; i < part->n; i++) {
            int64_t increase;

            if ((c = covey_i_peel_target(p, &increase, part->row[i], COVEY_PEEL_NONE, bound)) == COVEY_PEEL_NONE)
                return false;
            note(j, part->row[i], COVEY_PEEL_NONE);
            covey_i_peel_add(p, c, part->row[i]);
            *cost += increase;
        }
        return true;
    }
    if ((c = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE) {
        *no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < part->n; i++) {
        note(j, part->row[i], COVEY_PEEL_NONE);
        covey_i_peel_add(p, c, part->row[i]);
    }
    for (uint32_t i = part->n; i < part->n + part->n_donors; i++) {
        const uint32_t row = part->row[i], from = p->class_of[row];

        if (from == c || !covey_i_peel_can_lose(p, row))
            return false;
        *cost -= covey_i_peel_relief(p, row);
        note(j, row, from);
        covey_i_peel_move(p, row, c);
    }
    *cost += covey_i_peel_cost(p, c);
    return covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE);
}

/* Parts a pool whose rows are in no class.  Returns the gain; 0: none, and the rows are still in no class. */
static int64_t part_pool(covey_peel *p, struct split *s, int64_t have, bool *no_memory)
{
    const uint32_t n_classes = p->n_classes;
    struct journal journal = {.n = 0};
    int64_t cost = 0;

    s->best = have;
    s->all_targets = 0;
    forget_seen(s);
    spread_out(p, s);
    for (uint32_t i = 0; i < s->n; i++) {
        if ((s->target[i] = target_cost(p, s->row[i], have)) >= have)
            s->target[i] = NOWHERE;
        s->all_targets += s->target[i];
    }
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0 && p->t->cell[s->row[i]] == p->t->cell[s->row[i - 1]])
            continue;
        for (uint32_t j = i; j < s->n; j++) {
            uint64_t inside;

            if (j > i && p->t->cell[s->row[j]] == p->t->cell[s->row[j - 1]])
                continue;
            inside = rows_in_box(s, i, j);
            if (inside != ((uint64_t)1 << s->n) - 1 && is_new(s, inside))
                try_split(p, s, inside);
        }
    }
    if (s->best >= have)
        return 0;
    if (carry_out(p, &journal, &cost, &s->part[0], have, no_memory) && carry_out(p, &journal, &cost, &s->part[1], have, no_memory) && cost < have)
        return have - cost;
    for (uint32_t i = journal.n; i-- > 0;) {
        covey_i_peel_remove(p, journal.row[i]);
        if (journal.from[i] != COVEY_PEEL_NONE)
            covey_i_peel_add(p, journal.from[i], journal.row[i]);
    }
    p->n_classes = n_classes;
    return 0;
}

/* Sorted, so that rows of a cell stand together. */
static void collect_pool(covey_peel *p, struct split *s, uint32_t c, uint32_t other)
{
    s->n = covey_i_peel_lots_of(s->row, p, c);
    if (other == COVEY_PEEL_NONE)
        return;
    s->n += covey_i_peel_lots_of(s->row + s->n, p, other);
    for (uint32_t i = 1; i < s->n; i++) {
        const uint32_t row = s->row[i];
        uint32_t j = i;

        for (; j > 0 && s->row[j - 1] > row; j--)
            s->row[j] = s->row[j - 1];
        s->row[j] = row;
    }
}

/* Tries the pool of a class and another (COVEY_PEEL_NONE: alone); returns the gain. */
static int64_t explode(covey_peel *p, struct split *s, uint32_t c, uint32_t other, bool *no_memory)
{
    const uint64_t hash = p->class[c].rows_hash ^ (other == COVEY_PEEL_NONE ? 0 : p->class[other].rows_hash);
    const int64_t have = covey_i_peel_cost(p, c) + (other == COVEY_PEEL_NONE ? 0 : covey_i_peel_cost(p, other));
    uint32_t home[MOST_ROWS];
    int64_t gain;

    if (*find_tried(p->pools, hash) == hash)
        return 0;
    collect_pool(p, s, c, other);
    for (uint32_t i = 0; i < s->n; i++) {
        home[i] = p->class_of[s->row[i]];
        covey_i_peel_remove(p, s->row[i]);
    }
    if ((gain = part_pool(p, s, have, no_memory)) > 0)
        return gain;
    note_tried(p, hash);
    for (uint32_t i = 0; i < s->n; i++)
        covey_i_peel_add(p, home[i], s->row[i]);
    return 0;
}

/* The class alone, then with each of the near ones, until something pays. */
static int64_t explode_around(covey_peel *p, struct split *s, uint32_t c, uint32_t n_near, bool *no_memory)
{
    const uint64_t hash = ~p->class[c].rows_hash;
    covey_peel_near near[COVEY_PEEL_MOST_NEAR];
    uint32_t n;
    int64_t gain;

    if (*find_tried(p->pools, hash) == hash)
        return 0;
    n = n_near > 0 ? covey_i_peel_near_classes(p, near, c, n_near, MOST_ROWS) : 0;
    if ((gain = explode(p, s, c, COVEY_PEEL_NONE, no_memory)) > 0)
        return gain;
    for (uint32_t i = 0; i < n && !*no_memory; i++)
        if (p->class[near[i].class].loss > 0 && (gain = explode(p, s, c, near[i].class, no_memory)) > 0)
            return gain;
    note_tried(p, hash);
    return 0;
}

covey_status covey_i_peel_pools_build(covey_peel *p, covey_error *err)
{
    COVEY_TRY(covey_i_peel_donors_build(p, err));
    return set_up(p, err);
}

int64_t covey_i_peel_explode(covey_peel *p, uint32_t c, uint32_t n_near, bool *no_memory)
{
    if (p->class[c].n == 0 || p->class[c].loss == 0 || p->class[c].n > MOST_ROWS / 2)
        return 0;
    return explode_around(p, p->pools->split, c, n_near < COVEY_PEEL_MOST_NEAR ? n_near : COVEY_PEEL_MOST_NEAR, no_memory);
}

covey_status covey_i_peel_pass_explode(covey_peel *p, uint32_t n_near, int64_t *gain, covey_error *err)
{
    bool no_memory = false;
    const uint32_t n = p->n_classes;

    COVEY_TRY(covey_i_peel_index_build(p, err));
    COVEY_TRY(covey_i_peel_pools_build(p, err));
    for (uint32_t c = 0; c < n && p->work <= p->work_limit; c++) {
        int64_t won;

        if (c % LOOK_UP == 0)
            COVEY_TRY(covey_i_peel_report(p, 0, 1, err));
        if (!covey_i_peel_in_focus(p, c))
            continue;
        if ((won = covey_i_peel_explode(p, c, n_near, &no_memory)) > 0)
            COVEY_TRY(covey_i_peel_index_refresh(p, p->pools->split->n, err));
        *gain += won;
        if (no_memory)
            return covey_fail(err, COVEY_ENOMEM, "%u classes", p->n_classes);
    }
    return COVEY_OK;
}
