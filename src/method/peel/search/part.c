/* What to do with a part of a pool: its rows join existing classes one by one, or become a class that is filled up with
 * donors. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"
#include "method/peel/search/pool.h"

static void widen(const covey_peel_table *t, uint32_t *hull, uint32_t row, bool first)
{
    const uint32_t *codes = covey_i_peel_codes(t, row);

    for (size_t a = 0; a < t->width; a++) {
        uint32_t *low = &hull[a], *high = &hull[t->width + a];

        *low = first || codes[a] < *low ? codes[a] : *low;
        *high = first || codes[a] > *high ? codes[a] : *high;
    }
}

/* Donors that a part can use: new kinds as long as it has too few, then -- where too many of a kind are no good -- none
 * of the most frequent ones. */
struct wanted {
    const covey_peel_table *t;
    const covey_peel_part *part;
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
    w->new_only =
        w->n_distinct < w->t->least_kinds && (int64_t)n + (w->t->least_kinds - w->n_distinct) >= w->t->min_size;
}

/* Fills a part up with donors until it keeps the promises.  They leave their classes meanwhile and are back in the end.
 * The cost may be negative: donors may leave better classes behind. */
static void fill(covey_peel *p, covey_peel_part *part, int64_t bound)
{
    const covey_peel_table *t = p->t;
    uint32_t *hull = p->pools->hull, from[COVEY_PEEL_POOL_DONORS];
    struct wanted wanted = {.t = t, .part = part};
    int64_t relief = 0;

    for (uint32_t i = 0; i < part->n; i++)
        widen(t, hull, part->row[i], i == 0);
    part->n_donors = 0;
    part->is_class = false;
    part->cost = bound;
    for (;;) {
        const int64_t n = part->n + part->n_donors, size = n < t->min_size ? t->min_size : n;
        const int64_t loss = covey_i_peel_box_loss(t, hull, hull + t->width);
        int64_t cost;
        uint32_t row;

        if (size * loss - relief >= bound)
            break;
        if (covey_i_peel_admits_lots(p, part->row, (uint32_t)n)) {
            part->cost = n * loss - relief;
            part->is_class = true;
            break;
        }
        if (part->n_donors == COVEY_PEEL_POOL_DONORS || n > 2 * t->min_size + 10)
            break;
        if (t->least_kinds > 1)
            find_wanted(&wanted);
        row = covey_i_peel_best_donor(p, &cost, hull, hull + t->width, n < t->min_size ? t->min_size - 1 : n,
                                      COVEY_PEEL_NONE, bound + relief, t->least_kinds > 1 ? is_wanted : NULL, &wanted);
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

void covey_i_peel_price(covey_peel *p, covey_peel_part *part, int64_t join, int64_t least, int64_t bound)
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

static void note(covey_peel_moved *moved, uint32_t row, uint32_t from)
{
    moved->row[moved->n] = row;
    moved->from[moved->n++] = from;
}

bool covey_i_peel_carry_out(covey_peel *p, covey_peel_moved *moved, int64_t *cost, const covey_peel_part *part,
                            int64_t bound, bool *no_memory)
{
    uint32_t c;

    if (!part->is_class) {
        for (uint32_t i = 0; i < part->n; i++) {
            int64_t increase;

            if ((c = covey_i_peel_target(p, &increase, part->row[i], COVEY_PEEL_NONE, bound)) == COVEY_PEEL_NONE)
                return false;
            note(moved, part->row[i], COVEY_PEEL_NONE);
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
        note(moved, part->row[i], COVEY_PEEL_NONE);
        covey_i_peel_add(p, c, part->row[i]);
    }
    for (uint32_t i = part->n; i < part->n + part->n_donors; i++) {
        const uint32_t row = part->row[i], from = p->class_of[row];

        if (from == c || !covey_i_peel_can_lose(p, row))
            return false;
        *cost -= covey_i_peel_relief(p, row);
        note(moved, row, from);
        covey_i_peel_move(p, row, c);
    }
    *cost += covey_i_peel_cost(p, c);
    return covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE);
}

void covey_i_peel_put_back(covey_peel *p, const covey_peel_moved *moved)
{
    for (uint32_t i = moved->n; i-- > 0;) {
        covey_i_peel_remove(p, moved->row[i]);
        if (moved->from[i] != COVEY_PEEL_NONE)
            covey_i_peel_add(p, moved->from[i], moved->row[i]);
    }
}
