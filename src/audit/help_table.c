/* help.csv, recomputed from sensitive.csv.
 *
 * c hits of a group with the sorted values g_1 <= ... <= g_n add up to between the first c and the last c of them; their smallest lies
 * between g_1 and g_(n-c+1), their largest between g_c and g_n.  Source: ke-permutation.md 4.6, [Zhang07] section 4. */
#include "audit/buckets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fraction.h"

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
    const covey_opened_buckets *buckets;
    struct help_column column[1 + N_FIGURES]; /* hits, then the figures */
    int64_t *number;   /* [values of the sensitive column] at scale */
    int scale;
    covey_arena arena;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory to check help.csv");
}

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

        column->text = covey_i_opened_text(h->buckets->help, c);
        if (!(column->meaning = covey_arena_array(&h->arena, struct exact, column->text->n_values)))
            return no_memory(err);
        for (uint32_t i = 0; i < column->text->n_values; i++)
            column->meaning[i] = read_exact(covey_column_label(column->text, i));
    }
    return COVEY_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The sensitive values of a group, ascending. */
static void list_values(int64_t *value, const struct helping *h, uint32_t g)
{
    const covey_audit_groups *groups = &h->opened->groups;
    bool ascends = true;
    uint32_t n = 0;

    for (uint32_t e = groups->start[g]; e < groups->start[g + 1]; e++)
        for (int64_t i = 0; i < groups->count[e]; i++) {
            value[n] = h->number[covey_i_code_at(h->buckets->sensitive->text, e)];
            ascends &= n == 0 || value[n - 1] <= value[n];
            n++;
        }
    if (!ascends) /* a hierarchy may order numbers in another way */
        qsort(value, n, sizeof *value, compare_numbers);
}

static bool has_figure(const struct helping *h, size_t c, uint32_t line, covey_i128 number, int scale)
{
    return equals(&h->column[c].meaning[covey_i_code_at(h->column[c].text, line)], number, scale);
}

static void check_group(struct helping *h, const int64_t *value, uint32_t n, uint32_t g)
{
    static const char *const name[] = {"hits", "sum_lower", "sum_upper", "min_lower", "min_upper", "max_lower", "max_upper"};
    const covey_opened_table *help = h->buckets->help;
    covey_i128 lower = 0, upper = 0;

    if (help->class_start[g + 1] - help->class_start[g] != n) {
        covey_i_problem(h->problems, "help.csv has %" PRIu32 " lines of group %" PRIu32 ", which has %" PRIu32 " rows",
                        help->class_start[g + 1] - help->class_start[g], g + 1, n);
        return;
    }
    for (uint32_t hits = 1; hits <= n; hits++) {
        const uint32_t line = help->class_start[g] + hits - 1;
        covey_i128 expected[1 + N_FIGURES];

        lower += value[hits - 1];
        upper += value[n - hits];
        memcpy(expected, (covey_i128[]){hits, lower, upper, value[0], value[n - hits], value[hits - 1], value[n - 1]}, sizeof expected);
        for (size_t c = 0; c < 1 + N_FIGURES; c++)
            if (!has_figure(h, c, line, expected[c], c == 0 ? 0 : h->scale))
                covey_i_problem(h->problems, "help.csv: %s of group %" PRIu32 ", line %" PRIu32 " of the group, does not follow from sensitive.csv",
                                name[c], g + 1, hits);
    }
}

static covey_status check_all(struct helping *h, covey_error *err)
{
    const uint32_t *start = h->opened->class_start;
    uint32_t largest = 0;
    int64_t *value;
    bool fine = false;

    COVEY_TRY(read_columns(h, err));
    COVEY_TRY(covey_i_buckets_numbers(&h->number, &h->scale, &fine, h->buckets, &h->arena, err));
    if (!fine) {
        covey_i_problem(h->problems, "there is a help.csv, but not every published sensitive value is a number");
        return COVEY_OK;
    }
    if (h->buckets->help->n_classes != h->opened->n_classes) {
        covey_i_problem(h->problems, "help.csv has %" PRIu32 " groups, quasi.csv %" PRIu32, h->buckets->help->n_classes, h->opened->n_classes);
        return COVEY_OK;
    }
    for (uint32_t g = 0; g < h->opened->n_classes; g++)
        largest = start[g + 1] - start[g] > largest ? start[g + 1] - start[g] : largest;
    if (!(value = covey_arena_array(&h->arena, int64_t, largest)))
        return no_memory(err);
    for (uint32_t g = 0; g < h->opened->n_classes; g++) {
        list_values(value, h, g);
        check_group(h, value, start[g + 1] - start[g], g);
    }
    return COVEY_OK;
}

covey_status covey_i_buckets_check_help(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets, covey_error *err)
{
    struct helping h = {.problems = problems, .opened = opened, .buckets = buckets};
    covey_status status;

    if (!buckets->help)
        return COVEY_OK;
    status = check_all(&h, err);
    covey_arena_free(&h.arena);
    return status;
}
