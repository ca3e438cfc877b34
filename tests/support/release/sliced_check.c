/* Putting the pieces of sliced releases together in every way. */
#include "test.h"

#include "support/release/sliced_check.h"
#include "support/release/sliced_table.h"

#include "release/sliced/sliced.h"
#include "table/table_impl.h"

enum { MOST_STEPS = 1000000 };

/* --- what an observer concludes --- */

/* Rows of a line range whose values on the slice's fields are those of the tuple; fields beyond `only` do not count. */
static uint32_t count_lines(const covey_release *release, const covey_problem *problem, size_t s, uint32_t b,
                            const uint32_t *tuple, bool with_sensitive)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++) {
            const size_t field = data->slice[s].field[f];

            if (with_sensitive || problem->field[field].role != COVEY_ROLE_SENSITIVE)
                same = sliced_code(release, problem, s, f, i) == tuple[field];
        }
        n += same;
    }
    return n;
}

/* Rows of a bucket with the tuple's values on the fields that two slices share. */
static uint32_t count_shared(const covey_release *release, const covey_problem *problem, uint32_t b,
                             const uint32_t *tuple, size_t s, size_t other)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++)
            for (size_t g = 0; g < data->slice[other].n_fields; g++)
                if (data->slice[s].field[f] == data->slice[other].field[g])
                    same = same && sliced_code(release, problem, s, f, i) == tuple[data->slice[s].field[f]];
        n += same;
    }
    return n;
}

long double sliced_expected(const covey_release *release, const covey_problem *problem, uint32_t b,
                            const uint32_t *tuple)
{
    const covey_sliced *data = release->form_data;
    long double e = 1;

    for (size_t s = 0; s < data->n_slices; s++) {
        e *= count_lines(release, problem, s, b, tuple, true);
        if (s > 0 && e > 0)
            e /= count_shared(release, problem, b, tuple, s, s - 1);
    }
    return e;
}

void sliced_check_posteriors(const covey_release *release, const covey_problem *problem, uint32_t n_dims, double l)
{
    uint32_t tuple[SLICED_MOST_DIMS + 1] = {0}, n = 1;

    for (uint32_t d = 0; d < n_dims; d++)
        n *= SLICED_MOST_VALUES;
    for (uint32_t q = 0; q < n; q++) {
        long double sum = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < n_dims; d++, rest /= SLICED_MOST_VALUES)
            tuple[d] = rest % SLICED_MOST_VALUES;
        for (uint32_t v = 0; v < SLICED_MOST_VALUES; v++) {
            long double e = 0;

            tuple[n_dims] = v;
            for (uint32_t b = 0; b < release->n_classes; b++)
                e += sliced_expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* --- structure --- */

/* Rows that are looked for behind the lines. */
struct dealing {
    const covey_release *release;
    const covey_problem *problem;
    bool used[SLICED_MOST_ROWS], taken[SLICED_MOST_DIMS + 1][SLICED_MOST_ROWS]; /* rows; lines of each slice */
    uint32_t line[SLICED_MOST_ROWS], bucket[SLICED_MOST_ROWS]; /* of the first slice, small buckets first */
    unsigned steps;
};

/* What is left for a large bucket in the end mostly fits. */
static void list_lines(struct dealing *d)
{
    const uint32_t *start = d->release->class_start;
    uint32_t n = 0;

    for (uint32_t size = 1; size <= d->release->n_published; size++)
        for (uint32_t b = 0; b < d->release->n_classes; b++)
            for (uint32_t i = start[b]; i < start[b + 1] && start[b + 1] - start[b] == size; i++) {
                d->line[n] = i;
                d->bucket[n++] = b;
            }
}

static bool is_piece_of(const struct dealing *d, size_t s, uint32_t line, uint32_t row)
{
    const covey_slice *slice = &((const covey_sliced *)d->release->form_data)->slice[s];

    for (size_t f = 0; f < slice->n_fields; f++)
        if (sliced_code(d->release, d->problem, s, f, line) !=
            covey_i_code(d->problem->field[slice->field[f]].column, row))
            return false;
    return true;
}

/* Takes a line of each slice of the bucket for the row, and undoes it where one has none. */
static bool take(struct dealing *d, uint32_t b, uint32_t row, uint32_t *lines)
{
    const covey_sliced *data = d->release->form_data;

    for (size_t s = 0; s < data->n_slices; s++) {
        uint32_t i = d->release->class_start[b];

        while (i < d->release->class_start[b + 1] && (d->taken[s][i] || !is_piece_of(d, s, i, row)))
            i++;
        if (i == d->release->class_start[b + 1]) {
            while (s-- > 0)
                d->taken[s][lines[s]] = false;
            return false;
        }
        d->taken[s][i] = true;
        lines[s] = i;
    }
    return d->used[row] = true;
}

/* Is an earlier row that is left the same? */
static bool was_tried(const struct dealing *d, uint32_t row)
{
    for (uint32_t r = 0; r < row; r++) {
        bool same = !d->used[r];

        for (size_t f = 0; f < d->problem->n_fields && same; f++)
            same = covey_i_code(d->problem->field[f].column, r) == covey_i_code(d->problem->field[f].column, row);
        if (same)
            return true;
    }
    return false;
}

/* Can the lines from the i-th of the list on be those of rows that are left? */
static bool is_dealt(struct dealing *d, uint32_t i)
{
    const covey_sliced *data = d->release->form_data;

    if (i == d->release->n_published)
        return true;
    if (test_is_seeded() && d->steps >= MOST_STEPS) /* a case that nobody has seen may take forever: not judged */
        return true;
    assert_true(d->steps++ < MOST_STEPS);
    for (uint32_t r = 0; r < d->problem->n_rows; r++) {
        uint32_t lines[SLICED_MOST_DIMS + 1];

        if (d->used[r] || !is_piece_of(d, 0, d->line[i], r) || was_tried(d, r) || !take(d, d->bucket[i], r, lines))
            continue;
        if (is_dealt(d, i + 1))
            return true;
        d->used[r] = false;
        for (size_t s = 0; s < data->n_slices; s++)
            d->taken[s][lines[s]] = false;
    }
    return false;
}

void sliced_check_structure(const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    struct dealing dealing = {.release = release, .problem = problem};

    list_lines(&dealing);
    assert_true(is_dealt(&dealing, 0));
    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b] + 1; i < release->class_start[b + 1]; i++) {
                int order = 0;

                for (size_t f = 0; f < data->slice[s].n_fields && order == 0; f++)
                    order =
                        (int)sliced_code(release, problem, s, f, i - 1) - (int)sliced_code(release, problem, s, f, i);
                assert_true(order <= 0);
            }
    assert_int_equal(data->slice[data->n_slices - 1].field[data->slice[data->n_slices - 1].n_fields - 1],
                     problem->n_fields - 1);
}
