/* Classes: lists of lots with their ranges.  Adding a lot costs a look at each axis; so does taking one out, unless it
 * was the only one at an end of a range. */
#include "method/peel/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "method/peel/journal.h"

covey_status covey_i_peel_new(covey_peel *p, covey_peel_table *t, covey_error *err)
{
    *p = (covey_peel){
        .t = t, .splits = t->size ? t : NULL, .arena = COVEY_ARENA_INIT, .work_limit = INT64_MAX, .n_focus = t->n_rows};
    p->class_of = covey_i_array_full(t->lots_capacity, sizeof *p->class_of);
    p->next = covey_i_array_full(t->lots_capacity, sizeof *p->next);
    p->before = covey_i_array_full(t->lots_capacity, sizeof *p->before);
    p->ends = covey_arena_array(&p->arena, uint32_t, 2 * t->width);
    p->axes = covey_arena_array(&p->arena, uint32_t, t->n_axes);
    p->hull = covey_arena_array(&p->arena, uint32_t, 2 * t->width);
    p->joined = covey_arena_array(&p->arena, uint32_t, t->n_lots);
    if (!p->class_of || !p->next || !p->before || !p->ends || !p->axes || !p->hull || !p->joined)
        return covey_i_no_memory(err);
    memset(p->joined, 0xff, t->n_lots * sizeof *p->joined);
    covey_i_peel_reset(p);
    return covey_i_peel_judge_new(p, err);
}

void covey_i_peel_clear(covey_peel *p)
{
    covey_i_free(p->class);
    covey_i_free(p->box);
    covey_i_free(p->inner);
    covey_i_free(p->count);
    covey_i_free(p->class_of);
    covey_i_free(p->next);
    covey_i_free(p->before);
    covey_arena_free(&p->arena);
    *p = (covey_peel){0};
}

void covey_i_peel_reset(covey_peel *p)
{
    p->n_classes = 0;
    memset(p->class_of, 0xff, p->t->n_lots * sizeof *p->class_of);
}

static bool grow(covey_peel *p)
{
    const uint32_t capacity = p->capacity ? p->capacity * 2 : 256;
    covey_peel_class *class = covey_i_realloc(p->class, capacity, sizeof *class);
    uint32_t *box, *inner, *count;

    if (!class)
        return false;
    p->class = class;
    if (!(box = covey_i_realloc(p->box, capacity, 4 * p->t->width * sizeof *box)))
        return false;
    p->box = box;
    if (!(inner = covey_i_realloc(p->inner, capacity, 2 * p->t->width * sizeof *inner)))
        return false;
    p->inner = inner;
    if (!p->t->size_only && p->t->n_kinds <= COVEY_PEEL_MOST_COUNTS) {
        if (!(count = covey_i_realloc(p->count, capacity, p->t->n_kinds * sizeof *count)))
            return false;
        p->count = count;
    }
    p->capacity = capacity;
    return true;
}

uint32_t covey_i_peel_class_new(covey_peel *p)
{
    if (p->n_classes == p->capacity && !grow(p))
        return COVEY_PEEL_NONE;
    p->class[p->n_classes] = (covey_peel_class){.first = COVEY_PEEL_NONE};
    if (p->count)
        memset(p->count + (size_t)p->n_classes * p->t->n_kinds, 0, p->t->n_kinds * sizeof *p->count);
    return p->n_classes++;
}

/* Ranges of the class' rows on the axes in p->axes, and how many stand at their ends. */
static void measure(covey_peel *p, uint32_t c, size_t n_axes)
{
    const size_t width = p->t->width;
    uint32_t *low = covey_i_peel_box(p, c), *high = low + width, *n_low = high + width, *n_high = n_low + width;

    for (size_t i = 0; i < n_axes; i++) {
        low[p->axes[i]] = UINT32_MAX;
        n_high[p->axes[i]] = 0;
    }
    for (uint32_t lot = p->class[c].first; lot != COVEY_PEEL_NONE; lot = p->next[lot]) {
        const uint32_t *codes = covey_i_peel_codes(p->t, lot), n = covey_i_peel_size(p->t, lot);

        for (size_t i = 0; i < n_axes; i++) {
            const uint32_t a = p->axes[i], code = codes[a];

            if (code < low[a]) {
                low[a] = code;
                n_low[a] = 0;
            }
            n_low[a] += code == low[a] ? n : 0;
            if (n_high[a] == 0 || code > high[a]) {
                high[a] = code;
                n_high[a] = 0;
            }
            n_high[a] += code == high[a] ? n : 0;
        }
    }
}

/* In the journal: the row leaves or joins class c now. */
static void note_row(covey_peel *p, uint32_t c, uint32_t row)
{
    struct covey_peel_journal *j = p->journal;

    if (j->row_stamp[row] != j->stamp) {
        j->row_stamp[row] = j->stamp;
        j->row[j->n_rows] = row;
        j->home[j->n_rows++] = p->class_of[row];
    }
    if (j->class_stamp[c] != j->stamp) {
        j->class_stamp[c] = j->stamp;
        j->touched[j->n_touched++] = (struct covey_peel_touched){c, covey_i_peel_cost(p, c), p->class[c].rows_hash};
    }
}

int64_t covey_i_peel_change(const covey_peel *p)
{
    const struct covey_peel_journal *j = p->journal;
    int64_t sum = 0;

    for (uint32_t i = 0; i < j->n_touched; i++)
        sum += covey_i_peel_cost(p, j->touched[i].class) - j->touched[i].cost;
    return sum;
}

void covey_i_peel_add(covey_peel *p, uint32_t c, uint32_t lot)
{
    const covey_peel_table *t = p->t;
    const size_t width = t->width;
    const uint32_t *codes = covey_i_peel_codes(t, lot), n = covey_i_peel_size(t, lot);
    const covey_peel_lanes more = (covey_peel_lanes){0} + (int32_t)n;
    covey_peel_class *class = &p->class[c];
    uint32_t *box = covey_i_peel_box(p, c);
    int64_t loss = 0;

    if (p->journal)
        note_row(p, c, lot);
    for (size_t a = 0; a < width; a += COVEY_PEEL_LANES, box += COVEY_PEEL_LANES) {
        const covey_peel_lanes own = covey_i_peel_load(codes + a);
        covey_peel_lanes low = own, high = own, n_low = more, n_high = more;

        if (class->n > 0) {
            low = covey_i_peel_load(box);
            high = covey_i_peel_load(box + width);
            n_low = covey_i_peel_choose(own < low, more, covey_i_peel_load(box + 2 * width) + (more & (own == low)));
            n_high = covey_i_peel_choose(own > high, more, covey_i_peel_load(box + 3 * width) + (more & (own == high)));
            low = covey_i_peel_choose(own < low, own, low);
            high = covey_i_peel_choose(own > high, own, high);
            loss += covey_i_peel_lanes_loss(t, a, low, high);
        }
        covey_i_peel_store(box, low);
        covey_i_peel_store(box + width, high);
        covey_i_peel_store(box + 2 * width, n_low);
        covey_i_peel_store(box + 3 * width, n_high);
    }
    p->class_of[lot] = c;
    p->next[lot] = class->first;
    p->before[lot] = COVEY_PEEL_NONE;
    if (class->first != COVEY_PEEL_NONE)
        p->before[class->first] = lot;
    class->first = lot;
    class->n += n;
    class->has_inner = false;
    class->loss = loss;
    class->rows_hash ^= covey_i_peel_row_hash(lot);
    class->kinds_hash += t->kind_hash[t->kind[lot]] * n;
    if (p->count)
        p->count[(size_t)c * t->n_kinds + t->kind[lot]] += n;
}

void covey_i_peel_remove(covey_peel *p, uint32_t lot)
{
    const covey_peel_table *t = p->t;
    const size_t width = t->width;
    const uint32_t c = p->class_of[lot], *codes = covey_i_peel_codes(t, lot), n = covey_i_peel_size(t, lot);
    covey_peel_class *class = &p->class[c];
    uint32_t *low = covey_i_peel_box(p, c), *high = low + width, *n_low = high + width, *n_high = n_low + width;
    size_t n_axes = 0;

    if (p->journal)
        note_row(p, c, lot);
    if (p->before[lot] != COVEY_PEEL_NONE)
        p->next[p->before[lot]] = p->next[lot];
    else
        class->first = p->next[lot];
    if (p->next[lot] != COVEY_PEEL_NONE)
        p->before[p->next[lot]] = p->before[lot];
    p->class_of[lot] = COVEY_PEEL_NONE;
    class->n -= n;
    class->rows_hash ^= covey_i_peel_row_hash(lot);
    class->kinds_hash -= t->kind_hash[t->kind[lot]] * n;
    if (p->count)
        p->count[(size_t)c * t->n_kinds + t->kind[lot]] -= n;
    class->loss = 0;
    class->has_inner = false;
    if (class->n == 0)
        return;
    for (size_t a = 0; a < width; a++) {
        n_low[a] -= codes[a] == low[a] ? n : 0;
        n_high[a] -= codes[a] == high[a] ? n : 0;
        if (n_low[a] == 0 || n_high[a] == 0)
            p->axes[n_axes++] = (uint32_t)a;
    }
    if (n_axes > 0)
        measure(p, c, n_axes);
    class->loss = covey_i_peel_box_loss(t, low, high);
}

void covey_i_peel_empty(covey_peel *p, uint32_t c)
{
    covey_peel_class *class = &p->class[c];

    for (uint32_t lot = class->first; lot != COVEY_PEEL_NONE; lot = p->next[lot]) {
        if (p->journal)
            note_row(p, c, lot);
        p->class_of[lot] = COVEY_PEEL_NONE;
    }
    *class = (covey_peel_class){.first = COVEY_PEEL_NONE};
    if (p->count)
        memset(p->count + (size_t)c * p->t->n_kinds, 0, p->t->n_kinds * sizeof *p->count);
}

void covey_i_peel_move(covey_peel *p, uint32_t lot, uint32_t c)
{
    covey_i_peel_remove(p, lot);
    covey_i_peel_add(p, c, lot);
}

void covey_i_peel_merge(covey_peel *p, uint32_t from, uint32_t into)
{
    while (p->class[from].n > 0)
        covey_i_peel_move(p, p->class[from].first, into);
}

int64_t covey_i_peel_loss_without(const covey_peel *p, uint32_t lot)
{
    const covey_peel_class *class = &p->class[p->class_of[lot]];
    const uint32_t *low;

    if (class->n == 1 || class->loss == 0)
        return 0;
    low = covey_i_peel_box_without(p, lot);
    return covey_i_peel_box_loss(p->t, low, low + p->t->width);
}

static int compare_lots(const void *a, const void *b, void *context)
{
    const uint32_t x = covey_i_peel_first(context, *(const uint32_t *)a),
                   y = covey_i_peel_first(context, *(const uint32_t *)b);

    return x < y ? -1 : x > y;
}

/* As shakes ask for the rows of a class all the time. */
static void sort_few(uint32_t *lots, uint32_t n, const covey_peel_table *t)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t lot = lots[i], first = covey_i_peel_first(t, lot);
        uint32_t j = i;

        for (; j > 0 && covey_i_peel_first(t, lots[j - 1]) > first; j--)
            lots[j] = lots[j - 1];
        lots[j] = lot;
    }
}

uint32_t covey_i_peel_lots_of(uint32_t *lots, const covey_peel *p, uint32_t c)
{
    uint32_t n = 0;

    for (uint32_t lot = p->class[c].first; lot != COVEY_PEEL_NONE; lot = p->next[lot])
        lots[n++] = lot;
    if (n > COVEY_PEEL_MOST_DISSOLVED)
        qsort_r(lots, n, sizeof *lots, compare_lots, (void *)p->t);
    else
        sort_few(lots, n, p->t);
    return n;
}

void covey_i_peel_drop_empty(covey_peel *p)
{
    const size_t d4 = 4 * p->t->width, n_kinds = p->t->n_kinds;
    uint32_t kept = 0;

    for (uint32_t c = 0; c < p->n_classes; c++) {
        if (p->class[c].n == 0)
            continue;
        if (kept != c) {
            p->class[kept] = p->class[c];
            p->class[kept].has_inner = false;
            memcpy(p->box + kept * d4, p->box + c * d4, d4 * sizeof *p->box);
            if (p->count)
                memcpy(p->count + kept * n_kinds, p->count + c * n_kinds, n_kinds * sizeof *p->count);
            for (uint32_t r = p->class[c].first; r != COVEY_PEEL_NONE; r = p->next[r])
                p->class_of[r] = kept;
        }
        kept++;
    }
    p->n_classes = kept;
}

int64_t covey_i_peel_total(const covey_peel *p)
{
    int64_t sum = 0, whole = 0, n = 0;

    for (size_t a = 0; a < p->t->n_axes; a++)
        whole += p->t->axis[a].unit;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        sum += covey_i_peel_cost(p, c);
        n += p->class[c].n;
    }
    return sum + (p->t->n_rows - n) * whole;
}
