/* What a node of the lattice is worth: which classes keep the promises, how many rows are suppressed, what that costs.
 *
 * Metrics as in [Samarati01] (height), [Sweeney02] (prec), [Iyengar02] (loss), [BayardoAgrawal05] (discernibility),
 * [LeFevre06] (average class size) and [GionisTassa09] (non-uniform entropy). */
#include "method/full_domain/full_domain.h"

#include "table/histogram.h"
#include "table/table_impl.h"

static uint32_t label_of(const covey_lattice_attribute *attribute, const uint64_t *key)
{
    return (uint32_t)(key[attribute->word] >> attribute->shift & attribute->mask);
}

static void add_items(covey_tally *tally, const covey_lattice *lattice, const covey_lattice_groups *groups, uint32_t g)
{
    const covey_promises *promises = &lattice->problem->promises;

    tally->size += groups->size[g];
    if (!groups->item_start)
        return;
    for (uint32_t i = groups->item_start[g]; i < groups->item_start[g + 1]; i++)
        for (size_t v = 0; v < promises->n_views; v++)
            covey_i_histogram_add(&tally->counts[v],
                                  covey_i_code(promises->view[v].column, lattice->kind_row[groups->item_kind[i]]),
                                  groups->item_count[i]);
}

/* low, high: [n_attributes] the group's ranges as they are published; NULL: nobody asks. */
static bool is_admitted(covey_lattice_worker *w, const covey_lattice_groups *groups, uint32_t g, uint32_t *low,
                        uint32_t *high)
{
    const covey_lattice *lattice = w->lattice;
    covey_tally tally;

    if (groups->size[g] < lattice->min_size)
        return false;
    if (lattice->size_alone_decides)
        return true;
    covey_i_tally_clear(&w->tally);
    add_items(&w->tally, lattice, groups, g);
    tally = w->tally;
    if (low) {
        tally.low = low;
        tally.high = high;
        tally.has_ranges = true;
    }
    return covey_i_promises_admit(&lattice->problem->promises, &tally);
}

/* --- what levels show --- */

/* What a label shows if all rows are kept: all codes that bear it, but for the missing value. */
static void show_all_codes(covey_lattice_worker *w, size_t a, const covey_lattice_level *level)
{
    const covey_lattice_attribute *attribute = &w->lattice->attribute[a];

    for (uint32_t l = 0; l < level->n_labels; l++)
        w->label_low[a][l] = UINT32_MAX;
    for (uint32_t c = attribute->axis->column->has_null ? 1 : 0; c < attribute->n_codes; c++) {
        uint32_t *low = &w->label_low[a][level->label[c]];

        *low = c < *low ? c : *low;
        w->label_high[a][level->label[c]] = c;
    }
}

/* What it shows of those that are kept.  Of a group with missing cells only the highest number is known, so that this
 * may be less. */
static void show_kept_codes(covey_lattice_worker *w, size_t a, const covey_lattice_groups *groups,
                            const covey_lattice_level *level)
{
    const covey_lattice_attribute *attribute = &w->lattice->attribute[a];
    const size_t d = w->lattice->n_attributes;

    for (uint32_t l = 0; l < level->n_labels; l++) {
        w->label_low[a][l] = UINT32_MAX;
        w->label_high[a][l] = 0;
    }
    for (uint32_t g = 0; g < groups->n; g++) {
        const uint32_t label = label_of(attribute, groups->key + g * w->lattice->n_words);
        const uint32_t own_low = groups->low[g * d + a], own_high = groups->high[g * d + a];
        uint32_t *low = &w->label_low[a][label], *high = &w->label_high[a][label];
        const bool has_null = attribute->axis->column->has_null && own_low == 0;

        if (!w->keeps[g] || (has_null && own_high == 0))
            continue;
        *low = (has_null ? own_high : own_low) < *low ? (has_null ? own_high : own_low) : *low;
        *high = own_high > *high ? own_high : *high;
    }
}

static void show_codes(covey_lattice_worker *w, const covey_lattice_groups *groups, const uint8_t *level, bool all)
{
    for (size_t a = 0; a < w->lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &w->lattice->attribute[a];

        if (!w->label_low[a])
            continue;
        if (all || attribute->axis->kind == COVEY_AXIS_TREE) /* labels say nothing of the values that occur */
            show_all_codes(w, a, &attribute->level[level[a]]);
        else
            show_kept_codes(w, a, groups, &attribute->level[level[a]]);
    }
}

static bool is_kept_as_shown(covey_lattice_worker *w, const covey_lattice_groups *groups, uint32_t g)
{
    const size_t d = w->lattice->n_attributes;

    for (size_t a = 0; a < d; a++) {
        const uint32_t label = label_of(&w->lattice->attribute[a], groups->key + g * w->lattice->n_words);
        const bool has_null = w->lattice->attribute[a].axis->column->has_null && groups->low[g * d + a] == 0;

        w->low[a] = groups->low[g * d + a];
        w->high[a] = groups->high[g * d + a];
        if (!w->label_low[a] || (has_null && w->high[a] == 0 && w->label_low[a][label] == UINT32_MAX))
            continue;
        w->low[a] = has_null ? 0 : w->label_low[a][label];
        w->high[a] = w->label_high[a][label];
    }
    return is_admitted(w, groups, g, w->low, w->high);
}

/* The groups that keep the promises as they are published.  What a label shows is what the kept rows below it have, so
 * who goes can make others too narrow: groups are taken out until none has to go, which leaves as many as there can be,
 * since more of them never show less. */
static void find_keeps(covey_lattice_worker *w, const covey_lattice_groups *groups, const uint8_t *level)
{
    uint32_t n_gone = 0, n_before;

    for (uint32_t g = 0; g < groups->n; g++)
        w->keeps[g] = true;
    do {
        n_before = n_gone;
        show_codes(w, groups, level, n_gone == 0);
        for (uint32_t g = 0; g < groups->n; g++)
            if (w->keeps[g] && !is_kept_as_shown(w, groups, g)) {
                w->keeps[g] = false;
                n_gone++;
            }
    } while (n_gone > n_before && w->lattice->problem->max_suppressed > 0);
}

static bool is_kept_group(covey_lattice_worker *w, const covey_lattice_groups *groups, uint32_t g)
{
    const size_t at = (size_t)g * w->lattice->n_attributes;

    if (w->keeps)
        return w->keeps[g];
    return groups->low ? is_admitted(w, groups, g, groups->low + at, groups->high + at)
                       : is_admitted(w, groups, g, NULL, NULL);
}

/* Sums over classes that costs are made of. */
struct sums {
    double squares;      /* of the kept classes' sizes */
    double kept_loss;    /* loss of the suppressed rows' cells, had they been kept; one attribute loses 1 at most */
    double more_entropy; /* what suppressing them loses beyond their labels */
    int64_t n_suppressed;
    uint32_t n_classes;
};

static void add_suppressed(struct sums *sums, const covey_lattice *lattice, const covey_lattice_groups *groups,
                           uint32_t g, const uint8_t *level)
{
    sums->n_suppressed += groups->size[g];
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];
        const uint32_t label = label_of(attribute, groups->key + g * lattice->n_words);

        sums->kept_loss += groups->size[g] * attribute->level[level[a]].loss[label];
        sums->more_entropy += groups->size[g] * attribute->level[level[a]].entropy[label];
    }
}

static double cost_of(const covey_lattice *lattice, const struct sums *sums, const uint8_t *level,
                      covey_lattice_metric metric)
{
    const double n = lattice->problem->n_rows, d = (double)lattice->n_attributes, gone = (double)sums->n_suppressed;
    double sum = 0;

    switch (metric) {
    case COVEY_METRIC_LOSS:
        for (size_t a = 0; a < lattice->n_attributes; a++)
            sum += lattice->attribute[a].level[level[a]].total_loss;
        return (sum - sums->kept_loss + gone * d) / (n * d);
    case COVEY_METRIC_HEIGHT:
        for (size_t a = 0; a < lattice->n_attributes; a++)
            sum += level[a];
        return sum;
    case COVEY_METRIC_PREC:
        for (size_t a = 0; a < lattice->n_attributes; a++)
            if (lattice->attribute[a].n_levels > 1)
                sum += (n - gone) * level[a] / (lattice->attribute[a].n_levels - 1) + gone;
        return sum / (n * d);
    case COVEY_METRIC_DISCERNIBILITY:
        return sums->squares + n * gone;
    case COVEY_METRIC_ENTROPY:
        for (size_t a = 0; a < lattice->n_attributes; a++)
            sum += lattice->attribute[a].level[level[a]].total_entropy;
        return sum + sums->more_entropy;
    case COVEY_METRIC_CAVG:
        return sums->n_classes > 0 ? (n - gone) / sums->n_classes / (double)lattice->least_k : n;
    }
    return 0;
}

void covey_i_full_domain_judge(covey_lattice_verdict *out, bool *is_kept, covey_lattice_worker *worker,
                               const covey_lattice_groups *groups, const uint8_t *level, covey_lattice_metric metric)
{
    const covey_lattice *lattice = worker->lattice;
    struct sums sums = {0};

    *out = (covey_lattice_verdict){0};
    covey_i_tally_clear(&worker->gone);
    if (worker->keeps)
        find_keeps(worker, groups, level);
    for (uint32_t g = 0; g < groups->n; g++) {
        const bool kept = is_kept_group(worker, groups, g);

        if (is_kept)
            is_kept[g] = kept;
        if (kept) {
            sums.n_classes++;
            sums.squares += (double)groups->size[g] * groups->size[g];
            continue;
        }
        add_suppressed(&sums, lattice, groups, g, level);
        if (sums.n_suppressed > lattice->problem->max_suppressed && !is_kept)
            return;
        if (lattice->has_prior)
            add_items(&worker->gone, lattice, groups, g);
    }
    out->n_classes = sums.n_classes;
    /* Where a prior is published, the suppressed rows' sensitive values follow by subtraction. */
    out->is_good = sums.n_classes > 0 && sums.n_suppressed <= lattice->problem->max_suppressed &&
                   (sums.n_suppressed == 0 || !lattice->has_prior ||
                    covey_i_promises_admit(&lattice->problem->promises, &worker->gone));
    out->cost = cost_of(lattice, &sums, level, metric);
}

double covey_i_full_domain_least_cost(const covey_lattice *lattice, const uint8_t *level, covey_lattice_metric metric)
{
    static const struct sums nothing_suppressed = {0};

    if (metric == COVEY_METRIC_DISCERNIBILITY || metric == COVEY_METRIC_CAVG)
        return 0;
    return cost_of(lattice, &nothing_suppressed, level, metric);
}

bool covey_i_full_domain_cost_is_monotone(const covey_lattice *lattice, covey_lattice_metric metric)
{
    return metric == COVEY_METRIC_HEIGHT || lattice->problem->max_suppressed == 0;
}
