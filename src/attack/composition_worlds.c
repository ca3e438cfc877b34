/* Worlds of few people, one after another.  A row is given to one person at most; those that are left go to who is in
 * one release alone, or to nobody, in as many ways whichever they are. */
#include "attack/composition_worlds.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* --- groups --- */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    for (; parent[i] != i; i = parent[i])
        parent[i] = parent[parent[i]];
    return i;
}

static int compare_groups(const void *a, const void *b)
{
    const covey_tied_person *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->class[0] != y->class[0])
        return x->class[0] < y->class[0] ? -1 : 1;
    if (x->class[1] != y->class[1])
        return x->class[1] < y->class[1] ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

covey_status covey_i_composition_worlds_group(covey_tied_person *person, uint32_t n,
                                              const covey_attack_target *const target[2], covey_arena *arena,
                                              covey_error *err)
{
    const uint32_t first = target[0]->n_classes, n_classes = first + target[1]->n_classes;
    uint32_t *parent = covey_arena_array(arena, uint32_t, n_classes);

    if (!parent)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < n_classes; c++)
        parent[c] = c;
    for (uint32_t i = 0; i < n; i++)
        parent[find_root(parent, person[i].class[0])] = find_root(parent, first + person[i].class[1]);
    for (uint32_t i = 0; i < n; i++)
        person[i].group = find_root(parent, person[i].class[0]);
    qsort(person, n, sizeof *person, compare_groups);
    return COVEY_OK;
}

/* --- worlds --- */

/* Gives each class of one side a place, and counts its rows there. */
static void fill_side(covey_tied_worlds *w, int side)
{
    const covey_attack_target *t = w->target[side];
    const uint32_t n_values = w->target[0]->n_values;

    memset(w->left[side], 0, (size_t)COVEY_MOST_TIED * n_values * sizeof *w->left[side]);
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t class = w->person[i].class[side];
        uint32_t same = 0;

        while (w->person[same].class[side] != class)
            same++;
        w->place[side][i] = same * n_values;
        for (uint32_t e = t->start[class]; e < t->start[class + 1] && same == i; e++)
            if (w->value_of[side][t->entry[e].value] != UINT32_MAX)
                w->left[side][same * n_values + w->value_of[side][t->entry[e].value]] += t->entry[e].n;
    }
}

/* Would the number of all worlds fit? */
static bool is_countable(const covey_tied_worlds *w)
{
    int bits = 0;

    for (uint32_t i = 0; i < w->n; i++)
        for (int s = 0; s < 2; s++)
            bits += 64 - __builtin_clzll((unsigned long long)w->target[s]->size[w->person[i].class[s]]);
    return bits <= 120;
}

static void add_worlds(covey_tied_worlds *w, covey_i128 n)
{
    for (uint32_t i = 0; i < w->n; i++) {
        w->person[i].n += n;
        w->person[i].has += w->value[i] == w->person[i].value ? n : 0;
    }
}

/* Everybody from this person on; n: ways to give the others their rows.  false: it took too long. */
static bool give_rows(covey_tied_worlds *w, uint32_t i, covey_i128 n)
{
    const covey_attack_target *t = w->target[0];

    if (++w->n_steps > COVEY_MOST_WORLD_STEPS)
        return false;
    if (i == w->n) {
        add_worlds(w, n);
        return true;
    }
    for (uint32_t e = t->start[w->person[i].class[0]]; e < t->start[w->person[i].class[0] + 1]; e++) {
        int64_t *a = &w->left[0][w->place[0][i] + t->entry[e].value];
        int64_t *b = &w->left[1][w->place[1][i] + t->entry[e].value];
        bool done;

        if (*a == 0 || *b == 0)
            continue;
        w->value[i] = t->entry[e].value;
        --*a, --*b;
        done = give_rows(w, i + 1, n * (*a + 1) * (*b + 1));
        ++*a, ++*b;
        if (!done)
            return false;
    }
    return true;
}

bool covey_i_composition_worlds_count(covey_tied_worlds *w, covey_tied_person *person, uint32_t n)
{
    w->person = person;
    w->n = n;
    if (n > COVEY_MOST_TIED || w->n_steps > COVEY_MOST_WORLD_STEPS || !is_countable(w))
        return false;
    for (int s = 0; s < 2; s++)
        fill_side(w, s);
    for (uint32_t i = 0; i < n; i++)
        person[i].n = person[i].has = 0;
    return give_rows(w, 0, 1);
}
