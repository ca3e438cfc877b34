/* Counts the units of each class, and writes units.csv. */
#include "release/units_table.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/text.h"

/* Counts the units among rows. */
struct counter {
    const covey_unit_set *set;
    uint32_t *n; /* [set->n] rows of each in the class at hand; all 0 between classes */
};

static int64_t count_class(int64_t *largest, struct counter *c, const uint32_t *rows, uint32_t n)
{
    int64_t n_units = 0;

    *largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t size = ++c->n[c->set->of_row[rows[i]]];

        n_units += size == 1;
        *largest = size > *largest ? size : *largest;
    }
    for (uint32_t i = 0; i < n; i++)
        c->n[c->set->of_row[rows[i]]] = 0;
    return n_units;
}

/* The most rows that a unit may have, as far as that follows from the promises and the number of units. */
static int64_t shown_largest(const covey_promises *promises, int64_t size, int64_t n_units, int64_t largest)
{
    const int64_t k = covey_i_units_largest_k(promises);

    if (k > 0)
        return size / k;
    return covey_i_units_are_counted(promises) ? largest : size - n_units + 1;
}

static covey_status write_lines(int64_t *n_all, covey_outfile *out, const covey_release *release,
                                const covey_problem *problem, struct counter *units, struct counter *persons,
                                covey_error *err)
{
    covey_text line = COVEY_TEXT_INIT;

    covey_i_outfile_string(out, release->form->unit);
    covey_i_outfile_string(out, persons ? ",units,largest,persons\n" : ",units,largest\n");
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t *rows = release->row_order + release->class_start[c];
        const uint32_t n = release->class_start[c + 1] - release->class_start[c];
        int64_t largest, ignored;
        const int64_t n_units = count_class(&largest, units, rows, n);

        *n_all += n_units; /* none is in two classes */
        covey_i_text_clear(&line);
        if (!release->form->units_alike) /* else it says what the number of units does */
            largest = shown_largest(&problem->promises, n, n_units, largest);
        covey_i_text_add_format(&line, "%" PRIu32 ",%" PRId64 ",%" PRId64, c + 1, n_units, largest);
        if (persons)
            covey_i_text_add_format(&line, ",%" PRId64, count_class(&ignored, persons, rows, n));
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
    struct counter units = {.set = &u->whole, .n = covey_i_array_zero(u->whole.n, sizeof *units.n)},
                   persons = {.set = &u->person,
                              .n = covey_i_array_zero(u->within ? u->person.n : 1, sizeof *persons.n)};
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status;

    *n_units = 0;
    covey_i_text_add_format(&path, "%s/units.csv", folder);
    if (path.broken || !units.n || !persons.n)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_outfile_open(&out, path.bytes, err)) == COVEY_OK &&
             (status = write_lines(n_units, out, release, problem, &units, u->within ? &persons : NULL, err)) ==
                 COVEY_OK) {
        status = covey_i_outfile_close(out, false, err);
        out = NULL;
    }
    covey_i_outfile_abort(out);
    covey_i_text_free(&path);
    covey_i_free(units.n);
    covey_i_free(persons.n);
    return status == COVEY_OK ? covey_i_files_add(files, "units.csv", release->n_classes, err) : status;
}
