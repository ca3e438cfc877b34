/* Membership in a sliced release: whoever sees that a tuple's pieces stand together in many buckets may guess that
 * somebody has these values.  The guess fails where tuples that nobody has, but that the pieces can form, match as many
 * buckets.
 *
 * Source: [LiLiZhangMolloy12] section 5.3. */
#include "attack/linkage/membership.h"
#include "query/sliced/membership.h"

enum { MANY = 20 };

/* 0, 1, 2 to 5, 6 to 10, 11 to 20, 21 to 50, ...: the last number of a line after the line that ends with n. */
static uint32_t next_end(uint32_t n)
{
    static const uint32_t first[] = {0, 1, 2, 5, 10, 20};
    uint64_t end = 50;

    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i] > n)
            return first[i];
    for (int i = 0; end <= n; i++) /* 50, 100, 200, 500, ... */
        end = i % 3 == 2 ? end / 2 * 5 : end * 2;
    return end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

static void add_histogram(covey_attack_maker *out, const covey_slice_membership *m)
{
    static const char *const column[] = {"from", "to", "originals", "fakes", NULL};
    uint32_t last = 0, first = 0;

    for (uint32_t n = 1; n <= m->n_buckets; n++)
        if (m->original[n] > 0 || m->fake[n] > 0)
            last = n;
    covey_i_attack_table(out, "matching_buckets", column);
    for (uint32_t end = 0; first <= last; first = end + 1, end = next_end(end)) {
        int64_t originals = 0;
        double fakes = 0;

        end = end > m->n_buckets ? m->n_buckets : end;
        for (uint32_t n = first; n <= end; n++) {
            originals += m->original[n];
            fakes += m->fake[n];
        }
        covey_i_attack_cell_integer(out, first);
        covey_i_attack_cell_integer(out, end);
        covey_i_attack_cell_integer(out, originals);
        covey_i_attack_cell_number(out, fakes);
    }
    covey_i_attack_end_table(out);
}

/* Shares of those that match more buckets than n. */
static void shares_above(double *originals, double *fakes, const covey_slice_membership *m, uint32_t n)
{
    *originals = *fakes = 0;
    for (uint32_t i = n + 1; i <= m->n_buckets; i++) {
        *originals += (double)m->original[i];
        *fakes += m->fake[i];
    }
    *originals /= (double)m->n_originals;
    *fakes /= m->n_fakes;
}

static void report(covey_attack_maker *out, const covey_slice_membership *m)
{
    double originals, fakes;

    shares_above(&originals, &fakes, m, MANY);
    out->result.level = "A1";
    out->result.figure = m->auc;
    out->result.prior = 0.5;
    covey_i_attack_number(out, "candidates", m->n_candidates);
    covey_i_attack_number(out, "fakes", m->n_fakes);
    covey_i_attack_number(out, "standard_error", m->standard_error);
    covey_i_attack_integer(out, "originals", m->n_originals);
    covey_i_attack_integer(out, "different_originals", m->n_different);
    covey_i_attack_number(out, "originals_above_20", originals);
    covey_i_attack_number(out, "fakes_above_20", fakes);
    covey_i_attack_yes_no(out, "exact", m->is_exact);
    covey_i_attack_integer(out, "draws", m->n_draws);
    add_histogram(out, m);
    if (m->n_fakes <= 0) {
        covey_i_attack_words(out, "No membership protection: the pieces form no tuples but the rows themselves, so "
                                  "that presence is looked up.");
        out->result.figure = 1;
        return;
    }
    covey_i_attack_words(out,
                         "The pieces can form %.0f combinations of values, %.0f of which nobody has. A row matches "
                         "more buckets than such a fake with a chance of %.3g; 0.5 "
                         "would tell nothing, and 1 everything.",
                         m->n_candidates, m->n_fakes, m->auc);
}

covey_status covey_i_attack_sliced_membership(covey_attack_maker *out, covey_attacked *r, covey_arena *arena,
                                              covey_error *err)
{
    const covey_run seeded = {.seed = r->run && r->run->has_seed ? r->run->seed : 1, .has_seed = true};
    const covey_slice_effort effort = {.most_exact = r->options->quick ? 1e5 : 1e6,
                                       .n_draws = r->options->quick ? 10000 : 100000};
    covey_slice_membership m;
    covey_query_slices slices;

    if (r->opened->n_rows == 0) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_slices_tree(&slices, r->opened, arena, err));
    COVEY_TRY(covey_i_slice_membership(&m, &slices, r->original, &effort, arena, &seeded, err));
    report(out, &m);
    return COVEY_OK;
}
