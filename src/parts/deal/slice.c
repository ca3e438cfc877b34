/* Dealing the rows of one slice to the parts of a plan.  The rows of a slice are packed part by part, so that each part
 * that it touches is handed to the sink once. */
#include "parts/deal/deal.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/sort/hilbert.h"

/* A slice on its way. */
struct slice {
    const covey_dealer *dealer;
    const void *const *code; /* [n_columns][n] */
    uint32_t n;
    uint32_t *part;                            /* [n] */
    uint32_t *slot;                            /* [n] place of the row among the packed ones */
    uint32_t start[COVEY_PLAN_MOST_PARTS + 1]; /* first place of each part */
    covey_arena arena;
};

static void place_codes(uint16_t *restrict to, const void *codes, int width, uint32_t n, const uint16_t *place)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = place[covey_i_codes_get(codes, width, i)];
}

/* The column that an axis stands for. */
static size_t column_of(const covey_plan *plan, size_t axis)
{
    size_t c = 0;

    while (plan->prepared.column[c] != plan->prepared.problem.axis[axis].column)
        c++;
    return c;
}

static covey_status find_coordinates(uint16_t **coordinate, struct slice *s, covey_error *err)
{
    const covey_plan *plan = s->dealer->plan;

    for (size_t a = 0; a < plan->n_key_axes; a++) {
        const size_t c = column_of(plan, a);

        if (!(coordinate[a] = covey_arena_array(&s->arena, uint16_t, s->n)))
            return covey_i_no_memory(err);
        place_codes(coordinate[a], s->code[c], plan->prepared.column[c]->width, s->n, plan->place[a]);
    }
    return COVEY_OK;
}

/* The part of each row. */
static covey_status find_parts(struct slice *s, covey_error *err)
{
    const covey_plan *plan = s->dealer->plan;
    uint16_t **coordinate;
    covey_u128 *key;

    if (plan->n_parts == 1) {
        memset(s->part, 0, s->n * sizeof *s->part);
        return COVEY_OK;
    }
    coordinate = covey_arena_array(&s->arena, uint16_t *, plan->n_key_axes);
    key = covey_arena_array(&s->arena, covey_u128, s->n);
    if (!coordinate || !key)
        return covey_i_no_memory(err);
    COVEY_TRY(find_coordinates(coordinate, s, err));
    covey_i_hilbert_keys(key, coordinate, plan->n_key_axes, plan->n_bits, s->n);
    for (uint32_t i = 0; i < s->n; i++)
        s->part[i] = covey_i_plan_part(plan, key[i]);
    return COVEY_OK;
}

static void find_slots(struct slice *s)
{
    uint32_t next[COVEY_PLAN_MOST_PARTS];
    const uint32_t n_parts = s->dealer->plan->n_parts;

    memset(s->start, 0, (n_parts + 1) * sizeof *s->start);
    for (uint32_t i = 0; i < s->n; i++)
        s->start[s->part[i] + 1]++;
    for (uint32_t p = 0; p < n_parts; p++)
        s->start[p + 1] += s->start[p];
    memcpy(next, s->start, n_parts * sizeof *next);
    for (uint32_t i = 0; i < s->n; i++)
        s->slot[i] = next[s->part[i]]++;
}

/* The rows as they are handed out. */
static void pack(unsigned char *to, size_t row_size, const struct slice *s)
{
    const covey_plan *plan = s->dealer->plan;
    const uint32_t *slot = s->slot, n = s->n;

    for (size_t c = 0; c < plan->n_columns; c++) {
        const int width = plan->prepared.column[c]->width;

        COVEY_CODES_TYPED(width, {
            const covey_code *codes = s->code[c];

            for (uint32_t i = 0; i < n; i++)
                for (size_t b = 0; b < sizeof *codes; b++)
                    to[slot[i] * row_size + b] = (unsigned char)(codes[i] >> 8 * b);
        });
        to += width;
    }
}

static covey_status deal(struct slice *s, covey_error *err)
{
    const covey_dealer *dealer = s->dealer;
    const size_t row_size = covey_i_plan_row_size(dealer->plan);
    unsigned char *rows = covey_arena_array(&s->arena, unsigned char, s->n *row_size);

    s->part = covey_arena_array(&s->arena, uint32_t, s->n);
    s->slot = covey_arena_array(&s->arena, uint32_t, s->n);
    if (!rows || !s->part || !s->slot)
        return covey_i_no_memory(err);
    COVEY_TRY(find_parts(s, err));
    find_slots(s);
    pack(rows, row_size, s);
    for (uint32_t p = 0; p < dealer->plan->n_parts; p++)
        if (s->start[p + 1] > s->start[p])
            COVEY_TRY(
                dealer->sink(dealer->context, p, rows + s->start[p] * row_size, s->start[p + 1] - s->start[p], err));
    return COVEY_OK;
}

covey_status covey_i_deal_slice(const covey_dealer *dealer, const void *const *code, uint32_t n, covey_error *err)
{
    struct slice s = {.dealer = dealer, .code = code, .n = n};
    covey_status status = deal(&s, err);

    covey_arena_free(&s.arena);
    return status;
}
