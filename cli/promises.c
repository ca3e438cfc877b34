/* Promises and what was achieved, for people and programs; the JSON has the shape of the manifest (docs/manifest.md).
 */
#include "print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "5" becomes an integer, "0.2" a real number, "5/3" and words stay text. */
static json_t *json_number(const char *text)
{
    covey_ratio value;

    if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || strchr(text, '/'))
        return cli_json_text(text);
    return value.den == 1 ? json_integer(value.num) : cli_json_real(covey_ratio_value(value));
}

static json_t *json_achieved(const covey_promise_verdict *promise)
{
    switch (promise->kind) {
    case COVEY_ACHIEVED_INTEGER:
        return json_number(promise->achieved);
    case COVEY_ACHIEVED_FRACTION:
        return cli_json_text(promise->achieved);
    case COVEY_ACHIEVED_REAL:
        return isfinite(promise->achieved_value) ? json_real(promise->achieved_value)
                                                 : cli_json_text(promise->achieved);
    case COVEY_ACHIEVED_KE:
        return json_pack("{s:o, s:o}", "k", json_number(promise->achieved), "e", cli_json_text(promise->achieved_e));
    }
    return NULL;
}

/* A model with several thresholds has them as an object. */
static json_t *json_threshold(const covey_promise_verdict *promise)
{
    json_t *object;

    if (promise->threshold[0])
        return json_number(promise->threshold);
    object = json_object();
    for (size_t i = 0; i < promise->n_params; i++)
        json_object_set_new(object, promise->param_name[i], json_number(promise->param_text[i]));
    return object;
}

json_t *cli_json_promise(const covey_promise_verdict *promise)
{
    json_t *object = json_object();

    json_object_set_new(object, "model", cli_json_text(promise->model));
    if (promise->joint)
        json_object_set_new(object, "joint", json_true());
    else if (promise->attribute[0])
        json_object_set_new(object, "attribute", cli_json_text(promise->attribute));
    json_object_set_new(object, "threshold", json_threshold(promise));
    json_object_set_new(object, "achieved", json_achieved(promise));
    json_object_set_new(object, "achieved_value", cli_json_real(promise->achieved_value));
    if (promise->units[0])
        json_object_set_new(object, "units", cli_json_text(promise->units));
    json_object_set_new(object, "holds", json_boolean(promise->holds));
    if (!promise->holds)
        json_object_set_new(object, "worst_class",
                            promise->worst_class > 0 ? json_integer(promise->worst_class) : json_null());
    return object;
}

json_t *cli_json_promises(const covey_verdict *verdict)
{
    json_t *list = json_array();

    for (size_t i = 0; i < verdict->n_promises; i++)
        json_array_append_new(list, cli_json_promise(&verdict->promise[i]));
    return list;
}

json_t *cli_json_utility(const covey_release_figures *figures, const covey_verdict *verdict)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "ail", cli_json_real(figures->ail), "ncp",
                               cli_json_real(figures->ncp), "discernibility", cli_json_pairs(figures->discernibility),
                               "average_class_size", cli_json_real(figures->average_class_size), "largest_risk",
                               cli_json_real(figures->largest_risk), "mean_risk", cli_json_real(figures->mean_risk));
    const bool has_risks = !isnan(figures->largest_risk); /* else rows show whose they are */

    if (verdict->n_units == 0)
        return object;
    json_object_set_new(object, "largest_unit_risk", cli_json_real(has_risks ? verdict->largest_unit_share : NAN));
    json_object_set_new(object, "mean_unit_risk",
                        cli_json_real(has_risks ? (double)verdict->n_classes / (double)verdict->n_units : NAN));
    return object;
}

static void add_threshold(cli_table *table, const covey_promise_verdict *promise)
{
    char text[256] = "";
    size_t n = 0;

    for (size_t i = 0; i < promise->n_params && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %s", i > 0 ? ", " : "", promise->param_name[i],
                              promise->param_text[i]);
    cli_table_add(table, "%s", promise->threshold[0] ? promise->threshold : text);
}

static void add_achieved(cli_table *table, const covey_promise_verdict *promise)
{
    if (promise->kind == COVEY_ACHIEVED_KE)
        cli_table_add(table, "k %s, e %s", promise->achieved, promise->achieved_e);
    else if (promise->kind == COVEY_ACHIEVED_FRACTION && strchr(promise->achieved, '/'))
        cli_table_add(table, "%.4g (%s)", promise->achieved_value, promise->achieved);
    else
        cli_table_add(table, "%s", promise->achieved);
}

/* Of tables whose rows have units: what the promise is over. */
static const char *over(const covey_promise_verdict *promise)
{
    return strcmp(promise->units, "rows") == 0    ? "rows alone"
           : strcmp(promise->units, "count") == 0 ? "rows, and units counted alone"
                                                  : "rows and units";
}

covey_status cli_print_promises(const covey_verdict *verdict, covey_error *err)
{
    const bool has_units = verdict->units_proven >= 0;
    cli_table *table = cli_table_new(has_units ? "llllll" : "lllll");

    cli_table_add(table, "promise");
    cli_table_add(table, "of");
    if (has_units)
        cli_table_add(table, "over");
    cli_table_add(table, "threshold");
    cli_table_add(table, "achieved");
    cli_table_add(table, "verdict");
    for (size_t i = 0; i < verdict->n_promises; i++) {
        const covey_promise_verdict *promise = &verdict->promise[i];

        cli_table_add(table, "%s", promise->model);
        cli_table_add(table, "%s",
                      promise->joint          ? "all together"
                      : promise->attribute[0] ? promise->attribute
                                              : "classes");
        if (has_units)
            cli_table_add(table, "%s", over(promise));
        add_threshold(table, promise);
        add_achieved(table, promise);
        if (promise->holds)
            cli_table_add(table, "holds");
        else if (promise->worst_class > 0)
            cli_table_add(table, "BROKEN, worst in class %lld", (long long)promise->worst_class);
        else
            cli_table_add(table, "BROKEN");
    }
    return cli_table_print(table, 2, err);
}
