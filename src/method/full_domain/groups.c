/* The classes of the table at a node of the lattice.  Rows are looked at once: from then on classes are rolled up from
 * the classes of a node below, which are few. */
#include "method/full_domain/full_domain.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum { BLOCK = 64 }; /* groups that are looked up together */

void covey_i_full_domain_groups_clear(covey_lattice_groups *groups)
{
    covey_i_free(groups->key);
    covey_i_free(groups->size);
    covey_i_free(groups->item_start);
    covey_i_free(groups->item_kind);
    covey_i_free(groups->item_count);
    covey_i_free(groups->low);
    covey_i_free(groups->high);
    *groups = (covey_lattice_groups){0};
}

size_t covey_i_full_domain_groups_bytes(const covey_lattice_groups *groups, const covey_lattice *lattice)
{
    size_t bytes = groups->n * (lattice->n_words * sizeof(uint64_t) + sizeof(uint32_t));

    if (groups->item_start)
        bytes += groups->n * sizeof(uint32_t) + groups->item_start[groups->n] * 2 * sizeof(uint32_t);
    if (groups->low)
        bytes += groups->n * lattice->n_attributes * 2 * sizeof(uint32_t);
    return bytes;
}

/* What it takes to judge what levels show. */
static covey_status prepare_levels(covey_lattice_worker *w, covey_error *err)
{
    const covey_lattice *lattice = w->lattice;
    const covey_promises *promises = &lattice->problem->promises;
    const size_t d = lattice->n_attributes;

    w->keeps = covey_arena_array(&w->arena, bool, lattice->runs.n);
    w->label_low = covey_arena_array_zero(&w->arena, uint32_t *, d);
    w->label_high = covey_arena_array_zero(&w->arena, uint32_t *, d);
    w->low = covey_arena_array_zero(&w->arena, uint32_t, d);
    w->high = covey_arena_array_zero(&w->arena, uint32_t, d);
    if (!w->keeps || !w->label_low || !w->label_high || !w->low || !w->high)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < promises->n; i++) {
        const int a = promises->promise[i].quasi;

        if (a < 0 || w->label_low[a])
            continue;
        w->label_low[a] = covey_arena_array(&w->arena, uint32_t, lattice->attribute[a].n_codes);
        w->label_high[a] = covey_arena_array(&w->arena, uint32_t, lattice->attribute[a].n_codes);
        if (!w->label_low[a] || !w->label_high[a])
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

covey_status covey_i_full_domain_worker_new(covey_lattice_worker *worker, const covey_lattice *lattice,
                                            covey_error *err)
{
    const covey_promises *promises = &lattice->problem->promises;

    *worker = (covey_lattice_worker){.lattice = lattice};
    COVEY_TRY(covey_i_tally_new(&worker->tally, promises, &worker->arena, err));
    COVEY_TRY(covey_i_tally_new(&worker->gone, promises, &worker->arena, err));
    if (!(worker->block_key = covey_arena_array(&worker->arena, uint64_t, BLOCK * lattice->n_words)))
        return covey_i_no_memory(err);
    if (lattice->has_ranges && lattice->shows_levels)
        COVEY_TRY(prepare_levels(worker, err));
    worker->gone.has_ranges = false; /* nothing of suppressed rows is published but their sensitive values */
    if (lattice->kind) {
        worker->count = covey_i_array_zero(lattice->n_kinds, sizeof *worker->count);
        worker->touched = covey_i_array(lattice->n_kinds, sizeof *worker->touched);
        if (!worker->count || !worker->touched)
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

void covey_i_full_domain_worker_clear(covey_lattice_worker *worker)
{
    covey_i_free(worker->slot);
    covey_i_free(worker->group_of);
    covey_i_free(worker->count);
    covey_i_free(worker->touched);
    covey_arena_free(&worker->arena);
    *worker = (covey_lattice_worker){0};
}

static covey_status allocate(covey_lattice_groups *out, uint32_t n, size_t n_items, const covey_lattice *lattice,
                             covey_error *err)
{
    const size_t n_ranges = (size_t)n * lattice->n_attributes;
    bool ok;

    out->n = n;
    out->key = covey_i_array((size_t)n * lattice->n_words, sizeof *out->key);
    out->size = covey_i_array_zero(n, sizeof *out->size);
    ok = out->key && out->size;
    if (lattice->kind) {
        out->item_start = covey_i_array_zero((size_t)n + 1, sizeof *out->item_start);
        out->item_kind = covey_i_array(n_items, sizeof *out->item_kind);
        out->item_count = covey_i_array(n_items, sizeof *out->item_count);
        ok = ok && out->item_start && out->item_kind && out->item_count;
    }
    if (lattice->has_ranges) {
        out->low = covey_i_array(n_ranges, sizeof *out->low);
        out->high = covey_i_array(n_ranges, sizeof *out->high);
        ok = ok && out->low && out->high;
    }
    if (ok)
        return COVEY_OK;
    covey_i_full_domain_groups_clear(out);
    return covey_i_no_memory(err);
}

/* --- the different rows --- */

static void set_base_group(covey_lattice_groups *out, uint32_t g, const covey_lattice *lattice, uint32_t row)
{
    uint64_t *key = out->key + (size_t)g * lattice->n_words;

    memset(key, 0, lattice->n_words * sizeof *key);
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];
        const uint32_t code = covey_column_code(attribute->axis->column, row);

        key[attribute->word] |= (uint64_t)attribute->level[0].label[code] << attribute->shift;
        if (out->low)
            out->low[(size_t)g * lattice->n_attributes + a] = out->high[(size_t)g * lattice->n_attributes + a] = code;
    }
}

covey_status covey_i_full_domain_groups_base(covey_lattice_groups *out, uint32_t *group_of_row,
                                             const covey_lattice *lattice, covey_error *err)
{
    const covey_row_runs *runs = &lattice->runs;
    size_t n_items = runs->n;

    *out = (covey_lattice_groups){0};
    for (uint32_t g = 0; g < runs->n && lattice->kind; g++)
        for (uint32_t i = runs->start[g] + 1; i < runs->start[g + 1]; i++)
            n_items += lattice->kind[i] != lattice->kind[i - 1];
    COVEY_TRY(allocate(out, runs->n, n_items, lattice, err));
    n_items = 0;
    for (uint32_t g = 0; g < runs->n; g++) {
        set_base_group(out, g, lattice, lattice->row[runs->start[g]]);
        out->size[g] = runs->start[g + 1] - runs->start[g];
        if (lattice->kind)
            out->item_start[g] = (uint32_t)n_items;
        for (uint32_t i = runs->start[g]; i < runs->start[g + 1]; i++) {
            if (group_of_row)
                group_of_row[i] = g;
            if (!lattice->kind)
                continue;
            if (i == runs->start[g] || lattice->kind[i] != lattice->kind[i - 1]) {
                out->item_kind[n_items] = lattice->kind[i];
                out->item_count[n_items++] = 0;
            }
            out->item_count[n_items - 1]++;
        }
    }
    if (lattice->kind)
        out->item_start[runs->n] = (uint32_t)n_items;
    return COVEY_OK;
}

/* --- from one node to another --- */

/* How one attribute's labels change. */
struct change {
    size_t word;
    unsigned shift;
    uint64_t mask;
    const uint32_t *label; /* [labels before] */
};

static covey_status list_changes(struct change *change, size_t *n, const covey_lattice *lattice, const uint8_t *from,
                                 const uint8_t *to, covey_arena *arena, covey_error *err)
{
    *n = 0;
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];
        uint32_t *label;

        if (from[a] == to[a])
            continue;
        if (!(label = covey_arena_array(arena, uint32_t, attribute->level[from[a]].n_labels)))
            return covey_i_no_memory(err);
        for (uint32_t c = 0; c < attribute->n_codes; c++)
            label[attribute->level[from[a]].label[c]] = attribute->level[to[a]].label[c];
        change[(*n)++] = (struct change){attribute->word, attribute->shift, attribute->mask, label};
    }
    return COVEY_OK;
}

static void change_key(uint64_t *key, const uint64_t *from, size_t n_words, const struct change *change, size_t n)
{
    for (size_t w = 0; w < n_words; w++)
        key[w] = from[w];
    for (size_t i = 0; i < n; i++) {
        const uint64_t old = key[change[i].word] >> change[i].shift & change[i].mask;

        key[change[i].word] ^= (old ^ change[i].label[old]) << change[i].shift;
    }
}

static uint64_t hash_key(const uint64_t *key, size_t n_words)
{
    uint64_t hash = 0;

    for (size_t w = 0; w < n_words; w++)
        hash = covey_i_mix(hash, key[w]);
    return hash;
}

static inline bool same_key(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    return n_words == 1 ? *a == *b : memcmp(a, b, n_words * sizeof *a) == 0;
}

static covey_status make_room(covey_lattice_worker *w, uint32_t n, covey_error *err)
{
    size_t wanted = 64;

    while (wanted < 2 * (size_t)n)
        wanted *= 2;
    if (n > w->n_group_of) {
        covey_i_free(w->group_of);
        w->n_group_of = 0;
        if (!(w->group_of = covey_i_array(n, sizeof *w->group_of)))
            return covey_i_no_memory(err);
        w->n_group_of = n;
    }
    if (wanted > w->n_slots) {
        covey_i_free(w->slot);
        w->n_slots = 0;
        if (!(w->slot = covey_i_array(wanted, sizeof *w->slot)))
            return covey_i_no_memory(err);
        w->n_slots = wanted;
    }
    memset(w->slot, 0, wanted * sizeof *w->slot);
    return COVEY_OK;
}

/* Fills group_of and keys; returns how many groups there are.  Slots and keys lie where no cache holds them, so a
 * block's are fetched together: first the slots, then the keys that they lead to. */
static uint32_t find_groups(covey_lattice_groups *out, covey_lattice_worker *w, const covey_lattice_groups *source,
                            const struct change *change, size_t n_changes)
{
    const size_t n_words = w->lattice->n_words;
    size_t mask = 64;
    uint32_t n = 0, n_block;

    while (mask < 2 * (size_t)source->n)
        mask *= 2;
    mask--;
    for (uint32_t first = 0; first < source->n; first += n_block) {
        size_t at[BLOCK];

        n_block = source->n - first < BLOCK ? source->n - first : BLOCK;
        for (uint32_t i = 0; i < n_block; i++) {
            uint64_t *key = w->block_key + i * n_words;

            change_key(key, source->key + (first + i) * n_words, n_words, change, n_changes);
            at[i] = hash_key(key, n_words) & mask;
            __builtin_prefetch(&w->slot[at[i]], 1);
        }
        for (uint32_t i = 0; i < n_block; i++)
            if (w->slot[at[i]] != 0)
                __builtin_prefetch(out->key + (w->slot[at[i]] - 1) * n_words);
        for (uint32_t i = 0; i < n_block; i++) {
            const uint64_t *key = w->block_key + i * n_words;

            while (w->slot[at[i]] != 0 && !same_key(out->key + (w->slot[at[i]] - 1) * n_words, key, n_words))
                at[i] = (at[i] + 1) & mask;
            if (w->slot[at[i]] == 0) {
                memcpy(out->key + n * n_words, key, n_words * sizeof *key);
                w->slot[at[i]] = ++n;
            }
            w->group_of[first + i] = w->slot[at[i]] - 1;
        }
    }
    return n;
}

/* Items of the groups' members, put together kind by kind. */
static covey_status merge_items(covey_lattice_groups *out, covey_lattice_worker *w, const covey_lattice_groups *source,
                                covey_error *err)
{
    uint32_t *start = covey_i_array_zero((size_t)out->n + 2, sizeof *start),
             *member = covey_i_array(source->n, sizeof *member);
    uint32_t n_items = 0;

    if (!start || !member) {
        covey_i_free(start);
        covey_i_free(member);
        return covey_i_no_memory(err);
    }
    for (uint32_t g = 0; g < source->n; g++)
        start[w->group_of[g] + 2]++;
    for (uint32_t g = 0; g < out->n; g++)
        start[g + 2] += start[g + 1];
    for (uint32_t g = 0; g < source->n; g++)
        member[start[w->group_of[g] + 1]++] = g;
    for (uint32_t g = 0; g < out->n; g++) {
        uint32_t n_touched = 0;

        for (uint32_t m = start[g]; m < start[g + 1]; m++)
            for (uint32_t i = source->item_start[member[m]]; i < source->item_start[member[m] + 1]; i++) {
                const uint32_t kind = source->item_kind[i];

                if (w->count[kind] == 0)
                    w->touched[n_touched++] = kind;
                w->count[kind] += source->item_count[i];
            }
        out->item_start[g] = n_items;
        for (uint32_t i = 0; i < n_touched; i++) {
            out->item_kind[n_items] = w->touched[i];
            out->item_count[n_items++] = w->count[w->touched[i]];
            w->count[w->touched[i]] = 0;
        }
    }
    out->item_start[out->n] = n_items;
    covey_i_free(start);
    covey_i_free(member);
    return COVEY_OK;
}

static void merge_sizes(covey_lattice_groups *out, const covey_lattice_worker *w, const covey_lattice_groups *source)
{
    const size_t d = w->lattice->n_attributes;

    for (uint32_t g = 0; g < source->n; g++) {
        const uint32_t to = w->group_of[g];

        if (out->low)
            for (size_t a = 0; a < d; a++) {
                const uint32_t low = source->low[g * d + a], high = source->high[g * d + a];

                if (out->size[to] == 0 || low < out->low[to * d + a])
                    out->low[to * d + a] = low;
                if (out->size[to] == 0 || high > out->high[to * d + a])
                    out->high[to * d + a] = high;
            }
        out->size[to] += source->size[g];
    }
}

/* An array of n elements in as much memory as they take; as it is where that fails, or where there is none. */
#define SHRINK(array, n)                                                                                               \
    do {                                                                                                               \
        void *smaller = (array) ? covey_i_realloc((array), (n), sizeof *(array)) : NULL;                               \
                                                                                                                       \
        if (smaller)                                                                                                   \
            (array) = smaller;                                                                                         \
    } while (0)

/* Gives back what the source's size had to be assumed for. */
static void shrink(covey_lattice_groups *groups, const covey_lattice *lattice)
{
    const size_t n = groups->n, n_items = groups->item_start ? groups->item_start[n] : 0;

    SHRINK(groups->key, n * lattice->n_words);
    SHRINK(groups->size, n);
    SHRINK(groups->item_start, n + 1);
    SHRINK(groups->item_kind, n_items);
    SHRINK(groups->item_count, n_items);
    SHRINK(groups->low, n * lattice->n_attributes);
    SHRINK(groups->high, n * lattice->n_attributes);
}

static bool are_too_small(const covey_lattice_groups *groups, const covey_lattice *lattice)
{
    int64_t n = 0;

    for (uint32_t g = 0; g < groups->n && n <= lattice->problem->max_suppressed; g++)
        if (groups->size[g] < lattice->min_size)
            n += groups->size[g];
    return n > lattice->problem->max_suppressed;
}

covey_status covey_i_full_domain_groups_roll_up(covey_lattice_groups *out, bool *is_too_small,
                                                covey_lattice_worker *worker, const covey_lattice_groups *source,
                                                const uint8_t *from, const uint8_t *to, covey_error *err)
{
    const covey_lattice *lattice = worker->lattice;
    const covey_arena_mark mark = covey_arena_save(&worker->arena);
    struct change *change = covey_arena_array(&worker->arena, struct change, lattice->n_attributes);
    covey_lattice_groups made = {0};
    covey_status status;
    size_t n_changes;

    if (!change)
        return covey_i_no_memory(err);
    if ((status = list_changes(change, &n_changes, lattice, from, to, &worker->arena, err)) == COVEY_OK &&
        (status = make_room(worker, source->n, err)) == COVEY_OK &&
        (status = allocate(&made, source->n + 1, source->item_start ? source->item_start[source->n] : 0, lattice,
                           err)) == COVEY_OK) {
        made.n = find_groups(&made, worker, source, change, n_changes);
        merge_sizes(&made, worker, source);
        if (is_too_small && (*is_too_small = are_too_small(&made, lattice)))
            covey_i_full_domain_groups_clear(&made);
        else if (lattice->kind)
            status = merge_items(&made, worker, source, err);
    }
    covey_arena_rewind(&worker->arena, mark);
    if (status != COVEY_OK) {
        covey_i_full_domain_groups_clear(&made);
        return status;
    }
    if (made.n > 0)
        shrink(&made, lattice);
    *out = made;
    return COVEY_OK;
}
