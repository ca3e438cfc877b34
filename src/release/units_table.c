/* Counts the units of each class, and writes units.csv. */
#include "release/units_table.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/text.h"

/* Counts the units among the rows of a class.  All of a unit's are in one, so that its first row stands for it: rows
 * lie anywhere, and what is asked of each is small. */
struct counter {
    uint64_t *seen;  /* [units / 64 + 1] a bit for each unit, while rows are looked at */
    uint64_t *first; /* [n_rows / 64 + 1] a bit for each row: is it its unit's first? */
};

static bool new_counter(struct counter *c, const covey_unit_set *set, uint32_t n_rows)
{
    c->seen = covey_i_array_zero(set->n / 64 + 1, sizeof *c->seen);
    c->first = covey_i_array_zero(n_rows / 64 + 1, sizeof *c->first);
    if (!c->seen || !c->first)
        return false;
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint32_t unit = set->of_row[row];
        uint64_t *seen = &c->seen[unit / 64];

        c->first[row / 64] |= (~*seen >> unit % 64 & 1) << row % 64;
        *seen |= UINT64_C(1) << unit % 64;
    }
    return true;
}

static void free_counter(struct counter *c)
{
    covey_i_free(c->seen);
    covey_i_free(c->first);
}

static int64_t count_class(const struct counter *c, const uint32_t *rows, uint32_t n)
{
    int64_t n_units = 0;

    for (uint32_t i = 0; i < n; i++)
        n_units += c->first[rows[i] / 64] >> rows[i] % 64 & 1;
    return n_units;
}

static int64_t largest_of(const covey_units *units, const uint32_t *rows, uint32_t n)
{
    int64_t largest = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t n_rows = units->n_rows[units->whole.of_row[rows[i]]];

        largest = n_rows > largest ? n_rows : largest;
    }
    return largest;
}

/* The most rows that a unit has, or may have, as far as that follows from the promises and the number of units. */
static int64_t shown_largest(const covey_release *release, const covey_problem *problem, int64_t n_units,
                             const uint32_t *rows, uint32_t n)
{
    const int64_t k = covey_i_units_largest_k(&problem->promises);

    if (k > 0 && !release->form->units_alike)
        return n / k;
    return release->form->units_alike || covey_i_units_are_counted(&problem->promises)
               ? largest_of(problem->units, rows, n)
               : n - n_units + 1;
}

static covey_status write_lines(int64_t *n_all, covey_outfile *out, const covey_release *release,
                                const covey_problem *problem, const struct counter *units,
                                const struct counter *persons, covey_error *err)
{
    covey_text line = COVEY_TEXT_INIT;

    covey_i_outfile_string(out, release->form->unit);
    covey_i_outfile_string(out, persons ? ",units,largest,persons\n" : ",units,largest\n");
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t *rows = release->row_order + release->class_start[c];
        const uint32_t n = release->class_start[c + 1] - release->class_start[c];
        const int64_t n_units = count_class(units, rows, n);

        *n_all += n_units; /* none is in two classes */
        covey_i_text_clear(&line);
        covey_i_text_add_whole(&line, c + 1);
        covey_i_text_add_char(&line, ',');
        covey_i_text_add_whole(&line, (uint64_t)n_units);
        covey_i_text_add_char(&line, ',');
        covey_i_text_add_whole(&line, (uint64_t)shown_largest(release, problem, n_units, rows, n));
        if (persons) {
            covey_i_text_add_char(&line, ',');
            covey_i_text_add_whole(&line, (uint64_t)count_class(persons, rows, n));
        }
        covey_i_text_add_char(&line, '\n');
        if (!line.broken)
            covey_i_outfile_write(out, line.bytes, line.size);
    }
    covey_i_text_free(&line);
    return line.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_units_table_write(int64_t *n_units, const covey_release *release, const covey_problem *problem,
                                       const char *folder, covey_files *files, covey_error *err)
{
    const covey_units *u = problem->units;
    struct counter units = {0}, persons = {0};
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status;

    *n_units = 0;
    covey_i_text_add_format(&path, "%s/units.csv", folder);
    if (path.broken || !new_counter(&units, &u->whole, release->n_rows) ||
        (u->within && !new_counter(&persons, &u->person, release->n_rows)))
        status = covey_i_no_memory(err);
    else if ((status = covey_i_outfile_open(&out, path.bytes, err)) == COVEY_OK &&
             (status = write_lines(n_units, out, release, problem, &units, u->within ? &persons : NULL, err)) ==
                 COVEY_OK) {
        status = covey_i_outfile_close(out, err);
        out = NULL;
    }
    covey_i_outfile_abort(out);
    covey_i_text_free(&path);
    free_counter(&units);
    free_counter(&persons);
    return status == COVEY_OK ? covey_i_files_add(files, "units.csv", release->n_classes, err) : status;
}
