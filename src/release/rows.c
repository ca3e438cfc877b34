/* What is in a release that is made: the tally of a class, and its end. */
#include "release/release_impl.h"

#include <string.h>

#include "base/alloc.h"
#include "release/made_up.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { BATCH_ROWS = 256 }; /* whose codes are fetched at a time */

static void count_rows(covey_histogram *counts, const covey_column *column, const uint32_t *rows, uint32_t n_rows)
{
    uint32_t code[BATCH_ROWS];

    for (uint32_t start = 0, n; start < n_rows; start += n) {
        n = n_rows - start < BATCH_ROWS ? n_rows - start : BATCH_ROWS;
        covey_i_codes_at(code, column->codes, column->width, rows + start, n);
        for (uint32_t i = 0; i < n; i++)
            covey_i_histogram_add(counts, code[i], 1);
    }
}

void covey_i_release_tally(covey_tally *tally, const covey_release *release, const covey_problem *problem,
                           uint32_t class_index)
{
    const size_t d = problem->n_axes;
    const uint32_t begin = release->class_start[class_index], end = release->class_start[class_index + 1];

    covey_i_tally_clear(tally);
    tally->size = end - begin;
    for (size_t v = 0; v < tally->n_views; v++) {
        const covey_column *column = problem->promises.view[v].column;

        if (release->form->add_counts)
            release->form->add_counts(&tally->counts[v], release, problem, column, class_index);
        else
            count_rows(&tally->counts[v], column, release->row_order + begin, end - begin);
    }
    if (d && release->low) { /* the release knows them already */
        memcpy(tally->low, release->low + class_index * d, d * sizeof *tally->low);
        memcpy(tally->high, release->high + class_index * d, d * sizeof *tally->high);
        tally->has_ranges = true;
    }
}

void covey_i_release_mark_codes(bool *shown, const covey_release *release, const covey_problem *problem,
                                const covey_field *field)
{
    const covey_recoded *recoded = covey_i_release_recoded(release, field);

    if (recoded) /* the form's own codes are those of groups */
        for (uint32_t v = 0; v < field->column->n_values; v++)
            shown[v] |= recoded->group_of_code[v] != UINT32_MAX;
    else if (release->form->mark_codes)
        release->form->mark_codes(shown, release, problem, field);
    else
        for (uint32_t i = 0; i < release->n_published; i++)
            shown[covey_i_code(field->column, release->row_order[i])] = true;
}

void covey_i_recoded_free(covey_recoded *recoded, size_t n_axes)
{
    for (size_t a = 0; recoded && a < n_axes; a++) {
        covey_i_column_free(recoded[a].column);
        covey_i_free(recoded[a].low);
        covey_i_free(recoded[a].high);
        covey_i_free(recoded[a].group_of_code);
        covey_i_free(recoded[a].n_rows);
    }
    covey_i_free(recoded);
}

void covey_release_free(covey_release *release)
{
    if (!release)
        return;
    if (release->form && release->form->free_data)
        release->form->free_data(release->form_data);
    covey_i_free(release->row_order);
    covey_i_free(release->class_start);
    covey_i_free(release->low);
    covey_i_free(release->high);
    covey_i_free(release->label_level);
    covey_i_shown_codes_clear(&release->shown);
    covey_i_free(release->facts);
    covey_i_free(release->objective.level);
    covey_i_free(release->objective.minimal);
    covey_i_recoded_free(release->recoded, release->n_recoded);
    covey_i_made_up_free(release->made_up);
    covey_i_free(release);
}
