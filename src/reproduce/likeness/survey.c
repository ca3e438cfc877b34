/* A table like the census whose persons are those of a real survey: age, sex, education, marital status and industry
 * go together as they do there.  Persons are drawn with repetition; ranked by income, equal ones in any order, they
 * get the census table's salaries, as many of each as it has: little more is known of the paper's table. */
#include "reproduce/likeness/likeness.h"

#include <covey/io.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generate/generator_impl.h"
#include "table/table_impl.h"

enum { AGE, SEX, EDUCATION, MARITAL, INDUSTRY, INCOME, COLUMNS };
static const char *const column_name[COLUMNS] = {"AGEP", "SEX", "EDU", "MSP", "INDP_CAT", "PINCP"};
/* 79 ages, as the census has; industries two by two, the last with those who have none. */
enum { YOUNGEST = 16, OLDEST = 94, NO_INDUSTRY = 18, SURVEY_SEED = 1 };

struct person {
    int64_t value[COLUMNS];
};

struct survey {
    const covey_table *table;
    int column[COLUMNS];
    struct person *person;
    size_t n;
};

/* A row of the table to be written. */
struct drawn {
    int64_t income;
    uint64_t tie;
    uint32_t row, person;
};

static bool read_value(int64_t *out, const struct survey *s, int64_t row, int which)
{
    const covey_column *text = covey_table_column(s->table, (size_t)s->column[which]);
    const char *label = covey_column_label(text, covey_i_code(text, row));
    char *end;

    *out = (int64_t)strtod(label, &end);
    return end > label && *end == '\0';
}

/* Children have neither an education nor a marital status, and no income. */
static bool read_person(struct person *p, const struct survey *s, int64_t row)
{
    for (int i = 0; i < COLUMNS; i++)
        if (!read_value(&p->value[i], s, row, i)) {
            if (i != INDUSTRY)
                return false;
            p->value[i] = NO_INDUSTRY;
        }
    p->value[AGE] = p->value[AGE] > OLDEST ? OLDEST : p->value[AGE];
    return p->value[AGE] >= YOUNGEST;
}

static covey_status read_persons(struct survey *s, const char *path, covey_arena *arena, covey_error *err)
{
    const int64_t n = covey_table_n_rows(s->table);

    for (int i = 0; i < COLUMNS; i++)
        if ((s->column[i] = covey_table_find(s->table, column_name[i])) < 0)
            return covey_fail(err, COVEY_ENOTFOUND, "%s: there is no column \"%s\"", path, column_name[i]);
    if (!(s->person = covey_arena_array(arena, struct person, (size_t)n)))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < n; row++)
        s->n += read_person(&s->person[s->n], s, row);
    return s->n > 0 ? COVEY_OK : covey_fail(err, COVEY_EPARSE, "%s: there is no grown person with an income", path);
}

static int compare_incomes(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    if (x->income != y->income)
        return x->income < y->income ? -1 : 1;
    return x->tie < y->tie ? -1 : x->tie > y->tie;
}

/* Draws the rows and finds their salaries. */
static covey_status draw(struct drawn **out, uint8_t **salary, const struct survey *s, const int64_t *count,
                         uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    struct drawn *ranked = covey_arena_array(arena, struct drawn, n_rows), *drawn;
    covey_splitmix rng = {SURVEY_SEED};
    uint32_t rank = 0;

    *out = drawn = covey_arena_array(arena, struct drawn, n_rows);
    *salary = covey_arena_array(arena, uint8_t, n_rows);
    if (!ranked || !drawn || !*salary)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint32_t person = (uint32_t)covey_i_splitmix_below(&rng, s->n);

        drawn[row] = (struct drawn){s->person[person].value[INCOME], covey_i_splitmix_word(&rng), row, person};
    }
    memcpy(ranked, drawn, n_rows * sizeof *ranked);
    qsort(ranked, n_rows, sizeof *ranked, compare_incomes);
    for (int v = 0; v < COVEY_LIKENESS_SALARIES; v++)
        for (int64_t i = 0; i < count[v]; i++)
            (*salary)[ranked[rank++].row] = (uint8_t)v;
    return COVEY_OK;
}

static void write_rows(covey_outfile *to, const struct survey *s, const struct drawn *drawn, const uint8_t *salary,
                       uint32_t n_rows)
{
    covey_i_outfile_string(to, "age,gender,education,marital,workclass,salary\n");
    for (uint32_t row = 0; row < n_rows; row++) {
        const int64_t *value = s->person[drawn[row].person].value;
        char line[80];

        snprintf(line, sizeof line, "%d,%d,%d,%d,%d,%d\n", (int)value[AGE] - YOUNGEST, (int)value[SEX] - 1,
                 (int)value[EDUCATION], (int)value[MARITAL] - 1, (int)value[INDUSTRY] / 2, salary[row]);
        covey_i_outfile_string(to, line);
    }
}

static covey_status make(const covey_likeness_table *table, struct survey *s, const char *path, covey_arena *arena,
                         covey_error *err)
{
    const uint32_t n_rows = (uint32_t)table->n_rows;
    struct drawn *drawn;
    uint8_t *salary;
    covey_outfile *to;

    COVEY_TRY(read_persons(s, path, arena, err));
    COVEY_TRY(draw(&drawn, &salary, s, table->count, n_rows, arena, err));
    remove(table->path);
    COVEY_TRY(covey_i_outfile_open(&to, table->path, err));
    write_rows(to, s, drawn, salary, n_rows);
    return covey_i_outfile_close(to, err);
}

covey_status covey_i_likeness_survey(covey_likeness_table *out, const covey_experiment_context *context,
                                     covey_error *err)
{
    static const covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    const char *path = covey_i_experiment_data(context, COVEY_LIKENESS_SURVEY);
    covey_likeness_table table;
    struct survey s = {.n = 0};
    covey_arena_mark mark;
    covey_table *read;
    covey_status status;

    if (!path)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_likeness_table(&table, context, NULL, err)); /* its salaries, and the hierarchies */
    mark = covey_arena_save(context->arena);
    table.kind = "persons of a survey";
    COVEY_TRY(covey_csv_read(&read, path, &options, NULL, err));
    s.table = read;
    if ((status = make(&table, &s, path, context->arena, err)) == COVEY_OK)
        *out = table;
    covey_table_free(read);
    covey_arena_rewind(context->arena, mark);
    return status;
}
