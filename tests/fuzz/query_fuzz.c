/* Queries from any bytes, asked of a small release that has every kind of column.  Whatever it is, there are bounds
 * around the estimate, or a reason in one line that names a place of the query. */
#include <covey/query.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[][2] = {
    {"hierarchies/edu.csv", "BA;college;*\nMA;college;*\nHS;school;*\n"},
    {"hierarchies/zip.csv", "123**;12***;*\n124**;12***;*\n*;*;*\n"},
    {"table.csv", "class,age,edu,city,zip,born,pay,disease\n"
                  "1,\"[20, 25]\",college,A,123**,\"[2001-01-01, 2001-02-03]\",1.5,cold\n1,\"[20, "
                  "25]\",college,A,123**,\"[2001-01-01, 2001-02-03]\",-2,flu\n"
                  "2,*,*,\"{A, B}\",*,null,,flu\n2,*,*,\"{A, B}\",*,null,7,gout\n"},
};

static const char manifest[] =
    "{\"format_version\": 1, \"tool\": {\"name\": \"covey\", \"version\": \"0.1.0\"}, \"form\": \"generalized\","
    " \"method\": {\"name\": \"mondrian\", \"parameters\": {}}, \"rows\": 5, \"published_rows\": 4, "
    "\"suppressed_rows\": 1, \"dropped_rows\": 0,"
    " \"classes\": 2, \"missing\": [\"\"], \"promises\": [], \"columns\": ["
    "{\"name\": \"age\", \"role\": \"quasi-identifier\", \"type\": \"integer\", \"publish\": \"range\", \"weight\": "
    "\"1/5\", \"domain\": [20, 60]},"
    "{\"name\": \"edu\", \"role\": \"quasi-identifier\", \"type\": \"text\", \"publish\": \"label\", \"weight\": "
    "\"1/5\","
    " \"hierarchy\": \"hierarchies/edu.csv\", \"hierarchy_complete\": true},"
    "{\"name\": \"city\", \"role\": \"quasi-identifier\", \"type\": \"text\", \"publish\": \"set\", \"weight\": "
    "\"1/5\"},"
    "{\"name\": \"zip\", \"role\": \"quasi-identifier\", \"type\": \"text\", \"publish\": \"label\", \"weight\": "
    "\"1/5\","
    " \"hierarchy\": \"hierarchies/zip.csv\", \"hierarchy_complete\": false, \"hierarchy_spec\": {\"mask\": 5}},"
    "{\"name\": \"born\", \"role\": \"quasi-identifier\", \"type\": \"date\", \"publish\": \"range\", \"weight\": "
    "\"1/5\","
    " \"domain\": [\"2001-01-01\", \"2001-02-03\"]},"
    "{\"name\": \"pay\", \"role\": \"insensitive\", \"type\": \"decimal\", \"publish\": \"value\"},"
    "{\"name\": \"disease\", \"role\": \"sensitive\", \"type\": \"text\", \"publish\": \"value\"}],"
    " \"prior\": {\"disease\": {\"cold\": 1, \"flu\": 3, \"gout\": 1}}, \"objective\": null, \"utility\": {\"ail\": "
    "null, \"ncp\": null,"
    " \"discernibility\": null, \"average_class_size\": null, \"largest_risk\": null, \"mean_risk\": null}, \"files\": "
    "[";

static char folder[128];

static void put(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(file = fopen(path, "wb")) || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static void write_release(void)
{
    char text[8192], path[256];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", manifest);

    snprintf(folder, sizeof folder, "%s/covey-query-fuzz-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    snprintf(path, sizeof path, "%s/hierarchies", folder);
    if (mkdir(folder, 0700) != 0 || mkdir(path, 0700) != 0)
        abort();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int lines = -(i == 2);

        for (const char *c = files[i][1]; *c; c++)
            lines += *c == '\n';
        put(files[i][0], files[i][1]);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%s{\"name\": \"%s\", \"rows\": %d, \"bytes\": %zu, \"sha256\": \"%064d\"}",
                              i ? ", " : "", files[i][0], lines, strlen(files[i][1]), 0);
    }
    snprintf(text + n, sizeof text - n, "]}");
    put("manifest.json", text);
}

static void remove_release(void)
{
    char path[256];
    static const char *const names[] = {"manifest.json",       "table.csv",   "hierarchies/edu.csv",
                                        "hierarchies/zip.csv", "hierarchies", ""};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

static void check(const covey_query_result *result)
{
    for (size_t g = 0; g < result->n_groups; g++) {
        const covey_query_group *group = &result->group[g];

        if (group->hits_lower < 0 || group->hits_lower > group->hits_upper || group->hits_upper > 5)
            abort();
        for (size_t i = 0; i < result->n_answers; i++) {
            const covey_query_answer *a = &group->answer[i];

            if (a->lower.exists && a->upper.exists && a->lower.value > a->upper.value)
                abort();
            if ((a->lower.exists && a->estimate < a->lower.value - 1e-9) ||
                (a->upper.exists && a->estimate > a->upper.value + 1e-9))
                abort();
        }
    }
}

/* What is answered is rewritten, or refused with a reason. */
static void rewrite(const covey_query_release *release, const char *text)
{
    for (int dialect = COVEY_DIALECT_SQLITE; dialect <= COVEY_DIALECT_POSTGRESQL; dialect++) {
        covey_error err = {0};
        char *sql = NULL;

        if (covey_query_sql(&sql, release, text, (covey_sql_dialect)dialect, &err) != COVEY_OK &&
            err.status != COVEY_EINVAL)
            abort();
        covey_query_sql_free(sql);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static covey_query_release *release;
    covey_query_result *result = NULL;
    covey_error err = {0};
    covey_run run = {.n_threads = 1};
    char *text = covey_i_strndup((const char *)data, size);

    if (!release) {
        write_release();
        if (covey_query_open(&release, folder, &run, &err) != COVEY_OK) {
            fprintf(stderr, "%s\n", err.message);
            abort();
        }
        remove_release();
    }
    if (!text)
        return 0;
    if (covey_query_run(&result, release, text, &run, &err) == COVEY_OK) {
        check(result);
        rewrite(release, text);
    } else if (err.status != COVEY_EINVAL || strncmp(err.message, "query", 5) != 0 || strchr(err.message, '\n'))
        abort();
    covey_query_result_free(result);
    covey_i_free(text);
    return 0;
}
