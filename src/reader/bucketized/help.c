/* The sensitive values of a bucketized release as numbers, and whether its help.csv follows from them. */
#include "reader/bucketized/bucketized.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "reader/cells/cells.h"

covey_status covey_i_bucketized_numbers(int64_t **number_out, int *scale_out, bool *fine,
                                        const covey_opened_bucketized *bucketized, covey_arena *arena, covey_error *err)
{
    const covey_opened_column *column = bucketized->sensitive;
    const uint32_t n = column->text->n_values;
    int *scale = covey_arena_array(arena, int, n), largest = 0;
    int64_t *number = covey_arena_array(arena, int64_t, n);

    if (!scale || !number)
        return covey_i_no_memory(err);
    *fine = true;
    for (uint32_t i = 0; i < n; i++) {
        *fine &= covey_i_cell_number(&number[i], &scale[i], column->stated->type, covey_column_label(column->text, i));
        largest = *fine && scale[i] > largest ? scale[i] : largest;
    }
    for (uint32_t i = 0; i < n && *fine; i++)
        *fine = covey_i_cell_rescale(&number[i], scale[i], largest);
    *number_out = number;
    *scale_out = largest;
    return COVEY_OK;
}

/* The sensitive values of a group: each is an interval of its own. */
size_t covey_i_bucketized_list(int64_t *low, int64_t *high, const void *context, uint32_t g)
{
    const covey_bucketized_values *v = context;
    const covey_opened_bucketized *b = v->bucketized;
    bool ascend = true;
    size_t n = 0;

    g += v->first;
    for (uint32_t e = b->values->class_start[g]; e < b->values->class_start[g + 1]; e++) {
        const int64_t number = v->number[covey_i_code_at(b->sensitive->text, e)];

        ascend &= n == 0 || low[n - 1] <= number;
        for (int64_t i = b->count ? b->count[e] : 1; i > 0; i--)
            low[n++] = number;
    }
    if (!ascend) /* a hierarchy may order numbers in another way */
        qsort(low, n, sizeof *low, covey_i_compare_i64);
    memcpy(high, low, n * sizeof *low);
    return n;
}

uint32_t covey_i_bucketized_largest_group(const covey_opened_bucketized *b)
{
    const uint32_t *start = b->rows->class_start;
    uint32_t most = 0;

    for (uint32_t g = 0; g < b->rows->n_classes; g++)
        most = start[g + 1] - start[g] > most ? start[g + 1] - start[g] : most;
    return most;
}

covey_status covey_i_bucketized_help_follows(bool *follows, const covey_opened_bucketized *bucketized,
                                             covey_infile *text, const char *path, const covey_run *run,
                                             covey_error *err)
{
    covey_bucketized_values v = {.bucketized = bucketized};
    covey_help_groups groups = {.n = bucketized->rows->n_classes,
                                .row_start = bucketized->rows->class_start,
                                .most = covey_i_bucketized_largest_group(bucketized),
                                .list = covey_i_bucketized_list,
                                .context = &v};
    covey_arena arena = COVEY_ARENA_INIT;
    bool fine = false;
    covey_status status = covey_i_bucketized_numbers(&v.number, &groups.scale, &fine, bucketized, &arena, err);

    *follows = false;
    if (status == COVEY_OK && fine)
        status = covey_i_help_lines_follow(follows, &groups, text, path, run, err);
    covey_i_infile_close(text);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_bucketized_help_compare(covey_help_reading *help, const covey_opened *opened,
                                             const covey_opened_bucketized *bucketized, int64_t *number, int scale,
                                             const covey_run *run, covey_error *err)
{
    const uint32_t first = opened->n_seen;
    const covey_bucketized_values v = {bucketized, number, first};
    const covey_help_groups groups = {.n = opened->n_classes - first,
                                      .before = opened->first_class + first,
                                      .row_start = bucketized->rows->class_start + first,
                                      .most = covey_i_bucketized_largest_group(bucketized),
                                      .scale = scale,
                                      .list = covey_i_bucketized_list,
                                      .context = &v};

    return covey_i_help_reading_compare(help, &groups, run, err);
}
