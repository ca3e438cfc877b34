/* Making the releases that attacks are tried on. */
#include "test.h"

#include <string.h>

#include "support/release/attacked_release.h"

struct writer {
    char text[8192];
    size_t n;
};

static void COVEY_PRINTF(2, 3) add(struct writer *w, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, fmt, args);
    va_end(args);
    assert_true(w->n < sizeof w->text);
}

static void state(release_folder *r, const char *form, const char *publish, int n_rows, int n_classes,
                  const char *promises, const char *prior)
{
    char manifest[20000];

    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': '%s', 'method': {'name': "
             "'mondrian', 'parameters': {}},"
             " 'rows': %d, 'published_rows': %d, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': %d, 'missing': "
             "[''], 'promises': %s,"
             " 'columns': [{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': '%s', 'weight': "
             "'1', %s'has_missing': false},"
             "  {'name': 's', 'role': 'sensitive', 'type': 'text', 'publish': 'value', 'has_missing': false}],"
             " 'prior': {'s': {%s}}, 'objective': null,"
             " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': 0, 'average_class_size': 1.0, 'largest_risk': null, "
             "'mean_risk': null}}",
             form, n_rows, n_rows, n_classes, promises, publish,
             strcmp(publish, "range") == 0 ? "'domain': [1, 1000], " : "", prior);
    release_state(r, manifest);
    release_write(r);
}

static void add_prior(struct writer *prior, int value, int count)
{
    add(prior, "%s'v%d': %d", prior->n > 0 ? ", " : "", value, count);
}

void attacked_generalized(release_folder *r, const attacked_table *t)
{
    struct writer table = {.n = 0}, original = {.n = 0}, prior = {.n = 0};
    int age = 0;

    add(&table, "class,age,s\n");
    add(&original, "age,s\n");
    for (int c = 0; c < t->n_classes; c++) {
        int size = 0, first = age + 1;

        for (int v = 0; v < t->n_values; v++)
            size += t->count[c][v];
        for (int v = 0; v < t->n_values; v++)
            for (int i = 0; i < t->count[c][v]; i++) {
                if (size == 1)
                    add(&table, "%d,%d,v%d\n", c + 1, first, v + 1);
                else
                    add(&table, "%d,\"[%d, %d]\",v%d\n", c + 1, first, first + size - 1, v + 1);
                add(&original, "%d,v%d\n", ++age, v + 1);
            }
    }
    for (int v = 0; v < t->n_values; v++) {
        int n = 0;

        for (int c = 0; c < t->n_classes; c++)
            n += t->count[c][v];
        add_prior(&prior, v + 1, n);
    }
    release_begin(r);
    release_original(r, original.text);
    release_put(r, "table.csv", table.text);
    state(r, "generalized", "range", age, t->n_classes, t->promises, prior.text);
}

void attacked_perturbed(release_folder *r, int n_values, int n_rows, const int *value, const int *shown)
{
    struct writer table = {.n = 0}, original = {.n = 0}, prior = {.n = 0}, values = {.n = 0};

    add(&table, "age,s\n");
    add(&original, "age,s\n");
    add(&values, "value,prior,cap,gamma,alpha\n");
    for (int i = 0; i < n_rows; i++) {
        add(&table, "%d,v%d\n", i + 1, shown[i]);
        add(&original, "%d,v%d\n", i + 1, value[i]);
    }
    for (int v = 0; v < n_values; v++) {
        add_prior(&prior, v + 1, n_rows / n_values);
        add(&values, "v%d,%.17g,%.17g,%.17g,%.17g\n", v + 1, 1.0 / n_values, 2.0 / n_values, 3.0, 1.0 / 3);
    }
    release_begin(r);
    release_original(r, original.text);
    release_put(r, "table.csv", table.text);
    release_put(r, "perturbation.csv", values.text);
    state(r, "perturbed", "value", n_rows, 0,
          "[{'model': 'basic-beta-likeness', 'attribute': 's', 'parameters': {'beta': '1'}, 'threshold': 1, "
          "'achieved': 1, 'achieved_value': 1.0,"
          " 'holds': true}]",
          prior.text);
}

#define COLUMN(name, role, type)                                                                                       \
    "{'name': '" name "', 'role': '" role "', 'type': '" type                                                          \
    "', 'publish': 'value', 'weight': '1', 'has_missing': false}"
#define MANIFEST(form, method, rows, classes, promises, columns, more)                                                 \
    "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': '" form                              \
    "', 'method': {'name': '" method "', 'parameters': {}},"                                                           \
    " 'rows': " rows ", 'published_rows': " rows ", 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': " classes      \
    ", 'missing': [''],"                                                                                               \
    " 'promises': [" promises "], 'columns': [" columns "], 'objective': null,"                                        \
    " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': 0, 'average_class_size': 4.0, 'largest_risk': null, "          \
    "'mean_risk': null}, " more "}"

void attacked_sliced(release_folder *r)
{
    release_begin(r);
    release_original(r, "age,town,s\n1,a,v1\n2,a,v2\n3,b,v1\n4,b,v1\n5,a,v2\n6,a,v2\n7,a,v1\n8,b,v2\n");
    release_put(r, "column-1.csv", "bucket,age\n1,1\n1,2\n1,3\n1,4\n2,5\n2,6\n2,7\n2,8\n");
    release_put(r, "column-2.csv", "bucket,town,s\n1,a,v1\n1,a,v2\n1,b,v1\n1,b,v1\n2,a,v1\n2,a,v2\n2,a,v2\n2,b,v2\n");
    release_state(
        r,
        MANIFEST(
            "sliced", "slicing", "8", "2",
            "{'model': 'sliced-l-diversity', 'attribute': 's', 'parameters': {'l': '4/3'}, 'threshold': '4/3', "
            "'achieved': '1',"
            " 'achieved_value': 1.0, 'holds': true}",
            COLUMN("age", "quasi-identifier", "integer") ", " COLUMN(
                "town", "quasi-identifier",
                "text") ", "
                        "{'name': 's', 'role': 'sensitive', 'type': 'text', 'publish': 'value', 'has_missing': false}",
            "'slices': [['age'], ['town', 's']]"));
    release_write(r);
}

void attacked_transformed(release_folder *r)
{
    release_begin(r);
    release_original(r, "age,s\n1,1\n2,1\n3,1\n4,2\n");
    release_put(r, "quasi.csv", "group,age\n1,1\n1,2\n1,3\n1,4\n");
    release_put(r, "sensitive.csv", "group,low,high,label,count\n1,1,1,1,1\n1,1,2,*,2\n1,2,2,2,1\n");
    release_put(r, "target.csv",
                "target,low,high,label,weight,probability\n1,1,2,*,1,1\n1,1,1,1,1,0.5\n1,2,2,2,1,0.5\n");
    release_put(r, "help.csv", "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n");
    release_state(
        r, MANIFEST("transformed", "distribution", "4", "1",
                    "{'model': 'p-private', 'attribute': 's', 'parameters': {'target': 'uniform'}, 'threshold': "
                    "'uniform', 'achieved': '0',"
                    " 'achieved_value': 0.0, 'holds': true}",
                    COLUMN("age", "quasi-identifier", "integer") ", "
                                                                 "{'name': 's', 'role': 'sensitive', 'type': "
                                                                 "'integer', 'publish': 'value', 'has_missing': false}",
                    "'group_order': 'content'"));
    release_write(r);
}

covey_attack_report *attacked_run(const release_folder *r, const char *name, const covey_attack_options *options)
{
    covey_attack_options o = options ? *options : (covey_attack_options){0};
    covey_attack_report *report = NULL;
    covey_error err = {COVEY_OK};

    if (!o.original)
        o.original = r->original;
    o.name = &name;
    o.n_names = 1;
    if (covey_attack_release(&report, r->path, &o, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(report->n_results, 1);
    return report;
}

const covey_attack_value *attacked_detail(const covey_attack_report *report, const char *name)
{
    const covey_attack_result *r = &report->result[0];

    for (size_t i = 0; i < r->n_details; i++)
        if (strcmp(r->detail[i].name, name) == 0)
            return &r->detail[i].value;
    fail_msg("there is no %s", name);
    return NULL;
}

const covey_attack_value *attacked_cell(const covey_attack_report *report, const char *name, size_t row,
                                        const char *column)
{
    const covey_attack_result *r = &report->result[0];

    for (size_t t = 0; t < r->n_tables; t++)
        for (size_t c = 0; c < r->table[t].n_columns; c++)
            if (strcmp(r->table[t].name, name) == 0 && strcmp(r->table[t].column[c], column) == 0 &&
                row < r->table[t].n_rows)
                return &r->table[t].value[row * r->table[t].n_columns + c];
    fail_msg("there is no %s in row %zu of %s", column, row, name);
    return NULL;
}
