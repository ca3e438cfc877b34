/* Counts the units of each class, and writes units.csv. */
#include "release/units_table.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/text.h"
#include "base/threads.h"

enum { CLASSES = 1024 }; /* that a thread counts at a time */

/* All rows of a unit are in one class, so that its first row stands for it: rows lie anywhere, and what is asked of
 * each is small. */
struct counting {
    const covey_release *release;
    const uint64_t *first; /* a bit for each row */
    uint32_t *n;           /* [n_classes] */
};

static covey_status count_share(void *context, size_t task, covey_error *err)
{
    const struct counting *k = context;
    const covey_release *release = k->release;

    (void)err;
    for (size_t c = task * CLASSES; c < (task + 1) * CLASSES && c < release->n_classes; c++) {
        uint32_t n = 0;

        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            n += k->first[release->row_order[i] / 64] >> release->row_order[i] % 64 & 1;
        k->n[c] = n;
    }
    return COVEY_OK;
}

/* [n_classes] units of each, or persons. */
static covey_status count_classes(uint32_t **out, const covey_release *release, const uint64_t *first,
                                  covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct counting k = {release, first, *out = covey_arena_array(arena, uint32_t, release->n_classes)};

    if (!*out)
        return covey_i_no_memory(err);
    return covey_i_parallel(covey_run_threads(run), ((size_t)release->n_classes + CLASSES - 1) / CLASSES, count_share,
                            &k, err);
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

/* persons: NULL: they are the units. */
static covey_status write_lines(int64_t *n_all, covey_outfile *out, const covey_release *release,
                                const covey_problem *problem, const uint32_t *units, const uint32_t *persons,
                                covey_error *err)
{
    covey_text line = COVEY_TEXT_INIT;

    covey_i_outfile_string(out, release->form->unit);
    covey_i_outfile_string(out, persons ? ",units,largest,persons\n" : ",units,largest\n");
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t *rows = release->row_order + release->class_start[c];
        const uint32_t n = release->class_start[c + 1] - release->class_start[c];

        *n_all += units[c]; /* none is in two classes */
        covey_i_text_clear(&line);
        covey_i_text_add_whole(&line, c + 1);
        covey_i_text_add_char(&line, ',');
        covey_i_text_add_whole(&line, units[c]);
        covey_i_text_add_char(&line, ',');
        covey_i_text_add_whole(&line, (uint64_t)shown_largest(release, problem, units[c], rows, n));
        if (persons) {
            covey_i_text_add_char(&line, ',');
            covey_i_text_add_whole(&line, persons[c]);
        }
        covey_i_text_add_char(&line, '\n');
        if (!line.broken)
            covey_i_outfile_write(out, line.bytes, line.size);
    }
    covey_i_text_free(&line);
    return line.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_units_table_write(int64_t *n_units, const covey_release *release, const covey_problem *problem,
                                       const char *folder, covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_units *u = problem->units;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *units = NULL, *persons = NULL;
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status;

    *n_units = 0;
    covey_i_text_add_format(&path, "%s/units.csv", folder);
    if (path.broken)
        status = covey_i_no_memory(err);
    else if ((status = count_classes(&units, release, u->first, &arena, run, err)) == COVEY_OK && u->within)
        status = count_classes(&persons, release, u->first_of_person, &arena, run, err);
    if (status == COVEY_OK && (status = covey_i_outfile_open(&out, path.bytes, err)) == COVEY_OK &&
        (status = write_lines(n_units, out, release, problem, units, persons, err)) == COVEY_OK) {
        status = covey_i_outfile_close(out, err);
        out = NULL;
    }
    covey_i_outfile_abort(out);
    covey_i_text_free(&path);
    covey_arena_free(&arena);
    return status == COVEY_OK ? covey_i_files_add(files, "units.csv", release->n_classes, err) : status;
}
