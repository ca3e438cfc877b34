/* Proving the forms that are judged by what can be concluded, not by counts of classes. */
#include "prover_impl.h"

#include <math.h>
#include <string.h>

static const double margin = 1e-9; /* doubles decide only outside of it */

static bool number_at(double *out, proving *p, const plain_table *table, size_t row, size_t column)
{
    char *end;

    *out = strtod(plain_cell(table, row, column), &end);
    if (*end == '\0' && end != plain_cell(table, row, column) && isfinite(*out))
        return true;
    prover_say(p, PROOF_OPEN, "\"%.20s\" is no number", plain_cell(table, row, column));
    return false;
}

static const json_t *promise_of(const proving *p, const char *model)
{
    size_t i;
    json_t *promise;

    json_array_foreach(json_object_get(p->manifest, "promises"), i, promise)
    {
        const char *name = json_string_value(json_object_get(promise, "model"));

        if (name && strcmp(name, model) == 0)
            return promise;
    }
    return NULL;
}

static bool has_other_promises(const proving *p, const char *const *models)
{
    size_t i, n = 0;

    for (i = 0; models[i]; i++)
        n += promise_of(p, models[i]) != NULL;
    return json_array_size(json_object_get(p->manifest, "promises")) != n;
}

/* --- perturbed: what a shown value tells of the true one [CaoKarras12, section 5] --- */

struct channel {
    size_t n;
    double prior[JOB_MOST_ROWS], alpha[JOB_MOST_ROWS];
};

/* P(true = i | shown = v). */
static double posterior(const struct channel *c, size_t i, size_t v)
{
    double all = 0, one = 0;

    for (size_t j = 0; j < c->n; j++) {
        const double share = c->prior[j] * ((j == v ? c->alpha[j] : 0) + (1 - c->alpha[j]) / (double)c->n);

        all += share;
        one = j == i ? share : one;
    }
    return all > 0 ? one / all : 0;
}

static void judge_channel(proving *p, const struct channel *c, double beta, bool is_enhanced)
{
    for (size_t v = 0; v < c->n; v++)
        for (size_t i = 0; i < c->n; i++) {
            const double most = is_enhanced ? fmin(beta, -log(c->prior[i])) : beta,
                         gain = posterior(c, i, v) / c->prior[i] - 1;

            if (gain > most + margin)
                prover_say(p, PROOF_BROKEN, "who shows value %zu has value %zu with a gain of %g", v + 1, i + 1, gain);
        }
}

/* The manifest's counts and the shares of perturbation.csv are of one table. */
static void compare_priors(proving *p, const struct channel *c, const plain_table *table)
{
    const char *name = p->view[0].column->name;
    const json_t *counts = json_object_get(json_object_get(p->manifest, "prior"), name);
    const double n = (double)json_integer_value(json_object_get(p->manifest, "rows"));

    for (size_t i = 0; counts && i < c->n; i++) {
        const char *value = plain_cell(table, i, 0);
        const json_t *count = json_object_get(counts, *value ? value : "null");

        if (count && fabs(json_number_value(count) / n - c->prior[i]) > margin)
            prover_say(p, PROOF_BROKEN, "the prior of %s is %g", value, c->prior[i]);
    }
}

void prove_perturbed(proving *p)
{
    static const char *const models[] = {"basic-beta-likeness", "enhanced-beta-likeness", NULL};
    static struct channel c;
    plain_table table;
    double sum = 0;
    int64_t num, den;

    if (!prover_read(&table, p, "perturbation.csv") || table.n_columns != 5 || table.n_rows > JOB_MOST_ROWS ||
        has_other_promises(p, models)) {
        prover_say(p, PROOF_OPEN, "a perturbed release that is not understood here");
        return;
    }
    c.n = table.n_rows;
    for (size_t i = 0; i < c.n; i++) {
        if (!number_at(&c.prior[i], p, &table, i, 1) || !number_at(&c.alpha[i], p, &table, i, 4))
            return;
        sum += c.prior[i];
        if (c.prior[i] <= 0 || c.alpha[i] < 0 || c.alpha[i] > 1)
            prover_say(p, PROOF_BROKEN, "line %zu of perturbation.csv holds no shares", i + 2);
    }
    if (fabs(sum - 1) > margin)
        prover_say(p, PROOF_BROKEN, "the priors add up to %g", sum);
    compare_priors(p, &c, &table);
    for (size_t m = 0; m < 2 && p->answer != PROOF_BROKEN; m++) {
        const json_t *promise = promise_of(p, models[m]);

        if (promise && prover_ratio(&num, &den, prover_param(promise, "beta")))
            judge_channel(p, &c, (double)num / (double)den, m == 1);
        if (promise && json_object_size(json_object_get(promise, "parameters")) != 1)
            prover_say(p, PROOF_OPEN, "%s with more parameters", models[m]);
    }
}

/* --- transformed: do the members of a group, each spread over its interval as the target is, look like the target?
 * [Koudas09] --- */

enum { MOST_NODES = 512 };

struct node {
    double target, weight;
    const char *low, *high;
    size_t end; /* of its subtree, in pre-order */
    double mass;
};

static bool is_leaf(const struct node *node)
{
    return strcmp(node->low, node->high) == 0;
}

/* Targets are trees in pre-order; leaves give every node its place. */
static size_t close_subtree(struct node *node, size_t at, size_t n, long (*place)[2])
{
    size_t next = at + 1;

    while (next < n && node[next].target == node[at].target && place[next][0] >= place[at][0] &&
           place[next][1] <= place[at][1])
        next = close_subtree(node, next, n, place);
    return node[at].end = next;
}

/* Where a text stands among the leaves, in the order of their first target. */
static long place_of(const struct node *node, size_t n, const char *text)
{
    long place = 0;

    for (size_t i = 0; i < n && node[i].target == node[0].target; i++)
        if (is_leaf(&node[i]) && !(i > 0 && is_leaf(&node[i - 1]) && strcmp(node[i - 1].low, node[i].low) == 0)) {
            if (strcmp(node[i].low, text) == 0)
                return place;
            place++;
        }
    return -1;
}

/* Spreads mass from a node down to the leaves, by the weights. */
static void spread(struct node *node, size_t at, double mass, double *leaf_mass)
{
    double sum = 0;

    if (node[at].end == at + 1) {
        leaf_mass[at] += mass;
        return;
    }
    for (size_t child = at + 1; child < node[at].end; child = node[child].end)
        sum += node[child].weight;
    for (size_t child = at + 1; child < node[at].end && sum > 0; child = node[child].end)
        spread(node, child, mass * node[child].weight / sum, leaf_mass);
}

static void judge_group(proving *p, struct node *node, size_t root, const char *group, double n_entries)
{
    double wanted[MOST_NODES] = {0}, found[MOST_NODES] = {0};

    spread(node, root, 1, wanted);
    for (size_t i = root; i < node[root].end; i++)
        if (node[i].mass > 0)
            spread(node, i, node[i].mass / n_entries, found);
    for (size_t i = root; i < node[root].end; i++)
        if (fabs(found[i] - wanted[i]) > margin)
            prover_say(p, PROOF_BROKEN, "group %s gives %s a share of %g, not %g", group, node[i].low, found[i],
                       wanted[i]);
}

/* The target of a group, 1 if there is no groups.csv. */
static double target_of(proving *p, const char *group)
{
    plain_table groups;
    double target = 1;

    if (!plain_try_read(&groups, job_format(p->job, "%s/groups.csv", p->folder), &p->job->arena))
        return 1;
    for (size_t row = 0; row < groups.n_rows && groups.n_columns == 2; row++)
        if (strcmp(plain_cell(&groups, row, 0), group) == 0 && number_at(&target, p, &groups, row, 1))
            return target;
    return target;
}

static bool read_nodes(struct node *node, size_t *n, proving *p)
{
    static long place[MOST_NODES][2];
    plain_table table;

    if (!prover_read(&table, p, "target.csv") || table.n_columns != 6 || table.n_rows > MOST_NODES)
        return false;
    *n = table.n_rows;
    for (size_t i = 0; i < *n; i++) {
        node[i] = (struct node){.low = plain_cell(&table, i, 1), .high = plain_cell(&table, i, 2)};
        if (!number_at(&node[i].target, p, &table, i, 0) || !number_at(&node[i].weight, p, &table, i, 4))
            return false;
    }
    for (size_t i = 0; i < *n; i++) {
        place[i][0] = place_of(node, *n, node[i].low);
        place[i][1] = place_of(node, *n, node[i].high);
        if (place[i][0] < 0 || place[i][1] < place[i][0])
            return false;
    }
    for (size_t i = 0; i < *n; i = node[i].end)
        close_subtree(node, i, *n, place);
    return true;
}

/* Promises that are about the target: what it gives the likeliest value. */
static void judge_targets(proving *p, struct node *node, size_t n)
{
    const json_t *promise = promise_of(p, "probabilistic-l-diversity");
    int64_t num, den;

    for (size_t root = 0; root < n && promise; root = node[root].end) {
        double share[MOST_NODES] = {0};

        spread(node, root, 1, share);
        for (size_t i = root; i < node[root].end && prover_ratio(&num, &den, prover_param(promise, "l")); i++)
            if (share[i] > (double)den / (double)num + margin)
                prover_say(p, PROOF_BROKEN, "target %g gives %s a share of %g", node[root].target, node[i].low,
                           share[i]);
    }
}

void prove_transformed(proving *p)
{
    static const char *const models[] = {"p-private", "probabilistic-l-diversity", NULL};
    static struct node node[MOST_NODES];
    plain_table entries, quasi;
    size_t n, first, end;

    if (has_other_promises(p, models))
        prover_say(p, PROOF_OPEN, "promises on a target");
    if (!prover_read(&entries, p, "sensitive.csv") || !prover_read(&quasi, p, "quasi.csv") || entries.n_columns != 5 ||
        !read_nodes(node, &n, p)) {
        prover_say(p, PROOF_OPEN, "a transformed release that is not understood here");
        return;
    }
    for (first = 0; first < entries.n_rows; first = end) {
        const char *group = plain_cell(&entries, first, 0);
        const double target = target_of(p, group);
        double n_entries = 0, n_rows = 0, count;
        size_t root = 0;

        while (root < n && node[root].target != target)
            root = node[root].end;
        for (size_t i = 0; i < n; i++)
            node[i].mass = 0;
        for (end = first; end < entries.n_rows && strcmp(plain_cell(&entries, end, 0), group) == 0; end++) {
            size_t i = root;

            while (i < n && i < node[root].end &&
                   (strcmp(node[i].low, plain_cell(&entries, end, 1)) != 0 ||
                    strcmp(node[i].high, plain_cell(&entries, end, 2)) != 0))
                i++;
            if (!number_at(&count, p, &entries, end, 4))
                return;
            if (root == n || i == node[root].end) {
                prover_say(p, PROOF_BROKEN, "group %s has an interval that its target does not have", group);
                return;
            }
            node[i].mass += count;
            n_entries += count;
        }
        for (size_t row = 0; row < quasi.n_rows; row++)
            n_rows += strcmp(plain_cell(&quasi, row, 0), group) == 0;
        if (n_rows > n_entries)
            prover_say(p, PROOF_BROKEN, "group %s has %g rows and %g values", group, n_rows, n_entries);
        judge_group(p, node, root, group, n_entries);
    }
    judge_targets(p, node, n);
}

/* --- sliced: what follows from every signature that the pieces can form --- */

enum { MOST_SLICES = 6, MOST_PIECES = 160, MOST_SIGNATURES = 200000 };

struct slice {
    size_t n_pieces;
    const char *piece[MOST_PIECES];    /* beside the sensitive value */
    int (*count)[PROVER_MOST_CLASSES]; /* [n_pieces] lines of each bucket */
};

/* What there is of one sensitive attribute: of others nothing is known, so that their cells count for nothing. */
struct pieces {
    size_t n, view, holder; /* the sensitive attribute, and the slice that holds it */
    struct slice slice[MOST_SLICES];
    size_t n_values;
    const char *value[JOB_MOST_ROWS];
    int size[PROVER_MOST_CLASSES];                         /* rows of buckets */
    uint16_t (*joint)[JOB_MOST_ROWS][PROVER_MOST_CLASSES]; /* [pieces of the holder][value][bucket] */
};

static int find_text(const char **list, size_t *n, size_t most, const char *text)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(list[i], text) == 0)
            return (int)i;
    if (*n == most)
        return -1;
    list[*n] = text;
    return (int)(*n)++;
}

static bool is_sensitive(const proving *p, const char *name)
{
    for (size_t v = 0; v < p->job->n_sensitive; v++)
        if (name && strcmp(name, p->view[v].column->name) == 0)
            return true;
    return false;
}

static const char *cells_beside(proving *p, const plain_table *table, const json_t *names, size_t row)
{
    const char *text = "";

    for (size_t c = 1; c < table->n_columns; c++)
        if (!is_sensitive(p, json_string_value(json_array_get(names, c - 1))))
            text = job_format(p->job, "%s%.60s\x01", text, plain_cell(table, row, c));
    return text;
}

static bool read_slice(proving *p, struct pieces *all, size_t s)
{
    const json_t *names = json_array_get(json_object_get(p->manifest, "slices"), s);
    struct slice *slice = &all->slice[s];
    plain_table table;
    size_t at = 0;

    slice->count = covey_arena_alloc_zero(&p->job->arena, MOST_PIECES, sizeof *slice->count);
    if (!prover_read(&table, p, job_format(p->job, "column-%zu.csv", s + 1)) ||
        table.n_columns != json_array_size(names) + 1)
        return false;
    for (size_t c = 1; c < table.n_columns; c++) {
        const char *name = json_string_value(json_array_get(names, c - 1));

        if (s == all->holder && name && strcmp(name, p->view[all->view].column->name) == 0)
            at = c;
    }
    for (size_t row = 0; row < table.n_rows; row++) {
        const int g = prover_class(p, plain_cell(&table, row, 0));
        const int piece = find_text(slice->piece, &slice->n_pieces, MOST_PIECES, cells_beside(p, &table, names, row));
        const int value = at ? find_text(all->value, &all->n_values, JOB_MOST_ROWS, plain_cell(&table, row, at)) : 0;

        if (g < 0 || piece < 0 || value < 0)
            return false;
        slice->count[piece][g]++;
        if (at)
            all->joint[piece][value][g]++;
        if (s == 0)
            all->size[g]++;
    }
    return true;
}

/* One signature: a piece of every slice.  Its probability of a value is the share among all the rows that buckets are
 * expected to hold. */
static void judge_signature(proving *p, const struct pieces *all, const size_t *piece, double most)
{
    double expected[JOB_MOST_ROWS] = {0}, sum = 0;

    for (size_t g = 0; g < p->n_groups; g++) {
        double rest = 1;

        for (size_t s = 0; s < all->n; s++)
            rest *= s == all->holder ? 1 : all->slice[s].count[piece[s]][g] / (double)all->size[g];
        for (size_t v = 0; v < all->n_values && rest > 0; v++)
            expected[v] += rest * all->joint[piece[all->holder]][v][g];
    }
    for (size_t v = 0; v < all->n_values; v++)
        sum += expected[v];
    for (size_t v = 0; v < all->n_values && sum > 0; v++)
        if (expected[v] / sum > most + margin)
            prover_say(p, PROOF_BROKEN, "a signature gives a value %g", expected[v] / sum);
}

static void judge_signatures(proving *p, const struct pieces *all, double most)
{
    size_t piece[MOST_SLICES] = {0}, s, n = 1;

    for (s = 0; s < all->n; s++)
        n *= all->slice[s].n_pieces;
    if (n > MOST_SIGNATURES) {
        prover_say(p, PROOF_OPEN, "%zu signatures", n);
        return;
    }
    do {
        judge_signature(p, all, piece, most);
        for (s = 0; s < all->n && ++piece[s] == all->slice[s].n_pieces; s++)
            piece[s] = 0;
    } while (s < all->n && p->answer != PROOF_BROKEN);
}

/* No piece beside the sensitive value tells it within a bucket: then no signature does, whatever columns overlap. */
static bool has_hot_set(const proving *p, const struct pieces *all, double most)
{
    for (size_t i = 0; i < all->slice[all->holder].n_pieces; i++)
        for (size_t v = 0; v < all->n_values; v++)
            for (size_t g = 0; g < p->n_groups; g++)
                if (all->joint[i][v][g] > most * all->slice[all->holder].count[i][g] + margin)
                    return true;
    return false;
}

/* How many slices an attribute stands in, and the last of them. */
static size_t count_slices(size_t *last, const proving *p, const char *column)
{
    const json_t *slices = json_object_get(p->manifest, "slices");
    size_t n = 0;

    for (size_t s = 0; s < json_array_size(slices); s++)
        for (size_t i = 0; i < json_array_size(json_array_get(slices, s)); i++) {
            const char *name = json_string_value(json_array_get(json_array_get(slices, s), i));

            if (name && strcmp(name, column) == 0) {
                n++;
                *last = s;
            }
        }
    return n;
}

/* The sensitive attribute that a promise is about; n_sensitive: none. */
static size_t view_of(const proving *p, const json_t *promise)
{
    const char *name = json_string_value(json_object_get(promise, "attribute"));
    size_t v = 0;

    if (!name && p->job->n_sensitive == 1)
        return 0;
    while (v < p->job->n_sensitive && (!name || strcmp(p->view[v].column->name, name) != 0))
        v++;
    return v;
}

/* A promise of one sensitive attribute.  What others know of a person does not say more of this one: summed over their
 * values, the ways to put pieces together are those of the pieces without them. */
static void prove_slices_of(proving *p, const json_t *promise)
{
    static struct pieces all;
    bool overlaps = false;
    int64_t num, den;
    size_t last;

    memset(&all, 0, sizeof all);
    all.n = json_array_size(json_object_get(p->manifest, "slices"));
    all.view = view_of(p, promise);
    if (all.n < 1 || all.n > MOST_SLICES || all.view == p->job->n_sensitive ||
        !prover_ratio(&num, &den, prover_param(promise, "l")) || num == 0) {
        prover_say(p, PROOF_OPEN, "a sliced release that is not understood here");
        return;
    }
    for (size_t c = 0; c < p->job->n_columns; c++)
        overlaps |= count_slices(&last, p, p->job->column[c].name) != 1;
    for (size_t v = 0; v < p->job->n_sensitive; v++)
        if (count_slices(&last, p, p->view[v].column->name) != 1) {
            prover_say(p, PROOF_OPEN, "a sensitive attribute in several columns");
            return;
        }
    count_slices(&all.holder, p, p->view[all.view].column->name);
    all.joint = covey_arena_alloc_zero(&p->job->arena, MOST_PIECES, sizeof *all.joint);
    for (size_t s = 0; s < all.n && all.joint; s++)
        if (!read_slice(p, &all, s)) {
            prover_say(p, PROOF_OPEN, "too many pieces");
            return;
        }
    if (!has_hot_set(p, &all, (double)den / (double)num))
        return;
    if (overlaps)
        prover_say(p, PROOF_OPEN, "columns that overlap");
    else
        judge_signatures(p, &all, (double)den / (double)num);
}

void prove_sliced(proving *p)
{
    const json_t *promises = json_object_get(p->manifest, "promises");
    size_t i;
    json_t *promise;

    if (json_array_size(promises) == 0)
        prover_say(p, PROOF_OPEN, "a sliced release without a promise");
    json_array_foreach(promises, i, promise)
    {
        const char *model = json_string_value(json_object_get(promise, "model"));

        if (model && strcmp(model, "sliced-l-diversity") == 0)
            prove_slices_of(p, promise);
        else
            prover_say(p, PROOF_OPEN, "a sliced release with other promises");
    }
}
