/* What a node of the lattice is worth: which classes keep the promises, how many rows are suppressed, what that costs.
 *
 * Metrics as in [Samarati01] (height), [Sweeney02] (prec), [Iyengar02] (loss), [BayardoAgrawal05] (discernibility), [LeFevre06] (average
 * class size) and [GionisTassa09] (non-uniform entropy). */
#include "method/full_domain_impl.h"

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
            covey_i_histogram_add(&tally->counts[v], covey_i_code(promises->view[v].column, lattice->kind_row[groups->item_kind[i]]),
                                  groups->item_count[i]);
}

static bool is_admitted(covey_lattice_worker *w, const covey_lattice_groups *groups, uint32_t g)
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
    if (groups->low) {
        tally.low = groups->low + (size_t)g * lattice->n_attributes;
        tally.high = groups->high + (size_t)g * lattice->n_attributes;
        tally.has_ranges = true;
    }
    return covey_i_promises_admit(&lattice->problem->promises, &tally);
}

/* Sums over classes that costs are made of. */
struct sums {
    double squares;        /* of the kept classes' sizes */
    double kept_loss;      /* loss of the suppressed rows' cells, had they been kept; one attribute loses 1 at most */
    double more_entropy;   /* what suppressing them loses beyond their labels */
    int64_t n_suppressed;
    uint32_t n_classes;
};

static void add_suppressed(struct sums *sums, const covey_lattice *lattice, const covey_lattice_groups *groups, uint32_t g, const uint8_t *level)
{
    sums->n_suppressed += groups->size[g];
    for (size_t a = 0; a < lattice->n_attributes; a++) {
        const covey_lattice_attribute *attribute = &lattice->attribute[a];
        const uint32_t label = label_of(attribute, groups->key + g * lattice->n_words);

        sums->kept_loss += groups->size[g] * attribute->level[level[a]].loss[label];
        sums->more_entropy += groups->size[g] * attribute->level[level[a]].entropy[label];
    }
}

static double cost_of(const covey_lattice *lattice, const struct sums *sums, const uint8_t *level, covey_lattice_metric metric)
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

void covey_i_lattice_judge(covey_lattice_verdict *out, bool *is_kept, covey_lattice_worker *worker, const covey_lattice_groups *groups,
                           const uint8_t *level, covey_lattice_metric metric)
{
    const covey_lattice *lattice = worker->lattice;
    struct sums sums = {0};

    *out = (covey_lattice_verdict){0};
    covey_i_tally_clear(&worker->gone);
    for (uint32_t g = 0; g < groups->n; g++) {
        const bool kept = is_admitted(worker, groups, g);

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
    out->n_suppressed = sums.n_suppressed;
    out->n_classes = sums.n_classes;
    /* Where a prior is published, the suppressed rows' sensitive values follow by subtraction. */
    out->is_good = sums.n_classes > 0 && sums.n_suppressed <= lattice->problem->max_suppressed &&
                   (sums.n_suppressed == 0 || !lattice->has_prior || covey_i_promises_admit(&lattice->problem->promises, &worker->gone));
    out->cost = cost_of(lattice, &sums, level, metric);
}

double covey_i_lattice_least_cost(const covey_lattice *lattice, const uint8_t *level, covey_lattice_metric metric)
{
    static const struct sums nothing_suppressed = {0};

    if (metric == COVEY_METRIC_DISCERNIBILITY || metric == COVEY_METRIC_CAVG)
        return 0;
    return cost_of(lattice, &nothing_suppressed, level, metric);
}

bool covey_i_lattice_cost_is_monotone(const covey_lattice *lattice, covey_lattice_metric metric)
{
    return metric == COVEY_METRIC_HEIGHT || lattice->problem->max_suppressed == 0;
}
