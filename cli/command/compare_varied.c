/* All policies are made and checked before the first is compared. */
#include "compare_varied.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_methods.h"
#include "policy_options.h"
#include "progress.h"
#include "spare.h"

enum { COLUMNS_AT_ONCE = 8, WIDTH_AT_ONCE = 84 }; /* of the table with a column for each combination */

struct varied {
    const cli_call *call;
    const covey_compare_options *options;
    covey_variations *variations;
    covey_policy **policy;         /* [n_combinations] */
    covey_comparison **comparison; /* [n_combinations] NULL: not yet */
    covey_comparison_plot *plot;
    json_t *said; /* warnings: each is said once */
    covey_run run;
};

/* --- the policies --- */

/* "k=3, suppression=0.01" */
static void name_combination(char *out, size_t size, const covey_variations *variations, size_t combination)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < variations->n && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s=%s", i ? ", " : "", variations->variation[i].name,
                                 covey_variations_value(variations, combination, i));
}

static covey_status blame(const struct varied *v, size_t combination, covey_status status, covey_error *err)
{
    char name[300], message[sizeof err->message];

    if (status == COVEY_OK || status == COVEY_ECANCELLED || status == COVEY_ENOMEM)
        return status;
    name_combination(name, sizeof name, v->variations, combination);
    snprintf(message, sizeof message, "%s", err->message);
    snprintf(err->message, sizeof err->message, "with %s: %.*s", name, (int)(sizeof message - sizeof name - 8),
             message);
    return status;
}

static covey_status make_policies(struct varied *v, covey_error *err)
{
    for (size_t i = 0; i < v->variations->n_combinations; i++) {
        COVEY_TRY(cli_policy_build(&v->policy[i], v->call, v->call->operand[0], err));
        COVEY_TRY(covey_variations_apply(v->variations, i, v->policy[i], err));
        COVEY_TRY(blame(v, i, covey_policy_check(v->policy[i], err), err));
    }
    return COVEY_OK;
}

/* --- the comparisons --- */

static void warn_once(void *context, const char *text)
{
    struct varied *v = context;

    if (json_object_get(v->said, text))
        return;
    json_object_set_new(v->said, text, json_true());
    v->call->run.warn(v->call->run.context, text);
}

static bool go_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    const covey_run *run = &((const struct varied *)context)->call->run;

    return run->progress(run->context, phase, done, to_do);
}

static covey_status compare_all(struct varied *v, covey_error *err)
{
    v->run = v->call->run;
    if (v->run.warn && (v->said = json_object())) {
        v->run.warn = warn_once;
        v->run.progress = v->run.progress ? go_on : NULL;
        v->run.context = v;
    }
    for (size_t i = 0; i < v->variations->n_combinations; i++)
        COVEY_TRY(blame(v, i, covey_compare(&v->comparison[i], v->policy[i], v->options, &v->run, err), err));
    return COVEY_OK;
}

static size_t count_feasible(const covey_comparison *c)
{
    size_t n = 0;

    while (n < c->n_methods && c->method[n].feasible)
        n++;
    return n;
}

/* --- for programs --- */

static json_t *json_values(const covey_variations *variations, size_t combination)
{
    json_t *object = json_object();

    for (size_t i = 0; i < variations->n; i++)
        json_object_set_new(object, variations->variation[i].name,
                            cli_json_text(covey_variations_value(variations, combination, i)));
    return object;
}

static json_t *json_varied(const struct varied *v)
{
    json_t *varied = json_object(), *list = json_array(), *object;

    for (size_t i = 0; i < v->variations->n; i++) {
        json_t *values = json_array();

        for (size_t j = 0; j < v->variations->variation[i].n_values; j++)
            json_array_append_new(values, cli_json_text(v->variations->variation[i].value[j]));
        json_object_set_new(varied, v->variations->variation[i].name, values);
    }
    for (size_t i = 0; i < v->variations->n_combinations; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "vary", json_values(v->variations, i), "methods",
                                              cli_compare_json_methods(v->comparison[i])));
    object = json_pack("{s:s}", "objective", covey_compare_objective_name(v->options->objective));
    cli_compare_json_rows(object, v->comparison[0]);
    json_object_set_new(object, "queries", json_integer((json_int_t)v->comparison[0]->n_queries));
    json_object_set_new(object, "vary", varied);
    json_object_set_new(object, "combinations", list);
    return object;
}

/* --- for people --- */

static void add_values(cli_table *table, const covey_variations *variations, size_t combination)
{
    for (size_t i = 0; i < variations->n; i++)
        cli_table_add(table, "%s", covey_variations_value(variations, combination, i));
}

/* One line for each combination: the best method and what it reached. */
static covey_status print_best(const struct varied *v, covey_error *err)
{
    static const char *const titles[] = {"best method", "loss",  "query error", "width",
                                         "attack",      "worst", "suppressed",  "keep"};
    const size_t n = v->variations->n;
    char *align = calloc(n + sizeof titles / sizeof *titles + 1, 1); /* the table borrows it */
    covey_status status;
    cli_table *table;

    if (!align)
        return covey_fail(err, COVEY_ENOMEM, "no memory for a table of results");
    memset(align, 'l', n + 1);
    memset(align + n + 1, 'r', sizeof titles / sizeof *titles - 1);
    table = cli_table_new(align);
    for (size_t i = 0; i < n; i++)
        cli_table_add(table, "%s", v->variations->variation[i].name);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        cli_table_add(table, "%s", titles[i]);
    for (size_t c = 0; c < v->variations->n_combinations; c++) {
        const covey_compared_method *m = v->comparison[c]->method;
        const size_t n_feasible = count_feasible(v->comparison[c]);
        char rows[CLI_COUNT_SIZE];

        add_values(table, v->variations, c);
        cli_table_add(table, "%s", n_feasible ? m->method : "none");
        cli_compare_add_figure(table, n_feasible ? m->figures.ail : NAN, "");
        cli_compare_add_figure(table, n_feasible ? m->query_error : NAN, "%");
        cli_compare_add_figure(table, n_feasible ? m->width : NAN, "");
        cli_compare_add_figure(table, n_feasible ? m->attack : NAN, "%");
        cli_compare_add_figure(table, n_feasible ? m->worst : NAN, "%");
        cli_table_add(table, "%s", n_feasible ? cli_count(rows, m->n_suppressed) : "-");
        cli_table_add(table, "%zu of %zu", n_feasible, v->comparison[c]->n_methods);
    }
    status = cli_table_print(table, 0, err);
    free(align);
    return status;
}

static const covey_compared_method *find_method(const covey_comparison *c, const char *name)
{
    for (size_t i = 0; i < c->n_methods && c->method[i].feasible; i++)
        if (strcmp(c->method[i].method, name) == 0)
            return &c->method[i];
    return NULL;
}

/* Where the columns end that fit on lines beside each other, one at least. */
static size_t columns_end(const struct varied *v, size_t from)
{
    size_t to = from, width = 0;
    char name[300];

    do {
        name_combination(name, sizeof name, v->variations, to++);
        width += 2 + (strlen(name) < 9 ? 9 : strlen(name));
        if (to < v->variations->n_combinations)
            name_combination(name, sizeof name, v->variations, to);
    } while (to < v->variations->n_combinations && to - from < COLUMNS_AT_ONCE &&
             width + 2 + strlen(name) <= WIDTH_AT_ONCE);
    return to;
}

/* A line for each method that keeps some policy, a column for each of the combinations from..to-1. */
static covey_status print_methods(const struct varied *v, size_t from, size_t to, covey_error *err)
{
    const covey_compare_objective objective = v->options->objective;
    const char *fmt = objective == COVEY_COMPARE_QUERY_ERROR || objective == COVEY_COMPARE_ATTACK ? "%" : "";
    char align[COLUMNS_AT_ONCE + 2] = "l", name[300];
    cli_table *table;

    memset(align + 1, 'r', to - from);
    table = cli_table_new(align);
    cli_table_add(table, "method");
    for (size_t c = from; c < to; c++) {
        name_combination(name, sizeof name, v->variations, c);
        cli_table_add(table, "%s", name);
    }
    for (size_t m = 0; m < covey_method_count(); m++) {
        const char *method = covey_method_name(covey_method_at(m));
        bool any = false;

        for (size_t c = from; c < to; c++)
            any |= find_method(v->comparison[c], method) != NULL;
        if (!any)
            continue;
        cli_table_add(table, "%s", method);
        for (size_t c = from; c < to; c++) {
            const covey_compared_method *one = find_method(v->comparison[c], method);

            cli_compare_add_figure(table, one ? covey_compared_figure(one, objective) : NAN, fmt);
        }
    }
    return cli_table_print(table, 0, err);
}

/* Why nobody can: of the first combination that no method keeps. */
static void print_reason(const struct varied *v)
{
    for (size_t c = 0; c < v->variations->n_combinations; c++) {
        const covey_comparison *one = v->comparison[c];
        char name[300];

        if (count_feasible(one) > 0)
            continue;
        name_combination(name, sizeof name, v->variations, c);
        printf("\nWith %s no method keeps the policy:\n", cli_shown(name));
        for (size_t i = 0; i < one->n_methods; i++)
            cli_print_folded(stdout, 4, printf("  %s: ", one->method[i].method), one->method[i].reason);
        return;
    }
}

static covey_status print_varied(const struct varied *v, covey_error *err)
{
    const covey_comparison *first = v->comparison[0];
    const char *objective = covey_compare_objective_name(v->options->objective);
    const size_t n = v->variations->n_combinations;
    char queries[CLI_COUNT_SIZE];

    cli_compare_print_rows(first);
    printf(", %s quer%s, %zu polic%s, ranked by %s\n\n", cli_count(queries, (int64_t)first->n_queries),
           first->n_queries == 1 ? "y" : "ies", n, n == 1 ? "y" : "ies", objective);
    COVEY_TRY(print_best(v, err));
    cli_compare_print_guess(first);
    printf("\n%s of every method:\n", objective);
    for (size_t from = 0, to; from < n; from = to) {
        to = columns_end(v, from);
        putchar('\n');
        COVEY_TRY(print_methods(v, from, to, err));
    }
    print_reason(v);
    return COVEY_OK;
}

/* --- the command --- */

static covey_status read_variations(struct varied *v, covey_error *err)
{
    const char **text = calloc(v->call->n_given + 1, sizeof *text), *one;
    covey_status status;
    size_t from = 0, n = 0;

    if (!text)
        return covey_fail(err, COVEY_ENOMEM, "no memory for what is to be varied");
    while ((one = cli_next_value(v->call, "vary", &from)))
        text[n++] = one;
    status = covey_variations_read(&v->variations, text, n, err);
    free(text);
    return status;
}

static covey_status begin_plot(struct varied *v, covey_error *err)
{
    const char *path = cli_value(v->call, "plot");

    if (!path)
        return COVEY_OK;
    COVEY_TRY(covey_comparison_plot_check(v->variations, err));
    COVEY_TRY(cli_spare_input(path, v->call->operand[0], err));
    COVEY_TRY(cli_spare_input(path, v->policy[0]->input_path, err));
    return covey_comparison_plot_begin(&v->plot, path, cli_is_given(v->call, "force"), err);
}

static covey_status end_plot(struct varied *v, covey_error *err)
{
    covey_comparison_plot *plot = v->plot;

    v->plot = NULL;
    return plot ? covey_comparison_plot_end(plot, v->variations, (const covey_comparison *const *)v->comparison,
                                            v->options->objective, err)
                : COVEY_OK;
}

static covey_status work(bool *yes, struct varied *v, covey_error *err)
{
    size_t n;

    COVEY_TRY(read_variations(v, err));
    n = v->variations->n_combinations;
    v->policy = calloc(n, sizeof *v->policy);
    v->comparison = calloc(n, sizeof *v->comparison);
    if (!v->policy || !v->comparison)
        return covey_fail(err, COVEY_ENOMEM, "no memory for %zu policies", n);
    COVEY_TRY(make_policies(v, err));
    COVEY_TRY(begin_plot(v, err));
    COVEY_TRY(compare_all(v, err));
    cli_progress_end();
    COVEY_TRY(end_plot(v, err));
    *yes = false;
    for (size_t i = 0; i < n; i++)
        *yes |= count_feasible(v->comparison[i]) > 0;
    return v->call->json ? cli_print_json(json_varied(v), err) : print_varied(v, err);
}

covey_status cli_compare_varied(bool *yes, const cli_call *call, const covey_compare_options *options, covey_error *err)
{
    struct varied v = {.call = call, .options = options};
    const covey_status status = work(yes, &v, err);

    cli_progress_end();
    for (size_t i = 0; v.variations && i < v.variations->n_combinations; i++) {
        if (v.policy)
            covey_policy_free(v.policy[i]);
        if (v.comparison)
            covey_comparison_free(v.comparison[i]);
    }
    free(v.policy);
    free(v.comparison);
    covey_comparison_plot_discard(v.plot);
    covey_variations_free(v.variations);
    json_decref(v.said);
    return status;
}
