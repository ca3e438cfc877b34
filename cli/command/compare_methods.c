/* What covey compare prints of methods, whether policies vary or not. */
#include "compare_methods.h"

#include <math.h>

double cli_compare_ratio(const covey_compared_method *m)
{
    return m->lower_bound > 0 ? m->figures.ail / m->lower_bound : NAN;
}

static json_t *json_method(const covey_compared_method *m)
{
    json_t *object = json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:b}", "method", m->method, "feasible", m->feasible,
                               "reason", cli_json_text_or_null(m->reason), "ail", cli_json_real(m->figures.ail),
                               "query_error", cli_json_real(m->query_error), "attack", cli_json_real(m->attack),
                               "seconds", cli_json_real(m->seconds), "pareto", m->pareto);

    if (!object || !m->feasible)
        return object;
    json_object_set_new(object, "form", json_string(m->form));
    json_object_set_new(object, "published_rows", json_integer((json_int_t)m->n_published));
    json_object_set_new(object, "suppressed_rows", json_integer((json_int_t)m->n_suppressed));
    json_object_set_new(object, "classes", json_integer((json_int_t)m->n_classes));
    json_object_set_new(object, "lower_bound", cli_json_real(m->lower_bound));
    json_object_set_new(object, "ratio", cli_json_real(cli_compare_ratio(m)));
    json_object_set_new(object, "ncp", cli_json_real(m->figures.ncp));
    json_object_set_new(object, "discernibility", cli_json_pairs(m->figures.discernibility));
    json_object_set_new(object, "average_class_size", cli_json_real(m->figures.average_class_size));
    json_object_set_new(object, "smallest_class", json_integer((json_int_t)m->figures.smallest_class));
    json_object_set_new(object, "width", cli_json_real(m->width));
    json_object_set_new(object, "queries_answered", json_integer((json_int_t)m->n_answered));
    json_object_set_new(object, "attack_name", cli_json_text_or_null(m->attack_name));
    json_object_set_new(object, "guess", cli_json_real(m->guess));
    json_object_set_new(object, "worst", cli_json_real(m->worst));
    json_object_set_new(object, "worst_attack", cli_json_text_or_null(m->worst_name));
    json_object_set_new(object, "attacks_exceeded", json_integer((json_int_t)m->n_exceeded));
    json_object_set_new(object, "objective",
                        m->objective[0] ? json_pack("{s:s, s:o, s:o, s:o, s:b, s:b}", "name", m->objective, "value",
                                                    cli_json_real(m->value), "bound", cli_json_real(m->bound), "gap",
                                                    cli_json_real(m->gap), "optimal", m->optimal, "stopped", m->stopped)
                                        : json_null());
    return object;
}

json_t *cli_compare_json_methods(const covey_comparison *c)
{
    json_t *list = json_array();

    for (size_t i = 0; i < c->n_methods; i++)
        json_array_append_new(list, json_method(&c->method[i]));
    return list;
}

void cli_compare_add_figure(cli_table *table, double value, const char *fmt)
{
    char text[40];

    if (!isfinite(value)) {
        cli_table_add(table, "-");
        return;
    }
    snprintf(text, sizeof text, fmt[0] == '%' ? "%.3g%%" : "%.4g", fmt[0] == '%' ? 100 * value : value);
    cli_table_add(table, "%s", text);
}

void cli_compare_print_guess(const covey_comparison *c)
{
    for (size_t i = 0; i < c->n_methods; i++)
        if (isfinite(c->method[i].guess)) {
            printf("\nWithout any release, who guesses the most frequent value is right about %.3g%%.\n",
                   100 * c->method[i].guess);
            if (c->n_units > 0 && c->n_persons < c->n_rows)
                puts("Attacks on values count rows, of which a person may have several.");
            return;
        }
}

void cli_compare_print_rows(const covey_comparison *c)
{
    char count[CLI_COUNT_SIZE];

    printf("%s row%s", cli_count(count, c->n_rows), c->n_rows == 1 ? "" : "s");
    if (c->n_units > 0)
        printf(" of %s unit%s", cli_count(count, c->n_units), c->n_units == 1 ? "" : "s");
    if (c->n_persons > c->n_units)
        printf(" with %s persons", cli_count(count, c->n_persons));
}

void cli_compare_json_rows(json_t *object, const covey_comparison *c)
{
    json_object_set_new(object, "rows", json_integer(c->n_rows));
    if (c->n_units > 0)
        json_object_set_new(object, "units", json_integer(c->n_units));
    if (c->n_persons > c->n_units)
        json_object_set_new(object, "persons", json_integer(c->n_persons));
}
