/* A decision tree on rows of codes.  A number parts its rows at a threshold, a category into one branch
 * per value; the attribute with the best gain ratio is taken, of those with at least a mean gain, and branches are cut
 * off again whose rows would be guessed no worse, at the upper end of what a sample may err by.
 *
 * Source: [Quinlan93] chapters 2 and 4. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "reproduce/slicing/learning.h"

enum { LEAST_LEAF = 2, DEEPEST = 40 };
/* One-sided 25 % of the normal distribution: C4.5's confidence for pruning. */
#define PRUNING_Z 0.6744897501960817

struct node {
    uint32_t guess;
    double errors; /* upper estimate for its rows, of the tree below it */
    size_t attribute;
    bool is_cut;              /* codes up to `cut` go to child[0], others to child[1]; else code by code */
    uint32_t cut, n_children; /* 0: a leaf */
    struct node **child;
};

struct tree {
    const covey_lesson *lesson;
    size_t target;
    uint32_t n_classes;
    uint32_t *row, *spare; /* [n] rows, those of a node side by side */
    uint32_t *count;       /* [most codes * n_classes] scratch */
    uint32_t *total;       /* [most codes] scratch */
    uint32_t *left;        /* [n_classes] scratch */
    covey_arena *arena;
};

/* How a node may be parted. */
struct split {
    size_t attribute;
    bool is_cut;
    uint32_t cut;
    double gain, ratio;
};

/* n times the entropy of counts that sum to n. */
static double information(const uint32_t *count, size_t n_counts, uint32_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n_counts; i++)
        if (count[i] > 0)
            sum -= count[i] * log2((double)count[i] / n);
    return sum;
}

static double term(uint32_t part, uint32_t n)
{
    return part > 0 ? -(double)part * log2((double)part / n) : 0;
}

static void count_codes(struct tree *t, size_t a, uint32_t from, uint32_t to)
{
    const uint32_t *code = t->lesson->code[a], *class = t->lesson->code[t->target];

    memset(t->count, 0, (size_t)t->lesson->n_codes[a] * t->n_classes * sizeof *t->count);
    memset(t->total, 0, t->lesson->n_codes[a] * sizeof *t->total);
    for (uint32_t i = from; i < to; i++) {
        t->count[(size_t)code[t->row[i]] * t->n_classes + class[t->row[i]]]++;
        t->total[code[t->row[i]]]++;
    }
}

static bool try_values(struct split *out, struct tree *t, size_t a, uint32_t n, double whole)
{
    double inside = 0, parted = 0;
    uint32_t large = 0;

    for (uint32_t v = 0; v < t->lesson->n_codes[a]; v++)
        if (t->total[v] > 0) {
            inside += information(t->count + (size_t)v * t->n_classes, t->n_classes, t->total[v]);
            parted += term(t->total[v], n);
            large += t->total[v] >= LEAST_LEAF;
        }
    *out = (struct split){.attribute = a, .gain = (whole - inside) / n, .ratio = (whole - inside) / parted};
    return large >= 2 && parted > 0;
}

/* A threshold is chosen among many, which costs its share of the gain. */
static bool try_cuts(struct split *out, struct tree *t, size_t a, const uint32_t *class_count, uint32_t n, double whole)
{
    uint32_t below = 0, n_cuts = 0, right[256];
    bool found = false;

    if (t->n_classes > sizeof right / sizeof *right)
        return false;
    memset(t->left, 0, t->n_classes * sizeof *t->left);
    *out = (struct split){.attribute = a, .is_cut = true};
    for (uint32_t v = 0; v + 1 < t->lesson->n_codes[a]; v++) {
        double gain;

        if (t->total[v] == 0)
            continue;
        below += t->total[v];
        for (uint32_t c = 0; c < t->n_classes; c++)
            t->left[c] += t->count[(size_t)v * t->n_classes + c];
        if (n - below == 0)
            break;
        n_cuts++;
        if (below < LEAST_LEAF || n - below < LEAST_LEAF)
            continue;
        for (uint32_t c = 0; c < t->n_classes; c++)
            right[c] = class_count[c] - t->left[c];
        gain = (whole - information(t->left, t->n_classes, below) - information(right, t->n_classes, n - below)) / n;
        if (!found || gain > out->gain) {
            found = true;
            out->gain = gain;
            out->cut = v;
            out->ratio = (term(below, n) + term(n - below, n)) / n;
        }
    }
    if (found) {
        out->gain -= log2(n_cuts) / n;
        out->ratio = out->gain / out->ratio;
    }
    return found;
}

static bool find_split(struct split *out, struct tree *t, const uint32_t *class_count, uint32_t from, uint32_t to)
{
    struct split split[COVEY_LESSON_ATTRIBUTES];
    const double whole = information(class_count, t->n_classes, to - from);
    double mean = 0;
    size_t n = 0;
    bool found = false;

    for (size_t a = 0; a < t->lesson->n_attributes; a++) {
        if (a == t->target)
            continue;
        count_codes(t, a, from, to);
        if ((t->lesson->is_ordered[a] ? try_cuts(&split[n], t, a, class_count, to - from, whole)
                                      : try_values(&split[n], t, a, to - from, whole)) &&
            split[n].gain > 1e-9)
            mean += split[n++].gain;
    }
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        if (split[i].gain >= mean - 1e-9 && (!found || split[i].ratio > out->ratio)) {
            *out = split[i];
            found = true;
        }
    return found;
}

/* What n rows with that many errors may err by at most, [Quinlan93] section 4.2 with the normal approximation. */
static double upper_errors(uint32_t errors, uint32_t n)
{
    const double f = (double)errors / n, z = PRUNING_Z, z2 = z * z;

    return n * (f + z2 / (2 * n) + z * sqrt(f / n - f * f / n + z2 / (4.0 * n * n))) / (1 + z2 / n);
}

static uint32_t branch_of(const struct node *node, uint32_t code)
{
    return node->is_cut ? code > node->cut : code;
}

/* Rows of branch 0 first, then those of branch 1, ...; start[n_branches + 1]. */
static void part_rows(struct tree *t, const struct node *node, uint32_t *start, uint32_t from, uint32_t to)
{
    const uint32_t *code = t->lesson->code[node->attribute];

    memset(start, 0, ((size_t)node->n_children + 1) * sizeof *start);
    for (uint32_t i = from; i < to; i++)
        start[branch_of(node, code[t->row[i]]) + 1]++;
    start[0] = from;
    for (uint32_t b = 0; b < node->n_children; b++)
        start[b + 1] += start[b];
    memcpy(t->spare + from, t->row + from, (to - from) * sizeof *t->row);
    for (uint32_t i = from; i < to; i++)
        t->row[start[branch_of(node, code[t->spare[i]])]++] = t->spare[i];
    for (uint32_t b = node->n_children; b > 0; b--)
        start[b] = start[b - 1];
    start[0] = from;
}

static covey_status grow(struct node **out, struct tree *t, uint32_t from, uint32_t to, int depth, covey_error *err);

static covey_status grow_children(struct node *node, struct tree *t, const struct split *split, uint32_t from,
                                  uint32_t to, int depth, covey_error *err)
{
    const double as_leaf = node->errors;
    double below = 0;
    uint32_t *start;

    node->attribute = split->attribute;
    node->is_cut = split->is_cut;
    node->cut = split->cut;
    node->n_children = split->is_cut ? 2 : t->lesson->n_codes[split->attribute];
    node->child = covey_arena_array_zero(t->arena, struct node *, node->n_children);
    start = covey_arena_array(t->arena, uint32_t, (size_t)node->n_children + 1);
    if (!node->child || !start)
        return covey_i_no_memory(err);
    part_rows(t, node, start, from, to);
    for (uint32_t b = 0; b < node->n_children; b++)
        if (start[b + 1] > start[b]) {
            COVEY_TRY(grow(&node->child[b], t, start[b], start[b + 1], depth + 1, err));
            below += node->child[b]->errors;
        }
    if (as_leaf <= below + 0.1)
        node->n_children = 0;
    else
        node->errors = below;
    return COVEY_OK;
}

static covey_status grow(struct node **out, struct tree *t, uint32_t from, uint32_t to, int depth, covey_error *err)
{
    struct node *node = covey_arena_array_zero(t->arena, struct node, 1);
    uint32_t *count = covey_arena_array_zero(t->arena, uint32_t, t->n_classes);
    struct split split;

    if (!node || !count)
        return covey_i_no_memory(err);
    *out = node;
    for (uint32_t i = from; i < to; i++)
        count[t->lesson->code[t->target][t->row[i]]]++;
    for (uint32_t c = 1; c < t->n_classes; c++)
        if (count[c] > count[node->guess])
            node->guess = c;
    node->errors = upper_errors(to - from - count[node->guess], to - from);
    if (count[node->guess] == to - from || to - from < 2 * LEAST_LEAF || depth >= DEEPEST ||
        !find_split(&split, t, count, from, to))
        return COVEY_OK;
    return grow_children(node, t, &split, from, to, depth, err);
}

static uint32_t guess(const struct node *node, const covey_lesson *test, uint32_t row)
{
    for (;;) {
        const struct node *child =
            node->n_children > 0 ? node->child[branch_of(node, test->code[node->attribute][row])] : NULL;

        if (!child) /* a leaf, or a value that no row has had here */
            return node->guess;
        node = child;
    }
}

covey_status covey_i_learn_tree(double *share, const covey_lesson *lesson, const covey_lesson *test, size_t target,
                                covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    struct tree tree = {.lesson = lesson, .target = target, .n_classes = lesson->n_codes[target], .arena = arena};
    uint32_t most = 0, hits = 0;
    struct node *root;

    for (size_t a = 0; a < lesson->n_attributes; a++)
        most = lesson->n_codes[a] > most ? lesson->n_codes[a] : most;
    tree.row = covey_arena_array(arena, uint32_t, lesson->n);
    tree.spare = covey_arena_array(arena, uint32_t, lesson->n);
    tree.count = covey_arena_array(arena, uint32_t, (size_t)most * tree.n_classes);
    tree.total = covey_arena_array(arena, uint32_t, most);
    tree.left = covey_arena_array(arena, uint32_t, tree.n_classes);
    if (!tree.row || !tree.spare || !tree.count || !tree.total || !tree.left)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < lesson->n; i++)
        tree.row[i] = i;
    COVEY_TRY(grow(&root, &tree, 0, lesson->n, 0, err));
    for (uint32_t i = 0; i < test->n; i++)
        hits += guess(root, test, i) == test->code[target][i];
    *share = test->n > 0 ? (double)hits / test->n : NAN;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}
