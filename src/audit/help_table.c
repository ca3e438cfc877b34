/* help.csv, recomputed from sensitive.csv.
 *
 * c hits of a group whose values lie in intervals with the lower ends l_1 <= ... <= l_n and the upper ends h_1 <= ...
 * <= h_n add up to between the first c lower and the last c upper ends; their smallest lies between l_1 and h_(n-c+1),
 * their largest between l_c and h_n.  Source: [Zhang07] section 4. */
#include "audit/steps.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/exact/fraction.h"
#include "base/plural.h"

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
    const uint32_t n_lines = h->help->class_start[g + 1] - h->help->class_start[g];
    covey_i128 lower = 0, upper = 0;

    if (n_lines != n_rows) {
        covey_i_problem(h->problems,
                        "help.csv has %" PRIu32 " line%s of group %" PRIu32 ", which has %" PRIu32 " row%s", n_lines,
                        covey_i_plural(n_lines), g + 1, n_rows, covey_i_plural(n_rows));
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
