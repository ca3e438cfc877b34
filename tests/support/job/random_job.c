/* Making a table, hierarchies and a policy at random. */
#include "test.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "support/job/random_job.h"

static const char *const names[] = {"age",        "Age",        "zip code", "a, b",    "größe", "x/y", "..",
                                    "say \"hi\"", "semi;colon", " lead",    "classes", "null",  "{x}"};
static const char *const texts[] = {"a",     "b",         "Zürich", "x, y", "say \"hi\"", "two\nlines", "semi;colon",
                                    " lead", "trail ",    "{set}",  "*",    "[1, 2]",     "-",          "日本",
                                    "=1+1",  "tab\there", "'",      "\\",   "a..b",       "1e5",        "NaN",
                                    "#",     "{",         "A",      "ab",   "\"\""};

enum { N_NAMES = sizeof names / sizeof *names, N_TEXTS = sizeof texts / sizeof *texts };

/* What a column's values look like. */
typedef enum looks { LOOK_INTEGER, LOOK_DECIMAL, LOOK_DATE, LOOK_TEXT, LOOK_CODE, N_LOOKS } looks;

const char *job_format(random_job *job, const char *fmt, ...)
{
    char text[4096];
    const char *copy;
    va_list args;

    va_start(args, fmt);
    assert_in_range(vsnprintf(text, sizeof text, fmt, args), 0, sizeof text - 1);
    va_end(args);
    assert_non_null(copy = covey_arena_strdup(&job->arena, text));
    return copy;
}

const char *job_quoted(random_job *job, const char *text)
{
    char out[512], *to = out;

    *to++ = '"';
    for (; *text; text++) {
        assert_true(to < out + sizeof out - 4);
        if (strchr("\"\\\n\t", *text))
            *to++ = '\\';
        *to++ = *text == '\n' ? 'n' : *text == '\t' ? 't' : *text;
    }
    *to++ = '"';
    *to = '\0';
    return job_format(job, "%s", out);
}

int64_t job_number(const job_column *column, const char *text)
{
    struct tm day = {0};
    int64_t whole;
    int digits = 0;
    char *end;

    if (column->type == COVEY_TYPE_DATE) {
        assert_int_equal(sscanf(text, "%d-%d-%d", &day.tm_year, &day.tm_mon, &day.tm_mday), 3);
        day.tm_year -= 1900;
        day.tm_mon--;
        return timegm(&day) / 86400;
    }
    whole = strtoll(text, &end, 10);
    for (end += *end == '.'; end[digits]; digits++)
        whole = whole * 10 + (text[0] == '-' ? -1 : 1) * (end[digits] - '0');
    for (; digits < column->scale; digits++)
        whole *= 10;
    assert_int_equal(digits, column->scale);
    return whole;
}

/* Value number i of a column; start and step make columns differ. */
static const char *make_value(random_job *job, looks look, const job_column *column, unsigned i, unsigned start,
                              unsigned step)
{
    static const int starts[] = {-40, 0, 17, 1990}, steps[] = {1, 1, 7, 1000};
    static const int units[] = {1, 10, 100, 1000};
    const int64_t number = starts[start] + (int64_t)i * steps[step];
    time_t day = (time_t)(number * 86400);
    char text[32];

    switch (look) {
    case LOOK_INTEGER:
        return job_format(job, "%lld", (long long)number);
    case LOOK_DECIMAL:
        return job_format(job, "%s%lld.%0*lld", number < 0 ? "-" : "", llabs(number) / units[column->scale],
                          column->scale, llabs(number) % units[column->scale]);
    case LOOK_DATE:
        strftime(text, sizeof text, "%Y-%m-%d", gmtime(&day));
        return job_format(job, "%s", text);
    case LOOK_CODE:
        return job_format(job, "%c%03u", 'A' + (int)start, (i * 37 * steps[step]) % 1000);
    default:
        return i < N_TEXTS ? texts[(i + start * 7 + step * 3) % N_TEXTS] : job_format(job, "v%u", i);
    }
}

static covey_type type_of(looks look)
{
    return look == LOOK_INTEGER   ? COVEY_TYPE_INTEGER
           : look == LOOK_DECIMAL ? COVEY_TYPE_DECIMAL
           : look == LOOK_DATE    ? COVEY_TYPE_DATE
                                  : COVEY_TYPE_TEXT;
}

/* One in `rare` cells is missing; 0: none. */
static void fill_column(random_job *job, job_column *column, uint64_t *state, looks look, unsigned n_values,
                        unsigned rare)
{
    const unsigned start = maker_below(state, 4), step = maker_below(state, 4), crowded = maker_below(state, 3);
    unsigned shift = maker_below(state, 1000);

    column->type = type_of(look);
    column->scale = look == LOOK_DECIMAL ? 1 + (int)maker_below(state, 3) : 0;
    column->is_unique = n_values >= job->n_rows && look != LOOK_CODE && rare == 0;
    for (size_t row = 0; row < job->n_rows; row++) {
        unsigned i = crowded && maker_below(state, crowded + 1) ? 0 : maker_below(state, n_values);

        if (column->is_unique)
            i = (unsigned)((row + shift) % job->n_rows);
        column->cell[row] =
            rare && maker_below(state, rare) == 0 ? NULL : make_value(job, look, column, i, start, step);
        column->has_missing |= !column->cell[row];
    }
    /* A guess needs something to look at. */
    column->says_type = column->has_missing || maker_below(state, 2);
}

static const unsigned n_different[] = {1, 2, 3, 6, 15, 70, JOB_MOST_ROWS};

static void add_column(random_job *job, uint64_t *state, covey_role role)
{
    job_column *column = &job->column[job->n_columns++];
    const unsigned n_values = n_different[maker_below(state, role == COVEY_ROLE_SENSITIVE ? 5 : 7)];
    unsigned rare = maker_below(state, 3) ? 0 : (const unsigned[]){1, 2, 10, 10, 10, 30}[maker_below(state, 6)];

    column->name = names[(job->number + job->n_columns) % N_NAMES];
    column->role = role;
    if (role == COVEY_ROLE_SENSITIVE && rare == 1)
        rare = 2; /* nothing is sensitive about a column of missing cells */
    fill_column(job, column, state, (looks)maker_below(state, N_LOOKS), n_values, rare);
}

/* A column of "k0" ... "k159" in random order; as identifier nothing of it may be published. */
static void add_key(random_job *job, uint64_t *state, covey_role role, const char *prefix)
{
    job_column *column = &job->column[job->n_columns++];

    column->name = names[(job->number + job->n_columns) % N_NAMES];
    column->role = role;
    column->type = COVEY_TYPE_TEXT;
    column->is_unique = true;
    for (size_t row = 0; row < job->n_rows; row++)
        column->cell[row] = job_format(job, "%s%zu", prefix, row);
    for (size_t row = job->n_rows; row > 1; row--) {
        const size_t other = maker_below(state, (uint32_t)row);
        const char *swap = column->cell[row - 1];

        column->cell[row - 1] = column->cell[other];
        column->cell[other] = swap;
    }
}

/* The columns in random order. */
static void add_columns(random_job *job, uint64_t *state)
{
    const unsigned n_quasi = 1 + maker_below(state, 4), n_insensitive = maker_below(state, 3);
    const bool has_identifier = maker_below(state, 3) == 0;

    job->n_sensitive = maker_below(state, 8) ? 1 + (maker_below(state, 3) == 0) : 0;
    job->has_key = maker_below(state, 2);
    for (unsigned left[] = {n_quasi, n_insensitive, (unsigned)job->n_sensitive, job->has_key, has_identifier};;) {
        unsigned which = maker_below(state, 5);

        if (left[0] + left[1] + left[2] + left[3] + left[4] == 0)
            break;
        if (left[which] == 0)
            continue;
        left[which]--;
        if (which == 2)
            job->sensitive[job->n_sensitive - left[2] - 1] = job->n_columns;
        if (which < 3)
            add_column(job, state,
                       which == 0   ? COVEY_ROLE_QUASI
                       : which == 1 ? COVEY_ROLE_INSENSITIVE
                                    : COVEY_ROLE_SENSITIVE);
        else
            add_key(job, state, which == 3 ? COVEY_ROLE_INSENSITIVE : COVEY_ROLE_IDENTIFIER,
                    which == 3 ? "k" : "identifier-");
    }
}

/* Rows that the policy drops; false if none would stay. */
static bool drop_rows(random_job *job)
{
    for (size_t c = 0; c < job->n_columns; c++) {
        job_column *column = &job->column[c];

        if ((column->role == COVEY_ROLE_QUASI && job->drops_quasi) ||
            (column->role == COVEY_ROLE_SENSITIVE && job->drops_sensitive))
            for (size_t row = 0; row < job->n_rows; row++)
                job->is_dropped[row] |= !column->cell[row];
    }
    for (size_t row = 0; row < job->n_rows; row++)
        job->n_dropped += job->is_dropped[row];
    for (size_t c = 0; c < job->n_columns; c++) {
        job->column[c].has_missing = false;
        for (size_t row = 0; row < job->n_rows; row++)
            job->column[c].has_missing |= !job->is_dropped[row] && !job->column[c].cell[row];
    }
    return job->n_dropped < job->n_rows;
}

static const job_column *sorted_by; /* qsort passes nothing on */

static int compare_values(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const int64_t nx = sorted_by->type == COVEY_TYPE_TEXT ? 0 : job_number(sorted_by, x);
    const int64_t ny = sorted_by->type == COVEY_TYPE_TEXT ? 0 : job_number(sorted_by, y);

    return nx != ny ? (nx > ny) - (nx < ny) : strcmp(x, y);
}

size_t job_values(const char ***out, random_job *job, const job_column *column)
{
    size_t n = 0, kept = 0;

    *out = covey_arena_array(&job->arena, const char *, job->n_rows);
    assert_non_null(*out);
    for (size_t row = 0; row < job->n_rows; row++)
        if (!job->is_dropped[row] && column->cell[row])
            (*out)[n++] = column->cell[row];
    sorted_by = column;
    qsort(*out, n, sizeof **out, compare_values);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp((*out)[kept - 1], (*out)[i]) != 0)
            (*out)[kept++] = (*out)[i];
    if (!column->order)
        return kept;
    memcpy(*out, column->order, column->n_order * sizeof **out);
    return column->n_order;
}

/* All values of a text in random order, those of rows that will be dropped, too. */
static void add_order(random_job *job, job_column *column, uint64_t *state)
{
    const char **value;
    const size_t n = job_values(&value, job, column);

    if (column->type != COVEY_TYPE_TEXT || n == 0 || n > 30 || maker_below(state, 3))
        return;
    for (size_t i = n; i > 1; i--) {
        const size_t other = maker_below(state, (uint32_t)i);
        const char *swap = value[i - 1];

        value[i - 1] = value[other];
        value[other] = swap;
    }
    column->order = value;
    column->n_order = n;
}

int64_t job_domain(random_job *job, const job_column *column)
{
    const char **value;
    const size_t n = job_values(&value, job, column);

    return n > 0 ? job_number(column, value[n - 1]) + column->above - job_number(column, value[0]) + column->below : 0;
}

static void print_column(covey_text *out, random_job *job, job_column *column, uint64_t *state)
{
    static const char *const weights[] = {"2", "1/3", "0.25"};
    const char **value;
    const size_t n = job_values(&value, job, column);

    covey_i_text_add_format(out, "  - {name: %s, role: %s", job_quoted(job, column->name),
                            covey_role_name(column->role));
    if (column->role == COVEY_ROLE_INSENSITIVE)
        covey_i_text_add_string(out, ", unique: allowed");
    if (column->says_type && (column->role == COVEY_ROLE_QUASI || column->role == COVEY_ROLE_SENSITIVE))
        covey_i_text_add_format(out, ", type: %s", covey_type_name(column->type));
    if (column->hierarchy)
        covey_i_text_add_format(out, ", hierarchy: %s", column->hierarchy);
    if (column->is_range && column->hierarchy)
        covey_i_text_add_string(out, ", publish: range");
    if (column->order) {
        covey_i_text_add_string(out, ", order: [");
        for (size_t i = 0; i < column->n_order; i++)
            covey_i_text_add_format(out, "%s%s", i ? ", " : "", job_quoted(job, column->order[i]));
        covey_i_text_add_char(out, ']');
    }
    if (column->role == COVEY_ROLE_QUASI && maker_below(state, 3) == 0)
        covey_i_text_add_format(out, ", weight: %s", weights[maker_below(state, 3)]);
    if (column->role == COVEY_ROLE_QUASI && column->is_range && !column->hierarchy && n > 0 &&
        column->type == COVEY_TYPE_INTEGER && maker_below(state, 3) == 0) {
        column->below = maker_below(state, 20);
        column->above = maker_below(state, 20);
        covey_i_text_add_format(out, ", domain: [%lld, %lld]",
                                (long long)(job_number(column, value[0]) - column->below),
                                (long long)(job_number(column, value[n - 1]) + column->above));
    }
    covey_i_text_add_string(out, "}\n");
}

static void write_policy(random_job *job, uint64_t *state, const char *folder)
{
    static const char *const limits[] = {"0", "0", "0", "0.05", "1/3", "1"};
    static const int limit_num[] = {0, 0, 0, 1, 1, 1}, limit_den[] = {1, 1, 1, 20, 3, 1};
    const unsigned limit = maker_below(state, 6);
    covey_text out = COVEY_TEXT_INIT;
    bool sensitive_missing = false;

    for (size_t i = 0; i < job->n_sensitive; i++) /* of rows that are dropped for another column, too */
        for (size_t row = 0; row < job->n_rows; row++)
            sensitive_missing |= !job->column[job->sensitive[i]].cell[row];
    covey_i_text_add_format(&out, "version: 1\ninput:\n  path: quokka.csv\n  null: [\"%s\"]\n", job->missing);
    if (job->drops_quasi)
        covey_i_text_add_string(&out, "  missing-quasi: drop\n");
    if (job->drops_sensitive || sensitive_missing)
        covey_i_text_add_format(&out, "  missing-sensitive: %s\n", job->drops_sensitive ? "drop" : "value");
    covey_i_text_add_string(&out, "attributes:\n");
    for (size_t c = 0; c < job->n_columns; c++)
        print_column(&out, job, &job->column[c], state);
    covey_i_text_add_string(&out, "privacy:\n");
    for (size_t i = 0; i < job->n_promises; i++)
        covey_i_text_add_format(&out, "  - %s\n", job->promise[i].policy);
    job->limit_num = limit_num[limit];
    job->limit_den = limit_den[limit];
    covey_i_text_add_format(&out, "suppression: {limit: %s}\n", limits[limit]);
    assert_false(out.broken);
    csv_put_file(job_format(job, "%s/policy.yaml", folder), out.bytes, out.size);
    covey_i_text_free(&out);
}

void random_job_init(random_job *job, uint64_t number, const char *folder)
{
    uint64_t state = number * 0x9E3779B97F4A7C15u;

    do {
        covey_arena_free(&job->arena);
        memset(job, 0, sizeof *job);
        job->number = number;
        job->n_rows = (const unsigned[]){1, 2, 7, 20, 40, 80, JOB_MOST_ROWS}[maker_below(&state, 7)];
        job->missing = maker_below(&state, 3) ? "" : "?";
        job->drops_quasi = maker_below(&state, 6) == 0;
        job->drops_sensitive = maker_below(&state, 2);
        add_columns(job, &state);
        for (size_t c = 0; c < job->n_columns; c++)
            if (job->column[c].role == COVEY_ROLE_QUASI || job->column[c].role == COVEY_ROLE_SENSITIVE)
                add_order(job, &job->column[c], &state);
    } while (!drop_rows(job));
    for (size_t c = 0; c < job->n_columns; c++)
        if (job->column[c].role == COVEY_ROLE_QUASI || job->column[c].role == COVEY_ROLE_SENSITIVE)
            job_add_hierarchy(job, &job->column[c], &state, folder);
    job->min_size = maker_below(&state, 6) ? 0 : 1 + maker_below(&state, 12);
    job_add_promises(job, &state);
    write_policy(job, &state, folder);
}

void random_job_clear(random_job *job)
{
    covey_arena_free(&job->arena);
}

const char *job_param(random_job *job, const covey_param *param, uint64_t *state)
{
    size_t n = 0;

    if (maker_below(state, 3) || strcmp(param->name, "min-size") == 0)
        return NULL;
    switch (param->type) {
    case COVEY_PARAM_CHOICE:
        while (param->choices[n])
            n++;
        return param->choices[maker_below(state, (uint32_t)n)];
    case COVEY_PARAM_BOOL:
        return maker_below(state, 2) ? "true" : "false";
    case COVEY_PARAM_INTEGER:
        return job_format(job, "%lld",
                          (param->minimum ? strtoll(param->minimum, NULL, 10) : 1) + (long long)maker_below(state, 3));
    case COVEY_PARAM_RATIO:
        if (param->minimum && strtod(param->minimum, NULL) >= 1)
            return maker_below(state, 2) ? param->minimum : "3/2";
        return maker_below(state, 2) ? "0.1" : "1/2";
    default:
        return NULL;
    }
}

/* An empty cell that is alone in its line is quoted, too: otherwise it would be a blank line. */
static void write_cell(covey_text *out, const char *cell, bool alone, const job_writing *how)
{
    const bool quotes = how->quotes_all || strpbrk(cell, "\"\n\r ,;\t|") || (alone && !*cell);

    if (!quotes) {
        covey_i_text_add_string(out, cell);
        return;
    }
    covey_i_text_add_char(out, '"');
    for (; *cell; cell++) {
        if (*cell == '"')
            covey_i_text_add_char(out, '"');
        covey_i_text_add_char(out, *cell);
    }
    covey_i_text_add_char(out, '"');
}

void job_write(const random_job *job, const char *path, const job_writing *how)
{
    covey_text out = COVEY_TEXT_INIT;

    if (how->byte_order_mark)
        covey_i_text_add_string(&out, "\xEF\xBB\xBF");
    for (size_t line = 0; line <= job->n_rows; line++) {
        for (size_t c = 0; c < job->n_columns; c++) {
            const job_column *column = &job->column[c];
            const size_t row = line == 0 ? 0 : how->order ? how->order[line - 1] : line - 1;

            if (c > 0)
                covey_i_text_add_char(&out, how->delimiter);
            write_cell(&out,
                       line == 0           ? column->name
                       : column->cell[row] ? column->cell[row]
                                           : job->missing,
                       job->n_columns == 1, how);
        }
        covey_i_text_add_string(&out, how->crlf ? "\r\n" : "\n");
    }
    assert_false(out.broken);
    csv_put_file(path, out.bytes, out.size);
    covey_i_text_free(&out);
}
