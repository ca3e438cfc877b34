/* Making small tables and their slices. */
#include "test.h"

#include "support/release/sliced_table.h"

#include "release/sliced/sliced.h"

uint32_t sliced_code(const covey_release *release, const covey_problem *problem, size_t s, size_t f, uint32_t line)
{
    return covey_i_sliced_code(release, problem, s, f, covey_i_sliced_piece(release->form_data, s, line));
}

void sliced_random(sliced_table *t, uint64_t *seed)
{
    t->n = 1 + maker_below(seed, SLICED_MOST_ROWS);
    t->n_dims = 1 + maker_below(seed, SLICED_MOST_DIMS);
    for (uint32_t d = 0; d <= t->n_dims; d++)
        for (uint32_t r = 0; r < t->n; r++)
            t->code[d][r] = maker_below(seed, SLICED_MOST_VALUES);
}

void sliced_make(problem_maker *m, const sliced_table *t, const char *l, const uint32_t *order)
{
    static const char *const name[] = {"a", "b", "c"};
    char params[32];
    covey_error err;

    maker_init(m, t->n);
    m->order = order;
    for (uint32_t d = 0; d < t->n_dims; d++)
        if (d == 1)
            maker_add_flat(m, name[d], t->code[d], SLICED_MOST_VALUES, false);
        else
            maker_add_range(m, name[d], t->code[d], SLICED_MOST_VALUES, false, NULL);
    snprintf(params, sizeof params, "l=%s", l);
    maker_promise(m, "sliced-l-diversity", params, maker_add_sensitive(m, "s", t->code[t->n_dims], SLICED_MOST_VALUES));
    assert_int_equal(maker_finish(m, &err), COVEY_OK);
}

const char *const sliced_options[SLICED_N_OPTIONS] = {
    "",
    "anatomize=false",
    "cut=relaxed",
    "cut=relaxed,anatomize=false",
    "one-per-column=true",
    "buckets=random,bucket-size=5",
    "buckets=random,bucket-size=3,one-per-column=true",
    "first-dimension-only=true",
    "sensitive-size=1",
    "number-of-columns=3",
};

covey_status sliced_solve(covey_release **out, problem_maker *m, const char *params, const char *columns, int n_threads,
                          uint64_t seed)
{
    const covey_method *method = covey_method_find("slicing");
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = seed};
    void *made = maker_method_params(m, method, params);
    covey_error err;
    size_t n;
    const covey_param *list = covey_method_params(method, &n);

    *out = NULL;
    if (columns)
        assert_int_equal(covey_param_set(made, list, n, "slicing", "columns", columns, &err), COVEY_OK);
    return method->run(out, &m->problem, made, &run, &err);
}

void sliced_print(char *out, size_t size, const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    size_t used = 0;

    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
                used += (size_t)snprintf(out + used, size - used, "\n%zu:%u", s, b);
                for (size_t f = 0; f < data->slice[s].n_fields; f++)
                    used += (size_t)snprintf(out + used, size - used, ",%u", sliced_code(release, problem, s, f, i));
            }
}
