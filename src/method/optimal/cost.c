/* What a class costs, whether it may be published, and what rows cost at least.  Bounds are proved in
 * docs/design/optimal-partition.md. */
#include "method/optimal/optimal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "table/histogram.h"

const char *const covey_i_optimal_cost_names[] = {"discernibility", "classes",       "ncp", "ncp-box", "kl",
                                                  "class-error",    "class-entropy", NULL};
const char *const covey_i_optimal_stop_words[] = {"proven optimal",     "within the approximation",
                                                  "time limit reached", "memory limit reached",
                                                  "node limit reached", "stopped on request"};

enum { UNIT_BITS = 40, SUM_BITS = 58 };

static covey_optimal_units units_of(const covey_optimal_grid *g, double cost)
{
    return (covey_optimal_units)floor(ldexp(cost, g->scale));
}

double covey_i_optimal_value(const covey_optimal_grid *g, covey_optimal_units cost)
{
    return ldexp((double)cost, -g->scale);
}

/* Sum of the weights: what a row loses that says nothing. */
static double whole_loss(const covey_optimal_grid *g)
{
    double sum = 0;

    for (size_t a = 0; a < g->d; a++)
        sum += g->axis[a].weight;
    return sum;
}

/* The most that any partitioning can cost, for the choice of units. */
static double most_cost(const covey_optimal_grid *g)
{
    double cells = 0;

    switch (g->options->cost) {
    case COVEY_OPT_NCP:
    case COVEY_OPT_NCP_BOX:
        return whole_loss(g) * g->n_rows + 1;
    case COVEY_OPT_KL:
        for (size_t a = 0; a < g->d; a++)
            cells += log(g->axis[a].n_cells);
        return (cells + log(g->n_rows + 1.0)) * g->n_rows + 1;
    case COVEY_OPT_CLASS_ENTROPY:
        return log(g->n_labels + 1.0) * g->n_rows + 1;
    default:
        return 0; /* integers */
    }
}

/* Squares are least when classes are equal. */
covey_optimal_units covey_i_optimal_floor(const covey_optimal_grid *g, int64_t n, int64_t n_classes)
{
    const int64_t m = n / n_classes, r = n % n_classes;

    if (g->options->cost == COVEY_OPT_CLASSES)
        return -n_classes;
    return r * (m + 1) * (m + 1) + (n_classes - r) * m * m;
}

/* floor[n]: at most n / k classes; or some rows are suppressed. */
static covey_status make_floor(covey_optimal_grid *g, covey_error *err)
{
    if (!(g->floor = covey_arena_array(g->arena, covey_optimal_units, (size_t)g->n_rows + 1)))
        return covey_i_no_memory(err);
    g->floor[0] = 0;
    for (int64_t n = 1; n <= g->n_rows; n++) {
        g->floor[n] = n < g->k ? COVEY_OPT_INFINITE : covey_i_optimal_floor(g, n, n / g->k);
        if (g->options->suppress && g->floor[n - 1] + g->suppressed < g->floor[n])
            g->floor[n] = g->floor[n - 1] + g->suppressed;
    }
    return COVEY_OK;
}

double covey_i_optimal_entropy(const int64_t *count, uint32_t n_values, int64_t n)
{
    double sum = (double)n * log((double)n);

    for (uint32_t v = 0; v < n_values; v++)
        if (count[v] > 0)
            sum -= (double)count[v] * log((double)count[v]);
    return sum > 0 ? sum : 0;
}

static covey_optimal_units label_cost(const covey_optimal_grid *g, const int64_t *count, int64_t n)
{
    int64_t most = 0;

    if (g->options->cost == COVEY_OPT_CLASS_ENTROPY)
        return units_of(g, covey_i_optimal_entropy(count, g->n_labels, n));
    for (uint32_t v = 0; v < g->n_labels; v++)
        most = count[v] > most ? count[v] : most;
    return n - most;
}

static void count_labels(int64_t *count, const covey_optimal_grid *g, uint32_t item)
{
    const size_t v = g->n_views - 1;

    for (uint32_t i = g->view_start[v][item]; i < g->view_start[v][item + 1]; i++)
        count[g->view_value[v][i]] += g->view_count[v][i];
}

/* What the union of two items loses per row at least. */
static double pair_loss(const covey_optimal_grid *g, uint32_t x, uint32_t y)
{
    double sum = 0;

    for (size_t a = 0; a < g->d; a++) {
        const uint32_t *low = g->low + a, *high = g->high + a;
        const uint32_t l = low[x * g->d] < low[y * g->d] ? low[x * g->d] : low[y * g->d];
        const uint32_t h = high[x * g->d] > high[y * g->d] ? high[x * g->d] : high[y * g->d];

        if (g->options->cost == COVEY_OPT_NCP_BOX &&
            (g->axis[a].axis->kind != COVEY_AXIS_RANGE || (l == 0 && g->axis[a].axis->column->has_null)))
            continue; /* boxes are measured in edges, not in what labels lose */
        sum += g->axis[a].weight * (double)covey_i_axis_loss(g->axis[a].axis, l, h) / (double)g->axis[a].axis->loss_den;
    }
    return sum;
}

/* Moves the pair with the smallest loss up: a heap of (loss, rows). */
struct near {
    double loss;
    uint32_t rows;
};

static void sift(struct near *heap, uint32_t n, uint32_t i)
{
    for (;;) {
        uint32_t least = i;

        for (uint32_t c = 2 * i + 1; c <= 2 * i + 2 && c < n; c++)
            least = heap[c].loss < heap[least].loss ? c : least;
        if (least == i)
            return;
        const struct near swap = heap[i];

        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

/* A class with an item holds k rows, so the item's rows lose what the k-th nearest row forces upon them. */
static covey_optimal_units nearest_loss(const covey_optimal_grid *g, uint32_t item, struct near *heap)
{
    int64_t rows = 0;
    uint32_t n = g->n_items;

    for (uint32_t y = 0; y < n; y++)
        heap[y] = (struct near){pair_loss(g, item, y), g->weight[y]};
    for (uint32_t i = n / 2; i-- > 0;)
        sift(heap, n, i);
    while (n > 0 && (rows += heap[0].rows) < g->k) {
        heap[0] = heap[--n];
        sift(heap, n, 0);
    }
    return n ? units_of(g, heap[0].loss * (double)g->weight[item] * (1 - 1e-12)) : 0;
}

enum { MOST_ITEMS_FOR_NEAREST = 6000 }; /* the square of it times d is a second's work */

static covey_status make_least(covey_optimal_grid *g, covey_error *err)
{
    int64_t *count = covey_arena_array_zero(g->arena, int64_t, g->n_labels);
    struct near *heap = covey_arena_array(g->arena, struct near, g->n_items);

    g->is_additive = true;
    memset(g->heavy, 0, g->n_items * sizeof *g->heavy);
    memset(g->heavy_sum, 0, g->n_items * sizeof *g->heavy_sum);
    if (!count || !heap)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < g->n_items; i++) {
        if (g->n_labels > 0) { /* uniting classes never lowers their cost */
            memset(count, 0, g->n_labels * sizeof *count);
            count_labels(count, g, i);
            g->heavy_sum[i] = label_cost(g, count, g->weight[i]);
        } else if (g->options->cost != COVEY_OPT_KL && g->n_items <= MOST_ITEMS_FOR_NEAREST) {
            g->heavy_sum[i] = nearest_loss(g, i, heap);
        }
        if (g->options->suppress && g->heavy_sum[i] > g->suppressed * g->weight[i])
            g->heavy_sum[i] = g->suppressed * g->weight[i];
    }
    return COVEY_OK;
}

static covey_status suppressed_cost(covey_optimal_grid *g, covey_error *err)
{
    switch (g->options->cost) {
    case COVEY_OPT_DISCERNIBILITY:
        g->suppressed = g->n_rows;
        break;
    case COVEY_OPT_CLASSES:
        g->suppressed = 0;
        break;
    case COVEY_OPT_NCP:
    case COVEY_OPT_NCP_BOX:
        g->suppressed = units_of(g, whole_loss(g));
        break;
    case COVEY_OPT_CLASS_ERROR:
        g->suppressed = 1;
        break;
    case COVEY_OPT_CLASS_ENTROPY:
        g->suppressed =
            (covey_optimal_units)ceil(ldexp(log(g->n_labels > 1 ? g->n_labels : 1), g->scale)); /* on a tie rows stay */
        break;
    default:
        if (g->options->suppress)
            return covey_i_refuse_param(err, "cost",
                                        "method optimal-partition: cost kl is not a sum over classes when rows are "
                                        "suppressed: take another cost, or suppression limit 0");
    }
    g->suppressed += g->options->suppress_extra;
    return COVEY_OK;
}

covey_status covey_i_optimal_cost_init(covey_optimal_grid *g, covey_error *err)
{
    const double most = most_cost(g);
    bool counts;

    g->scale = 0;
    if (most > 0)
        g->scale = SUM_BITS - (int)ceil(log2(most)) < UNIT_BITS ? SUM_BITS - (int)ceil(log2(most)) : UNIT_BITS;
    COVEY_TRY(suppressed_cost(g, err));
    g->heavy = covey_arena_array_zero(g->arena, uint32_t, g->n_items);
    g->heavy_sum = covey_arena_array_zero(g->arena, covey_optimal_units, g->n_items);
    if (!g->heavy || !g->heavy_sum)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < g->n_items; i++)
        if (g->weight[i] >= g->k) {
            g->heavy[i] = g->weight[i];
            g->heavy_sum[i] = (covey_optimal_units)g->weight[i] * g->weight[i];
        }
    counts = g->options->cost == COVEY_OPT_DISCERNIBILITY || g->options->cost == COVEY_OPT_CLASSES;
    g->by_size = g->size_only && counts && !g->options->suppress && !g->has_edges;
    return counts ? make_floor(g, err) : make_least(g, err);
}

covey_optimal_units covey_i_optimal_bound(const covey_optimal_grid *g, int64_t n, int64_t heavy, int64_t heavy_sum)
{
    covey_optimal_units bound;

    if (n == 0)
        return 0;
    if (g->is_additive)
        return g->options->suppress || n >= g->k ? heavy_sum : COVEY_OPT_INFINITE;
    bound = g->floor[n];
    if (heavy > 0 && !g->options->suppress && g->options->cost == COVEY_OPT_DISCERNIBILITY) {
        /* Cells with k or more rows cannot be parted; a light row costs at least 2 k beside one, or its share of a
         * class of its own. */
        const int64_t light = n - heavy;
        const covey_optimal_units other = heavy_sum + light / g->k * g->k * g->k + 2 * g->k * (light % g->k);

        bound = other > bound ? other : bound;
    }
    return bound;
}

covey_status covey_i_optimal_judge_new(covey_optimal_judge *judge, const covey_optimal_grid *g, covey_arena *arena,
                                       covey_error *err)
{
    judge->g = g;
    if (!(judge->label = covey_arena_array_zero(arena, int64_t, g->n_labels)))
        return covey_i_no_memory(err);
    return covey_i_tally_new(&judge->tally, &g->problem->promises, arena, err);
}

void covey_i_optimal_region(uint32_t *low, uint32_t *high, const covey_optimal_grid *g, size_t a, uint32_t from,
                            uint32_t to)
{
    const covey_optimal_axis *axis = &g->axis[a];

    *low = from ? axis->splits->n_left[from - 1] : 0;
    *high = (to < axis->n_cells ? axis->splits->n_left[to - 1] : axis->axis->n_values) - 1;
    if (g->options->shown)
        covey_i_shown_codes_shrink(low, high, g->options->shown, a);
}

/* Fills the tally with the block's rows. */
static void fill_tally(covey_optimal_judge *judge, const covey_optimal_block *block)
{
    const covey_optimal_grid *g = judge->g;
    covey_tally *tally = &judge->tally;

    covey_i_tally_clear(tally);
    tally->size = block->n;
    for (size_t v = 0; v < tally->n_views; v++)
        for (uint32_t i = 0; i < block->n_items; i++)
            for (uint32_t e = g->view_start[v][block->item[i]]; e < g->view_start[v][block->item[i] + 1]; e++)
                covey_i_histogram_add(&tally->counts[v], g->view_value[v][e], g->view_count[v][e]);
    for (uint32_t i = 0; tally->has_ranges && i < block->n_items; i++)
        for (size_t a = 0; a < g->d; a++) {
            const size_t at = (size_t)block->item[i] * g->d + a;

            tally->low[a] = g->low[at] < tally->low[a] ? g->low[at] : tally->low[a];
            tally->high[a] = g->high[at] > tally->high[a] ? g->high[at] : tally->high[a];
        }
    for (size_t a = 0; g->options->judges_regions && a < g->d; a++)
        if (g->axis[a].is_geometric)
            covey_i_optimal_region(&tally->low[a], &tally->high[a], g, a, block->low[a], block->high[a]);
}

static covey_optimal_verdict judge_block(covey_optimal_judge *judge, const covey_optimal_block *block)
{
    const covey_optimal_grid *g = judge->g;
    const covey_promises *promises = &g->problem->promises;
    unsigned traits;
    int broken;

    if (block->n < g->k)
        return COVEY_OPT_FAILS_WHOLLY;
    if (g->size_only)
        return COVEY_OPT_ADMITTED;
    fill_tally(judge, block);
    if ((broken = covey_i_promises_broken(promises, &judge->tally)) < 0)
        return COVEY_OPT_ADMITTED;
    traits = (size_t)broken < promises->n ? promises->promise[broken].model->traits
                                          : COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_HEREDITARY;
    if (traits & COVEY_MODEL_HEREDITARY)
        return COVEY_OPT_FAILS_WHOLLY;
    return traits & COVEY_MODEL_UNION_CLOSED ? COVEY_OPT_FAILS_TOGETHER : COVEY_OPT_FAILS;
}

static double tight_loss(const covey_optimal_grid *g, const covey_optimal_block *block)
{
    double sum = 0;

    for (size_t a = 0; a < g->d; a++) {
        uint32_t low = UINT32_MAX, high = 0;

        for (uint32_t i = 0; i < block->n_items; i++) {
            const size_t at = (size_t)block->item[i] * g->d + a;

            low = g->low[at] < low ? g->low[at] : low;
            high = g->high[at] > high ? g->high[at] : high;
        }
        sum += g->axis[a].weight * (double)covey_i_axis_loss(g->axis[a].axis, low, high) /
               (double)g->axis[a].axis->loss_den;
    }
    return sum;
}

/* Rows of a class uniform in its tight box, against what it really holds. */
static double divergence(const covey_optimal_grid *g, const covey_optimal_block *block)
{
    double sum = 0, volume = 0;

    for (size_t a = 0; a < g->d; a++)
        volume += log((double)(COVEY_OPT_HIGH(block, g, a) - COVEY_OPT_LOW(block, g, a) + 1));
    for (uint32_t i = 0; i < block->n_items; i++)
        sum += (double)g->weight[block->item[i]] * log((double)g->weight[block->item[i]]);
    sum += (double)block->n * (volume - log((double)block->n));
    return sum > 0 ? sum : 0;
}

static covey_optimal_units class_cost(covey_optimal_judge *judge, const covey_optimal_block *block)
{
    const covey_optimal_grid *g = judge->g;
    double sum = 0;

    switch (g->options->cost) {
    case COVEY_OPT_DISCERNIBILITY:
    case COVEY_OPT_CLASSES:
        return covey_i_optimal_class_of(g, block->n);
    case COVEY_OPT_NCP:
        return units_of(g, tight_loss(g, block) * (double)block->n);
    case COVEY_OPT_NCP_BOX:
        for (size_t a = 0; a < g->d; a++)
            sum += g->axis[a].weight * (g->axis[a].edge[block->high[a]] - g->axis[a].edge[block->low[a]]);
        return units_of(g, sum * (double)block->n);
    case COVEY_OPT_KL:
        return units_of(g, divergence(g, block));
    default:
        memset(judge->label, 0, g->n_labels * sizeof *judge->label);
        for (uint32_t i = 0; i < block->n_items; i++)
            count_labels(judge->label, g, block->item[i]);
        return label_cost(g, judge->label, block->n);
    }
}

covey_optimal_units covey_i_optimal_leaf(covey_optimal_judge *judge, const covey_optimal_block *block,
                                         covey_optimal_verdict *verdict)
{
    const covey_optimal_grid *g = judge->g;

    *verdict = judge_block(judge, block);
    if (*verdict == COVEY_OPT_ADMITTED)
        return class_cost(judge, block);
    return g->options->suppress ? block->n * g->suppressed : COVEY_OPT_INFINITE;
}
