/* Random hierarchies of every kind, with the labels of every cell worked out beside them.  See random_job.h. */
#include "test.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "support/job/random_job.h"

/* What is known while a hierarchy is made. */
struct making {
    random_job *job;
    job_column *column;
    uint64_t *state;
    const char **value; /* [n] in the attribute's order */
    size_t n;
};

/* A number as hierarchies print it: without zeros at the end. */
static const char *print_number(struct making *m, int64_t number)
{
    int scale = m->column->scale;
    int64_t unit = 1;
    time_t day = (time_t)(number * 86400);
    char text[32];

    if (m->column->type == COVEY_TYPE_DATE) {
        strftime(text, sizeof text, "%Y-%m-%d", gmtime(&day));
        return job_format(m->job, "%s", text);
    }
    for (; scale > 0 && number % 10 == 0; scale--)
        number /= 10;
    for (int i = 0; i < scale; i++)
        unit *= 10;
    if (scale == 0)
        return job_format(m->job, "%lld", (long long)number);
    return job_format(m->job, "%s%lld.%0*lld", number < 0 ? "-" : "", llabs(number) / unit, scale,
                      llabs(number) % unit);
}

/* The numbers from low to just below high. */
static const char *print_range(struct making *m, int64_t low, int64_t high)
{
    const char *from = print_number(m, low);

    if (m->column->type == COVEY_TYPE_DECIMAL)
        return job_format(m->job, "[%s,%s)", from, print_number(m, high));
    if (high - low == 1)
        return from;
    return job_format(m->job, "%s%s%s", from, low < 0 || m->column->type == COVEY_TYPE_DATE ? ".." : "-",
                      print_number(m, high - 1));
}

/* Sets the labels of a row's cell between the value and the root, as the value decides; level 1, 2, ... */
typedef void (*label_fn)(const char **level, struct making *m, const char *value);

static void set_levels(struct making *m, size_t n_levels, const char *root, label_fn label)
{
    job_column *column = m->column;

    assert_in_range(n_levels, 2, JOB_MOST_LEVELS);
    column->n_levels = n_levels;
    for (size_t row = 0; row < m->job->n_rows; row++) {
        const char *cell = column->cell[row];

        /* A missing cell is a leaf of its own directly under the root. */
        for (size_t i = 0; i + 1 < n_levels; i++)
            column->level[row][i] = "null";
        if (cell) {
            column->level[row][0] = cell;
            if (!m->job->is_dropped[row])
                label(column->level[row], m, cell);
        }
        column->level[row][n_levels - 1] = root;
    }
}

/* --- {interval: …} and {cuts: …} --- */

static int64_t from, to, width[3], cut[2][8];
static size_t n_widths, n_cuts[2], n_cut_levels;
static bool clamp;

static void label_interval(const char **level, struct making *m, const char *value)
{
    const int64_t number = job_number(m->column, value);

    for (size_t i = 0; i < n_widths; i++) {
        const int64_t low = from + (number - from) / width[i] * width[i], high = low + width[i];

        if (clamp && number < from)
            level[i + 1] = job_format(m->job, "<%s", print_number(m, from));
        else if (clamp && number >= to)
            level[i + 1] = job_format(m->job, ">=%s", print_number(m, to));
        else
            level[i + 1] = print_range(m, low, clamp && high > to ? to : high);
    }
}

static void make_interval(struct making *m)
{
    const int64_t low = job_number(m->column, m->value[0]), high = job_number(m->column, m->value[m->n - 1]);
    covey_text out = COVEY_TEXT_INIT;

    clamp = high - low > 4 && maker_below(m->state, 3) == 0;
    from = clamp ? low + 1 : low - maker_below(m->state, 7);
    to = clamp ? high - 1 : high + 1 + maker_below(m->state, 7);
    n_widths = 1 + maker_below(m->state, 3);
    for (size_t i = 0; i < n_widths; i++)
        width[i] = i == 0 ? 1 + maker_below(m->state, 20) : width[i - 1] * (2 + maker_below(m->state, 3));
    covey_i_text_add_format(&out, "{interval: {from: %s, to: %s, widths: [", print_number(m, from),
                            print_number(m, to));
    for (size_t i = 0; i < n_widths; i++)
        covey_i_text_add_format(&out, "%s%s", i ? ", " : "", print_number(m, width[i]));
    covey_i_text_add_format(&out, "]%s}}", clamp ? ", clamp: true" : "");
    m->column->hierarchy = job_format(m->job, "%s", out.bytes);
    covey_i_text_free(&out);
    set_levels(m, n_widths + 2, "*", label_interval);
}

static void label_cuts(const char **level, struct making *m, const char *value)
{
    const int64_t number = job_number(m->column, value);

    for (size_t i = 0; i < n_cut_levels; i++) {
        size_t below = 0;

        while (below < n_cuts[i] && cut[i][below] <= number)
            below++;
        if (below == 0)
            level[i + 1] = job_format(m->job, "<%s", print_number(m, cut[i][0]));
        else if (below == n_cuts[i])
            level[i + 1] = job_format(m->job, ">=%s", print_number(m, cut[i][below - 1]));
        else
            level[i + 1] = print_range(m, cut[i][below - 1], cut[i][below]);
    }
}

static void make_cuts(struct making *m)
{
    covey_text out = COVEY_TEXT_INIT;
    const size_t stride = 1 + m->n / 8;

    n_cuts[0] = n_cuts[1] = 0;
    for (size_t i = 0; i < m->n; i += stride)
        cut[0][n_cuts[0]++] = job_number(m->column, m->value[i]) + (m->n == 1);
    for (size_t i = 0; i < n_cuts[0]; i++)
        if (maker_below(m->state, 3) == 0)
            cut[1][n_cuts[1]++] = cut[0][i];
    n_cut_levels = n_cuts[1] > 0 ? 2 : 1;
    for (size_t i = 0; i < n_cut_levels; i++) {
        covey_i_text_add_string(&out, i ? "], [" : "{cuts: [[");
        for (size_t j = 0; j < n_cuts[i]; j++)
            covey_i_text_add_format(&out, "%s%s", j ? ", " : "", print_number(m, cut[i][j]));
    }
    covey_i_text_add_string(&out, "]]}");
    m->column->hierarchy = job_format(m->job, "%s", out.bytes);
    covey_i_text_free(&out);
    set_levels(m, n_cut_levels + 2, "*", label_cuts);
}

/* --- {date: …}, {mask: …}, {balanced: …} --- */

static const char *const unit_names[] = {"day", "month", "quarter", "year", "decade"};
static unsigned unit[5], n_units, arity, n_masked;

static void label_date(const char **level, struct making *m, const char *value)
{
    for (unsigned i = 0; i < n_units; i++)
        level[i + 1] = unit[i] == 0   ? value
                       : unit[i] == 1 ? job_format(m->job, "%.7s", value)
                       : unit[i] == 2
                           ? job_format(m->job, "%.4s-Q%d", value, ((value[5] - '0') * 10 + value[6] - '0' + 2) / 3)
                       : unit[i] == 3 ? job_format(m->job, "%.4s", value)
                                      : job_format(m->job, "%.3s0s", value);
}

static void make_date(struct making *m)
{
    covey_text out = COVEY_TEXT_INIT;

    n_units = 0;
    for (unsigned i = 0; i < 5; i++)
        if (maker_below(m->state, 2) || (i == 4 && n_units == 0)) {
            covey_i_text_add_format(&out, "%s%s", n_units ? ", " : "", unit_names[i]);
            unit[n_units++] = i;
        }
    m->column->hierarchy = job_format(m->job, "{date: [%s]}", out.bytes);
    covey_i_text_free(&out);
    set_levels(m, n_units + 2, "*", label_date);
}

static void label_mask(const char **level, struct making *m, const char *value)
{
    const size_t length = strlen(value);

    for (size_t i = 1; i <= n_masked; i++)
        level[i] = job_format(m->job, "%.*s%.*s", (int)(length - i), value, (int)i, "********");
}

static void make_mask(struct making *m)
{
    const unsigned wish = 1 + maker_below(m->state, 6), length = (unsigned)strlen(m->value[0]);

    n_masked = wish < length - 1 ? wish : length - 1; /* all characters masked is the root */
    m->column->hierarchy = job_format(m->job, "{mask: %u}", wish);
    set_levels(m, n_masked + 2, "*", label_mask);
}

/* From the root down a run becomes `arity` runs, the first ones a value longer where they cannot be equal. */
static void label_balanced(const char **level, struct making *m, const char *value)
{
    size_t index = 0, low = 0, size = m->n;

    while (strcmp(m->value[index], value) != 0)
        index++;
    for (size_t i = m->column->n_levels - 2; i > 0; i--) {
        const size_t parts = arity < size ? arity : size;
        size_t part = 0, wide = size / parts + (size % parts > 0);

        while (index >= low + wide) {
            low += wide;
            wide = size / parts + (++part < size % parts);
        }
        size = wide;
        level[i] = size == 1 ? m->value[low] : job_format(m->job, "%s..%s", m->value[low], m->value[low + size - 1]);
    }
}

static void make_balanced(struct making *m)
{
    size_t n_levels = 2;

    arity = 2 + maker_below(m->state, 3);
    for (size_t run = arity; run < m->n; run *= arity)
        n_levels++;
    m->column->hierarchy = job_format(m->job, "{balanced: %u}", arity);
    if (n_levels <= JOB_MOST_LEVELS)
        set_levels(m, n_levels, "*", label_balanced);
    else
        m->column->hierarchy = NULL;
}

/* --- {file: …} --- */

static const char *file_root;

static void label_file(const char **level, struct making *m, const char *value)
{
    const job_column *column = m->column;
    size_t i = 0;

    while (i < column->n_lines && strcmp(column->line[i][0], value) != 0)
        i++;
    for (size_t j = 1; j + 1 < column->n_levels; j++)
        level[j] = i < column->n_lines ? column->line[i][j] : value; /* missing-leaf: root */
}

/* Sets the inner labels of all lines: groups of two or three neighbours, level by level.  A few bear the label of a
 * value below. */
static void group_lines(struct making *m, size_t n_inner)
{
    job_column *column = m->column;
    size_t run = 1;

    for (size_t j = 1; j <= n_inner; j++) {
        run *= 2 + maker_below(m->state, 2);
        for (size_t low = 0; low < column->n_lines; low += run) {
            const char *label =
                maker_below(m->state, 8) ? job_format(m->job, "level %zu, %zu", j, low / run) : column->line[low][0];

            for (size_t i = low; i < low + run && i < column->n_lines; i++)
                column->line[i][j] = label;
        }
    }
}

static void add_lines(struct making *m, size_t n_levels)
{
    job_column *column = m->column;

    column->line = covey_arena_alloc_zero(&m->job->arena, m->n + 3, sizeof *column->line);
    assert_non_null(column->line);
    for (size_t i = 0; i < m->n; i++)
        column->line[column->n_lines++][0] = m->value[i];
    for (unsigned extra = maker_below(m->state, 3); column->type == COVEY_TYPE_TEXT && extra > 0; extra--)
        column->line[column->n_lines++][0] = job_format(m->job, "extra %u", extra);
    for (size_t i = column->n_lines; i > 1; i--) {
        const size_t other = maker_below(m->state, (uint32_t)i);
        const char *swap = column->line[i - 1][0];

        column->line[i - 1][0] = column->line[other][0];
        column->line[other][0] = swap;
    }
    group_lines(m, n_levels - 2);
    for (size_t i = 0; i < column->n_lines; i++)
        column->line[i][n_levels - 1] = file_root;
}

static void add_field(covey_text *out, const char *label)
{
    covey_i_text_add_char(out, '"');
    for (; *label; label++) {
        if (*label == '"')
            covey_i_text_add_char(out, '"');
        covey_i_text_add_char(out, *label);
    }
    covey_i_text_add_char(out, '"');
}

static void make_file(struct making *m, const char *folder)
{
    job_column *column = m->column;
    const size_t n_levels = 2 + maker_below(m->state, 3);
    const bool partial = m->n > 3 && maker_below(m->state, 4) == 0;
    const char delimiter = maker_below(m->state, 2) ? ';' : ',';
    const char *name = job_format(m->job, "wombat-%zu.csv", (size_t)(column - m->job->column));
    covey_text out = COVEY_TEXT_INIT;

    file_root = maker_below(m->state, 4) ? "*" : "anything";
    add_lines(m, n_levels);
    if (partial)
        column->n_lines -= 2;
    for (size_t i = 0; i < column->n_lines; i++)
        for (size_t j = 0; j < n_levels; j++) {
            add_field(&out, column->line[i][j]);
            covey_i_text_add_char(&out, j + 1 < n_levels ? delimiter : '\n');
        }
    assert_false(out.broken);
    csv_put_file(job_format(m->job, "%s/%s", folder, name), out.bytes, out.size);
    covey_i_text_free(&out);
    column->hierarchy = job_format(m->job, "{file: %s%s}", name, partial ? ", missing-leaf: root" : "");
    set_levels(m, n_levels, file_root, label_file);
}

void job_add_hierarchy(random_job *job, job_column *column, uint64_t *state, const char *folder)
{
    struct making m = {.job = job, .column = column, .state = state};
    const bool is_number = column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL;
    const unsigned kind = maker_below(state, 6);
    bool is_code;

    m.n = job_values(&m.value, job, column);
    is_code = column->type == COVEY_TYPE_TEXT && m.n > 0 && strlen(m.value[0]) == 4 &&
              isupper((unsigned char)m.value[0][0]) && isdigit((unsigned char)m.value[0][1]);
    column->is_range = column->type != COVEY_TYPE_TEXT;
    if (m.n == 0 || (column->role == COVEY_ROLE_SENSITIVE && kind < 3))
        return;
    if (kind == 1 && is_number)
        make_interval(&m);
    else if (kind == 2 && column->type != COVEY_TYPE_TEXT)
        make_cuts(&m);
    else if (kind == 2 && is_code && !column->order)
        make_mask(&m);
    else if (kind == 3 && column->type == COVEY_TYPE_DATE)
        make_date(&m);
    else if (kind == 4)
        make_balanced(&m);
    else if (kind == 5 && !column->order)
        make_file(&m, folder);
    if (column->hierarchy && column->is_range && column->role == COVEY_ROLE_QUASI && maker_below(state, 4) == 0)
        column->n_levels = 0; /* publish: range */
    else if (column->hierarchy)
        column->is_range = false;
}
