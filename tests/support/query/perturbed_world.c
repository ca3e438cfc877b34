/* Making small perturbed releases and all that could lie behind them. */
#include "test.h"

#include <string.h>

#include "support/query/perturbed_world.h"
#include "support/release/random_release.h"

const char *const perturbed_cities[] = {"Aa", "Bo", "Ca"};
static const char *const notes[] = {"x", "y"};
const condition_attribute perturbed_attributes[N_ATTRIBUTES] = {
    {.name = "age", .low = 0, .high = 5},
    {.name = "city", .n_labels = 3, .label = perturbed_cities},
    {.name = "note", .n_labels = 2, .label = notes},
    {.name = "pay", .low = 0, .high = N_PAY - 1},
};

static double uniform(uint64_t *state)
{
    return (random_below(state, 1u << 30) + 0.5) / (1u << 30);
}

void perturbed_make(perturbed_world *w, int n_rows, uint64_t *state)
{
    static const double kept[] = {0.125, 0.25, 0.375, 0.5};

    *w = (perturbed_world){.n_rows = n_rows};
    for (int j = 0; j < N_PAY; j++)
        w->alpha[j] = kept[random_below(state, 4)];
    for (int i = 0; i < n_rows; i++) {
        int *value = w->value[i];

        value[AGE] = random_below(state, 6) ? (int)random_below(state, 6) : CONDITION_NULL;
        value[CITY] = (int)random_below(state, 3);
        value[NOTE] = random_below(state, 4) ? (int)random_below(state, 2) : CONDITION_NULL;
        value[PAY] = i < N_PAY ? i : (int)random_below(state, N_PAY);
        w->prior[value[PAY]]++;
    }
}

void perturbed_randomize(perturbed_world *w, uint64_t *state)
{
    for (int i = 0; i < w->n_rows; i++) {
        int pay = w->value[i][PAY];

        w->shown[i] = uniform(state) < w->alpha[pay] ? pay : (int)random_below(state, N_PAY);
    }
}

covey_query_release *perturbed_open(release_folder *r, const perturbed_world *w)
{
    static char table[8192], lines[1024], manifest[4096];
    size_t n = (size_t)snprintf(table, sizeof table, "age,city,note,pay\n"),
           m = (size_t)snprintf(lines, sizeof lines, "value,prior,cap,gamma,alpha\n");
    covey_query_release *release = NULL;
    covey_error err;

    for (int i = 0; i < w->n_rows; i++) {
        const int *value = w->value[i];

        if (value[AGE] != CONDITION_NULL)
            n += (size_t)snprintf(table + n, sizeof table - n, "%d", value[AGE]);
        n += (size_t)snprintf(table + n, sizeof table - n, ",%s,%s,%d\n", perturbed_cities[value[CITY]],
                              value[NOTE] == CONDITION_NULL ? "" : notes[value[NOTE]], w->shown[i]);
    }
    for (int j = 0; j < N_PAY; j++)
        m += (size_t)snprintf(lines + m, sizeof lines - m, "%d,%.17g,1,1,%.17g\n", j, (double)w->prior[j] / w->n_rows,
                              w->alpha[j]);
    release_begin(r);
    release_put(r, "table.csv", table);
    release_put(r, "perturbation.csv", lines);
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'perturbed',"
             " 'method': {'name': 'perturbation', 'parameters': {}}, 'rows': %d, 'published_rows': %d, "
             "'suppressed_rows': 0, 'dropped_rows': 0,"
             " 'classes': 0, 'missing': [''], 'promises': [], 'columns': ["
             "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/2'},"
             "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
             "'has_missing': false},"
             "  {'name': 'note', 'role': 'insensitive', 'type': 'text', 'publish': 'value'},"
             "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}],"
             " 'prior': {'pay': {'0': %d, '1': %d, '2': %d, '3': %d}}, 'objective': null,"
             " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': null, 'largest_risk': "
             "null, 'mean_risk': null}}",
             w->n_rows, w->n_rows, w->prior[0], w->prior[1], w->prior[2], w->prior[3]);
    release_state(r, manifest);
    release_write(r);
    if (covey_query_open(&release, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}
