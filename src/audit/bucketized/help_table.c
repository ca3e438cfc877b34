/* help.csv, recomputed from sensitive.csv.
 *
 * c hits of a group whose values lie in intervals with the lower ends l_1 <= ... <= l_n and the upper ends h_1 <= ...
 * <= h_n add up to between the first c lower and the last c upper ends; their smallest lies between l_1 and h_(n-c+1),
 * their largest between l_c and h_n.  Source: ke-permutation.md 4.6, [Zhang07] section 4. */
#include "base/error.h"
#include "reader/bucketized/bucketized.h"
#include "reader/bucketized/help_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/exact/fraction.h"

enum { N_FIGURES = 6, MOST_DIGITS = 37 };

/* A cell of the table: number / 10^scale, without zeros behind the last digit. */
struct exact {
    covey_i128 number;
    int scale;
    bool wrong;
};

/* What the cells of one column mean. */
struct help_column {
    const covey_column *text;
    struct exact *meaning; /* [text->n_values] */
};

struct helping {
    covey_problems *problems;
    const covey_opened *opened;
    const covey_opened_table *help;
    struct help_column column[1 + N_FIGURES]; /* hits, then the figures */
    int scale;
    covey_help_list list;
    const void *context;
    covey_arena arena;
};

static struct exact read_exact(const char *text)
{
    struct exact e = {0, 0, false};
    const bool negative = *text == '-';
    int n_digits = 0;
    bool point = false;

    for (text += negative; *text && !e.wrong; text++) {
        if (*text == '.' && !point && n_digits > 0) {
            point = true;
            continue;
        }
        e.wrong = *text < '0' || *text > '9' || ++n_digits > MOST_DIGITS;
        if (e.wrong)
            break;
        e.number = e.number * 10 + (*text - '0');
        e.scale += point;
    }
    e.wrong = e.wrong || n_digits == 0 || (point && e.scale == 0);
    for (; e.scale > 0 && e.number % 10 == 0; e.scale--)
        e.number /= 10;
    if (negative)
        e.number = -e.number;
    return e;
}

/* Is the cell number / 10^scale? */
static bool equals(const struct exact *e, covey_i128 number, int scale)
{
    for (; scale > e->scale && number % 10 == 0; scale--)
        number /= 10;
    return !e->wrong && scale == e->scale && number == e->number;
}

static covey_status read_columns(struct helping *h, covey_error *err)
{
    for (size_t c = 0; c < 1 + N_FIGURES; c++) {
        struct help_column *column = &h->column[c];

        column->text = covey_i_opened_text(h->help, c);
        if (!(column->meaning = covey_arena_array(&h->arena, struct exact, column->text->n_values)))
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < column->text->n_values; i++)
            column->meaning[i] = read_exact(covey_column_label(column->text, i));
    }
    return COVEY_OK;
}

static bool has_figure(const struct helping *h, size_t c, uint32_t line, covey_i128 number, int scale)
{
    return equals(&h->column[c].meaning[covey_i_code_at(h->column[c].text, line)], number, scale);
}

static void check_group(struct helping *h, const int64_t *low, const int64_t *high, size_t n, uint32_t g)
{
    static const char *const name[] = {"hits",      "sum_lower", "sum_upper", "min_lower",
                                       "min_upper", "max_lower", "max_upper"};
    const uint32_t n_rows = h->opened->class_start[g + 1] - h->opened->class_start[g];
    covey_i128 lower = 0, upper = 0;

    if (h->help->class_start[g + 1] - h->help->class_start[g] != n_rows) {
        covey_i_problem(h->problems, "help.csv has %" PRIu32 " lines of group %" PRIu32 ", which has %" PRIu32 " rows",
                        h->help->class_start[g + 1] - h->help->class_start[g], g + 1, n_rows);
        return;
    }
    for (uint32_t hits = 1; hits <= n_rows && hits <= n; hits++) {
        const uint32_t line = h->help->class_start[g] + hits - 1;
        covey_i128 expected[1 + N_FIGURES];

        lower += low[hits - 1];
        upper += high[n - hits];
        memcpy(expected, (covey_i128[]){hits, lower, upper, low[0], high[n - hits], low[hits - 1], high[n - 1]},
               sizeof expected);
        for (size_t c = 0; c < 1 + N_FIGURES; c++)
            if (!has_figure(h, c, line, expected[c], c == 0 ? 0 : h->scale))
                covey_i_problem(h->problems,
                                "help.csv: %s of group %" PRIu32 ", line %" PRIu32
                                " of the group, does not follow from sensitive.csv",
                                name[c], g + 1, hits);
    }
}

static covey_status check_all(struct helping *h, size_t most, covey_error *err)
{
    int64_t *low = covey_arena_array(&h->arena, int64_t, most), *high = covey_arena_array(&h->arena, int64_t, most);

    if (!low || !high)
        return covey_i_no_memory(err);
    COVEY_TRY(read_columns(h, err));
    if (h->help->n_classes != h->opened->n_classes) {
        covey_i_problem(h->problems, "help.csv has %" PRIu32 " groups, quasi.csv %" PRIu32, h->help->n_classes,
                        h->opened->n_classes);
        return COVEY_OK;
    }
    for (uint32_t g = 0; g < h->opened->n_classes; g++)
        check_group(h, low, high, h->list(low, high, h->context, g), g);
    return COVEY_OK;
}

covey_status covey_i_help_check(covey_problems *problems, const covey_opened *opened, const covey_opened_table *help,
                                int scale, size_t most, covey_help_list list, const void *context, covey_error *err)
{
    struct helping h = {
        .problems = problems, .opened = opened, .help = help, .scale = scale, .list = list, .context = context};
    const covey_status status = check_all(&h, most, err);

    covey_arena_free(&h.arena);
    return status;
}

/* --- bucketized releases --- */

struct values {
    const covey_opened_buckets *buckets;
    int64_t *number; /* [values of the sensitive column] */
    uint32_t first;  /* group in memory that is the first one */
};

static int compare_numbers(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The sensitive values of a group: each is an interval of its own. */
static size_t list_values(int64_t *low, int64_t *high, const void *context, uint32_t g)
{
    const struct values *v = context;
    const covey_opened_buckets *b = v->buckets;
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
        qsort(low, n, sizeof *low, compare_numbers);
    memcpy(high, low, n * sizeof *low);
    return n;
}

static uint32_t largest_group(const covey_opened_buckets *b)
{
    const uint32_t *start = b->rows->class_start;
    uint32_t most = 0;

    for (uint32_t g = 0; g < b->rows->n_classes; g++)
        most = start[g + 1] - start[g] > most ? start[g + 1] - start[g] : most;
    return most;
}

covey_status covey_i_buckets_help_follows(bool *follows, const covey_opened_buckets *buckets, const char *path,
                                          const covey_run *run, covey_error *err)
{
    struct values v = {.buckets = buckets};
    covey_help_groups groups = {.n = buckets->rows->n_classes,
                                .row_start = buckets->rows->class_start,
                                .most = largest_group(buckets),
                                .list = list_values,
                                .context = &v};
    covey_arena arena = COVEY_ARENA_INIT;
    bool fine = false;
    covey_status status = covey_i_buckets_numbers(&v.number, &groups.scale, &fine, buckets, &arena, err);

    *follows = false;
    if (status == COVEY_OK && fine)
        status = covey_i_help_lines_follow(follows, &groups, path, run, err);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_buckets_help_compare(covey_help_reading *help, const covey_opened *opened,
                                          const covey_opened_buckets *buckets, int64_t *number, int scale,
                                          const covey_run *run, covey_error *err)
{
    const uint32_t first = opened->n_seen;
    const struct values v = {buckets, number, first};
    const covey_help_groups groups = {.n = opened->n_classes - first,
                                      .before = opened->first_class + first,
                                      .row_start = buckets->rows->class_start + first,
                                      .most = largest_group(buckets),
                                      .scale = scale,
                                      .list = list_values,
                                      .context = &v};

    return covey_i_help_reading_compare(help, &groups, run, err);
}

covey_status covey_i_buckets_check_help(covey_problems *problems, const covey_opened *opened,
                                        const covey_opened_buckets *buckets, covey_error *err)
{
    struct values v = {.buckets = buckets};
    covey_arena arena = COVEY_ARENA_INIT;
    bool fine = false;
    int scale = 0;
    covey_status status;

    if (!buckets->help)
        return COVEY_OK;
    if ((status = covey_i_buckets_numbers(&v.number, &scale, &fine, buckets, &arena, err)) == COVEY_OK && !fine)
        covey_i_problem(problems, "there is a help.csv, but not every published sensitive value is a number");
    else if (status == COVEY_OK)
        status =
            covey_i_help_check(problems, opened, buckets->help, scale, largest_group(buckets), list_values, &v, err);
    covey_arena_free(&arena);
    return status;
}
