/* How the rows of a pool lie: on which axes they differ, and which of them two of its cells span with their labels.
 * Sets of rows are words, so that a box is a few ANDs. */
#include "method/peel/search/pool.h"

#include <string.h>

static void insert_code(covey_peel_spread *spread, uint32_t code, uint32_t row)
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

/* The rows under the label of each two codes, and what it loses. */
static void fill_between(covey_peel_spread *spread, const covey_peel_axis *axis)
{
    const uint32_t n = spread->n;

    for (uint32_t x = 0; x < n; x++) {
        for (uint32_t y = x; y < n; y++) {
            uint32_t span[2], i = x;
            uint64_t rows = 0;

            covey_i_peel_span(span, axis, spread->code[x], spread->code[y]);
            while (i > 0 && spread->code[i - 1] >= span[0])
                i--;
            for (; i < n && spread->code[i] <= span[1]; i++)
                rows |= spread->having[i];
            spread->between[x * n + y] = spread->between[y * n + x] = rows;
            spread->loss[x * n + y] = spread->loss[y * n + x] =
                (int32_t)covey_i_peel_loss(axis, spread->code[x], spread->code[y]);
        }
    }
}

/* Where the rows of the pool stand on the axes on which they differ. */
static void spread_out(const covey_peel *p, covey_peel_split *s)
{
    const covey_peel_table *t = p->t;

    s->n_spread = 0;
    s->loss_alike = 0;
    for (uint32_t a = 0; a < t->n_axes; a++) {
        covey_peel_spread *spread = &s->spread[s->n_spread];

        spread->n = 0;
        for (uint32_t i = 0; i < s->n; i++)
            insert_code(spread, covey_i_peel_codes(t, s->row[i])[a], i);
        if (spread->n < 2) {
            s->loss_alike += covey_i_peel_loss(&t->axis[a], spread->code[0], spread->code[0]);
            continue;
        }
        fill_between(spread, &t->axis[a]);
        for (uint32_t x = 0; x < spread->n; x++)
            for (uint64_t rows = spread->having[x]; rows; rows &= rows - 1)
                s->rank[__builtin_ctzll(rows) * s->width + s->n_spread] = (int8_t)x;
        s->n_spread++;
    }
}

/* The rows of the pool inside the box that two of its cells span, as bits. */
static uint64_t rows_in_box(const covey_peel_split *s, uint32_t x, uint32_t y)
{
    const int8_t *rank_x = s->rank + x * s->width, *rank_y = s->rank + y * s->width;
    uint64_t inside = ((uint64_t)1 << s->n) - 1;

    for (size_t i = 0; i < s->n_spread; i++) {
        const covey_peel_spread *spread = &s->spread[i];

        inside &= spread->between[(uint32_t)rank_x[i] * spread->n + (uint32_t)rank_y[i]];
    }
    return inside;
}

/* What a row in that box loses. */
static int64_t loss_of_box(const covey_peel_split *s, uint32_t x, uint32_t y)
{
    const int8_t *rank_x = s->rank + x * s->width, *rank_y = s->rank + y * s->width;
    int64_t loss = s->loss_alike;

    for (size_t i = 0; i < s->n_spread; i++)
        loss += s->spread[i].loss[(uint32_t)rank_x[i] * s->spread[i].n + (uint32_t)rank_y[i]];
    return loss;
}

static void forget_seen(covey_peel_split *s)
{
    while (s->n_seen > 0)
        s->seen[s->seen_at[--s->n_seen]] = 0;
}

static bool is_new(covey_peel_split *s, uint64_t inside)
{
    uint32_t at = (uint32_t)((inside * 0x9E3779B97F4A7C15u) >> 32) % COVEY_PEEL_POOL_SLOTS;

    for (; s->seen[at] != 0; at = (at + 1) % COVEY_PEEL_POOL_SLOTS)
        if (s->seen[at] == inside)
            return false;
    if (s->n_seen < COVEY_PEEL_POOL_SPLITS) {
        s->seen[at] = inside;
        s->seen_at[s->n_seen++] = (uint16_t)at;
    }
    return true;
}

void covey_i_peel_find_boxes(covey_peel_split *s, const covey_peel *p)
{
    const uint32_t *cell = p->t->cell;

    forget_seen(s);
    spread_out(p, s);
    s->n_boxes = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0 && cell[s->row[i]] == cell[s->row[i - 1]])
            continue;
        for (uint32_t j = i; j < s->n; j++) {
            uint64_t inside;

            if (j > i && cell[s->row[j]] == cell[s->row[j - 1]])
                continue;
            inside = rows_in_box(s, i, j);
            if (inside != ((uint64_t)1 << s->n) - 1 && is_new(s, inside)) {
                s->box_loss[s->n_boxes] = loss_of_box(s, i, j);
                s->box[s->n_boxes++] = inside;
            }
        }
    }
}

typedef int8_t lanes __attribute__((vector_size(COVEY_PEEL_POOL_LANES)));

/* Ends of the ranges of some rows on so many axes at once. */
static void find_hull(lanes *low, lanes *high, const int8_t *rank, size_t width, uint64_t rows)
{
    lanes least, most, own;

    memcpy(&least, rank + __builtin_ctzll(rows) * width, sizeof least);
    most = least;
    while (rows &= rows - 1) {
        lanes is_less, is_more;

        memcpy(&own, rank + __builtin_ctzll(rows) * width, sizeof own);
        is_less = own < least;
        is_more = own > most;
        least = (own & is_less) | (least & ~is_less);
        most = (own & is_more) | (most & ~is_more);
    }
    *low = least;
    *high = most;
}

int64_t covey_i_peel_hull_loss(const covey_peel_split *s, uint64_t rows)
{
    int64_t loss = s->loss_alike;
    lanes low, high;

    for (size_t i = 0; i < s->n_spread; i++) {
        const covey_peel_spread *spread = &s->spread[i];
        const size_t lane = i % COVEY_PEEL_POOL_LANES;

        if (lane == 0)
            find_hull(&low, &high, s->rank + i, s->width, rows);
        loss += spread->loss[(uint32_t)low[lane] * spread->n + (uint32_t)high[lane]];
    }
    return loss;
}
