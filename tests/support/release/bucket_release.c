/* Writing bucketized releases from groups by hand. */
#include "support/release/bucket_release.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

struct texts {
    char quasi[8192], sensitive[4096], help[8192];
    size_t n_quasi, n_sensitive, n_help;
};

static void add_group(struct texts *t, int number, const bucket_group *group)
{
    int pay[BUCKET_MOST_ROWS], n = group->n_rows, low = 0, high = 0;

    memcpy(pay, group->pay, sizeof pay);
    qsort(pay, (size_t)n, sizeof *pay, compare);
    for (int i = 0; i < n; i++)
        t->n_quasi +=
            (size_t)snprintf(t->quasi + t->n_quasi, sizeof t->quasi - t->n_quasi, "%d,%s\n", number, group->cells[i]);
    for (int i = 0, j; i < n; i = j) {
        for (j = i; j < n && pay[j] == pay[i];)
            j++;
        if (pay[i] == BUCKET_MISSING)
            t->n_sensitive += (size_t)snprintf(t->sensitive + t->n_sensitive, sizeof t->sensitive - t->n_sensitive,
                                               "%d,,%d\n", number, j - i);
        else
            t->n_sensitive += (size_t)snprintf(t->sensitive + t->n_sensitive, sizeof t->sensitive - t->n_sensitive,
                                               "%d,%d,%d\n", number, pay[i], j - i);
    }
    if (pay[0] == BUCKET_MISSING)
        return;
    for (int c = 1; c <= n; c++) {
        low += pay[c - 1];
        high += pay[n - c];
        t->n_help += (size_t)snprintf(t->help + t->n_help, sizeof t->help - t->n_help, "%d,%d,%d,%d,%d,%d,%d,%d\n",
                                      number, c, low, high, pay[0], pay[n - c], pay[c - 1], pay[n - 1]);
    }
}

void bucket_release(release_folder *r, const char *header, const char *columns, const bucket_group *group, int n_groups)
{
    struct texts t = {.n_quasi = 0};
    char manifest[4096];
    int n_rows = 0;
    bool has_missing = false;

    t.n_quasi = (size_t)snprintf(t.quasi, sizeof t.quasi, "group,%s\n", header);
    t.n_sensitive = (size_t)snprintf(t.sensitive, sizeof t.sensitive, "group,pay,count\n");
    t.n_help = (size_t)snprintf(t.help, sizeof t.help,
                                "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n");
    for (int g = 0; g < n_groups; g++) {
        add_group(&t, g + 1, &group[g]);
        n_rows += group[g].n_rows;
        for (int i = 0; i < group[g].n_rows; i++)
            has_missing |= group[g].pay[i] == BUCKET_MISSING;
    }
    release_begin(r);
    release_put(r, "quasi.csv", t.quasi);
    release_put(r, "sensitive.csv", t.sensitive);
    if (!has_missing)
        release_put(r, "help.csv", t.help);
    snprintf(manifest, sizeof manifest,
             "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'bucketized',"
             " 'method': {'name': 'ke-permutation', 'parameters': {}}, 'rows': %d, 'published_rows': %d, "
             "'suppressed_rows': 0, 'dropped_rows': 0,"
             " 'classes': %d, 'missing': [''], 'promises': [], 'columns': [%s,"
             "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': %s}], "
             "'objective': null,"
             " 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 1.0, 'largest_risk': "
             "null, 'mean_risk': null}}",
             n_rows, n_rows, n_groups, columns, has_missing ? "true" : "false");
    release_state(r, manifest);
    release_write(r);
}
