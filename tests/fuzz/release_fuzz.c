/* Releases of every form, whose files are changed as the input says (kit.h): rows and rows and bytes in the manifest
 * fit again, so that what is read is read to its end.  Whatever they are, there is a verdict or a reason in one line;
 * read at once, in windows and with the original, by queries and by measures. */
#include <covey/covey.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 12, MOST_EDITS = 24, MOST_BYTES = 40000, MOST_WISHES = 14 };

static const char edu[] = "BA;college;*\nMA;college;*\nPhD;college;*\nHS;school;*\nES;school;*\n";

/* Policies as flags; NULL ends one. */
static const char *const wishes[][MOST_WISHES] = {
    {"sensitive", "illness", "insensitive", "pay", "model", "distinct-l-diversity:l=2", "method", "mondrian",
     "suppression", "0.2"},
    {"sensitive", "pay,illness", "model", "t-closeness:t=0.6,attribute=illness", "model", "k-anonymity:k=2", "method",
     "full-domain", "suppression", "0.3"},
    {"sensitive", "illness", "insensitive", "pay", "model", "distinct-l-diversity:l=2", "method", "anatomy"},
    {"sensitive", "pay", "insensitive", "illness", "model", "ke-anonymity:k=2,e=1", "method", "ke-permutation"},
    {"sensitive", "pay", "others", "drop", "model", "p-private", "method", "distribution", "target", "uniform"},
    {"sensitive", "illness", "insensitive", "pay", "model", "basic-beta-likeness:beta=4", "method", "perturbation"},
    {"sensitive", "illness", "insensitive", "pay", "model", "sliced-l-diversity:l=2", "method", "slicing"},
    {"sensitive", "illness", "others", "drop", "model", "enhanced-beta-likeness:beta=4", "method", "burel"},
    /* slices whose signatures decide: the sensitive attribute stands in two columns, attributes stand in several */
    {"sensitive", "illness", "insensitive", "pay", "model", "sliced-l-diversity:l=5/4", "method", "slicing", "columns",
     "[[age], [city, illness], [edu, illness], [pay]]"},
    {"sensitive", "illness", "insensitive", "pay", "model", "sliced-l-diversity:l=5/4", "method", "slicing", "columns",
     "[[age, edu], [edu, pay], [city, illness]]"},
    /* and of cells */
    {"sensitive", "illness", "others", "drop", "model", "sliced-l-diversity:l=5/4", "method", "slicing", "column-k",
     "3"},
    {"sensitive", "illness", "others", "drop", "model", "k-anonymity:k=11", "method", "mondrian", "preset",
     "hipaa-zip3:zip=none", "preset", "cms11"},
};
enum { N_RELEASES = sizeof wishes / sizeof *wishes };

struct file {
    char name[64];
    covey_text text;
};

struct release {
    size_t n_files;
    struct file file[MOST_FILES]; /* the first is manifest.json */
};

static struct release releases[N_RELEASES];
static char folder[200], table[200], tree[200];

/* --- the releases --- */

static void put_table(void)
{
    static const char *const schools[] = {"BA", "MA", "PhD", "HS", "ES"}, *const illnesses[] = {"flu", "cold", "gout",
                                                                                                "flu", "cold", "acne"};
    covey_text text = COVEY_TEXT_INIT;
    unsigned state = 3;

    covey_i_text_add_string(&text, "name,age,edu,city,pay,illness\n");
    for (int row = 0; row < 36; row++) {
        state = state * 1103515245u + 12345u;
        covey_i_text_add_format(&text, "p%d,%u,%s,%c,%u.5,%s\n", row, 20 + (state >> 8) % 30,
                                schools[(state >> 14) % 5], 'A' + (char)((state >> 20) % 3),
                                (1 + (state >> 24) % 8) * 5, illnesses[row % 6]);
    }
    fuzz_put(table, text.bytes, text.size);
    fuzz_put(tree, edu, sizeof edu - 1);
    covey_i_text_free(&text);
}

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) == COVEY_OK)
        return;
    fprintf(stderr, "%s\n", err.message);
    abort();
}

static void keep_file(struct release *r, const char *name)
{
    struct file *file = &r->file[r->n_files];
    char path[300];

    fuzz_require(r->n_files < MOST_FILES);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(file->name, sizeof file->name, "%s", name);
    if (fuzz_get(&file->text, path))
        r->n_files++;
}

static void make_release(struct release *r, const char *const *wish)
{
    static const char *const names[] = {
        "table.csv",           "quasi.csv",           "sensitive.csv",      "help.csv",     "target.csv",
        "perturbation.csv",    "column-1.csv",        "column-2.csv",       "column-3.csv", "column-4.csv",
        "hierarchies/age.csv", "hierarchies/edu.csv", "hierarchies/pay.csv"};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    covey_anonymize_report report = {0};
    covey_policy *policy = NULL;
    char hierarchy[300];
    covey_error err = {0};

    fuzz_require(covey_policy_new(&policy, NULL) == COVEY_OK);
    snprintf(hierarchy, sizeof hierarchy, "edu=%s", tree);
    set(policy, "input", table);
    set(policy, "quasi", "age,edu,city");
    set(policy, "identifier", "name");
    set(policy, "hierarchy", hierarchy);
    for (size_t i = 0; i + 1 < MOST_WISHES && wish[i]; i += 2)
        set(policy, wish[i], wish[i + 1]);
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, folder, NULL, &run, &err) != COVEY_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    keep_file(r, "manifest.json");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        keep_file(r, names[i]);
    fuzz_require(covey_i_folder_remove(folder, NULL) == COVEY_OK);
}

static void clean_up(void)
{
    covey_i_folder_remove(folder, NULL);
    remove(table);
    remove(tree);
}

static void set_up(void)
{
    fuzz_path(folder, sizeof folder, "release");
    fuzz_path(table, sizeof table, "original.csv");
    fuzz_path(tree, sizeof tree, "edu.csv");
    covey_i_folder_remove(folder, NULL);
    put_table();
    for (size_t i = 0; i < N_RELEASES; i++)
        make_release(&releases[i], wishes[i]);
    atexit(clean_up);
}

/* --- changes --- */

/* Every promise asks for more or less than the release was made for: what single sets do not decide, signatures have
 * to. */
static void ask_for(covey_text *manifest, const char *threshold)
{
    json_t *root = json_loadb(manifest->bytes, manifest->size, 0, NULL), *promise, *value;
    size_t at;
    const char *key;
    void *next;
    char *bytes;

    json_array_foreach(json_object_get(root, "promises"), at, promise)
        json_object_foreach_safe(json_object_get(promise, "parameters"), next, key, value)
            json_object_set_new(json_object_get(promise, "parameters"), key, json_string(threshold));
    if (root) {
        bytes = json_dumps(root, 0);
        covey_i_text_clear(manifest);
        covey_i_text_add_string(manifest, bytes);
        free(bytes);
    }
    json_decref(root);
}

static void edit(struct release *r, fuzz_input *in)
{
    covey_text *text = &r->file[fuzz_byte(in) % r->n_files].text;
    const unsigned how = fuzz_byte(in) % 16;

    if (text == &r->file[0].text && how >= 12)
        ask_for(text, (const char *const[]){"11/10", "3/2", "2", "3"}[how - 12]);
    else if (text == &r->file[0].text && how % 4 < 3)
        fuzz_edit_json(text, in);
    else if (how % 4 == 3)
        fuzz_step(text, in, MOST_BYTES);
    else
        fuzz_edit(text, in, MOST_BYTES);
}

/* Lines outside quotes, without the header. */
static json_int_t count_rows(const struct file *file)
{
    json_int_t n = strncmp(file->name, "hierarchies/", 12) == 0 ? 0 : -1;
    bool quoted = false;

    for (size_t i = 0; i < file->text.size; i++) {
        quoted ^= file->text.bytes[i] == '"';
        n += file->text.bytes[i] == '\n' && !quoted;
    }
    return n > 0 ? n : 0;
}

/* The manifest lists the files as they are. */
static void list_files(struct release *r)
{
    covey_text *text = &r->file[0].text;
    json_t *root = json_loadb(text->bytes, text->size, 0, NULL), *files = json_array();
    char *bytes;

    if (json_is_object(root)) {
        for (size_t i = 1; i < r->n_files; i++)
            json_array_append_new(files, json_pack("{s:s, s:I, s:I, s:s}", "name", r->file[i].name, "rows",
                                                   count_rows(&r->file[i]), "bytes", (json_int_t)r->file[i].text.size,
                                                   "sha256",
                                                   "0000000000000000000000000000000000000000000000000000000000000000"));
        json_object_set(root, "files", files);
        bytes = json_dumps(root, 0);
        covey_i_text_clear(text);
        covey_i_text_add_string(text, bytes);
        free(bytes);
    }
    json_decref(files);
    json_decref(root);
}

static void write_release(const struct release *r)
{
    char path[300];

    snprintf(path, sizeof path, "%s/hierarchies", folder);
    fuzz_require(mkdir(folder, 0700) == 0 && mkdir(path, 0700) == 0);
    for (size_t i = 0; i < r->n_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, r->file[i].name);
        fuzz_put(path, r->file[i].text.bytes ? r->file[i].text.bytes : "", r->file[i].text.size);
    }
}

/* --- what must hold --- */

static void require_reason(covey_status status, const covey_error *err)
{
    fuzz_require(status == COVEY_OK || (err->message[0] && !strchr(err->message, '\n') && status != COVEY_EINTERNAL &&
                                        status != COVEY_ENOMEM));
}

static covey_verdict *verify(covey_status *status, const char *original, int64_t memory_limit)
{
    const covey_verify_options options = {.original = original, .skip_hashes = true, .memory_limit = memory_limit};
    const covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_error err = {0};

    require_reason(*status = covey_verify(&verdict, folder, &options, &run, &err), &err);
    for (size_t i = 0; verdict && i < verdict->n_problems; i++)
        fuzz_require(verdict->problem[i][0] && !strchr(verdict->problem[i], '\n'));
    fuzz_require(!verdict || !verdict->holds || verdict->n_problems == 0);
    return verdict;
}

static void require_same(const covey_verdict *a, const covey_verdict *b)
{
    fuzz_require(a->holds == b->holds && a->n_problems == b->n_problems && a->n_promises == b->n_promises &&
                 a->n_classes == b->n_classes);
    for (size_t i = 0; i < a->n_problems; i++)
        fuzz_require(strcmp(a->problem[i], b->problem[i]) == 0);
    for (size_t i = 0; i < a->n_promises; i++)
        fuzz_require(strcmp(a->promise[i].achieved, b->promise[i].achieved) == 0 &&
                     a->promise[i].holds == b->promise[i].holds &&
                     a->promise[i].worst_class == b->promise[i].worst_class);
}

static void query(unsigned which)
{
    static const char *const texts[] = {"SELECT COUNT(*)", "SELECT COUNT(*) WHERE age BETWEEN 25 AND 40 GROUP BY edu",
                                        "SELECT COUNT(*) WHERE illness = 'flu' AND city IN ('A', 'B')",
                                        "SELECT SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE age < 33",
                                        "SELECT SUM(pay) WHERE edu = 'college' OR NOT city = 'C' GROUP BY city"};
    const covey_run run = {.n_threads = 1};
    covey_query_release *release = NULL;
    covey_query_result *result = NULL;
    covey_error err = {0};
    covey_status status = covey_query_open(&release, folder, &run, &err);

    if (status == COVEY_OK)
        status = covey_query_run(&result, release, texts[which % (sizeof texts / sizeof *texts)], &run, &err);
    require_reason(status, &err);
    covey_query_result_free(result);
    covey_query_close(release);
}

static void measure(void)
{
    const covey_measure_options options = {.original = table};
    const covey_run run = {.n_threads = 1};
    covey_measurement *measurement = NULL;
    covey_error err = {0};

    require_reason(covey_measure(&measurement, folder, &options, &run, &err), &err);
    covey_measurement_free(measurement);
}

static void read_in_all_ways(unsigned flags)
{
    covey_status status, in_windows, compared;
    covey_verdict *whole = verify(&status, NULL, (int64_t)1 << 40),
                  *parts = verify(&in_windows, NULL, 12 * (1 + (flags & 0xff)));
    covey_verdict *faithful = verify(&compared, table, 0);

    fuzz_require(status == in_windows && status == compared);
    if (whole)
        require_same(whole, parts);
    covey_verdict_free(whole);
    covey_verdict_free(parts);
    covey_verdict_free(faithful);
    query(flags);
    if (flags % 3 == 0)
        measure();
}

/* The first bytes choose a release, and how it is read; the others change its files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    const struct release *made;
    struct release r;
    unsigned kind, flags;

    if (!folder[0])
        set_up();
    kind = fuzz_byte(&in);
    flags = fuzz_byte(&in);
    made = &releases[kind % N_RELEASES];
    r.n_files = made->n_files;
    for (size_t i = 0; i < r.n_files; i++) {
        r.file[i] = (struct file){.text = COVEY_TEXT_INIT};
        memcpy(r.file[i].name, made->file[i].name, sizeof r.file[i].name);
        covey_i_text_add(&r.file[i].text, made->file[i].text.bytes, made->file[i].text.size);
    }
    for (int i = 0; i < MOST_EDITS && in.at < in.end; i++)
        edit(&r, &in);
    if (kind < 200)
        list_files(&r);
    write_release(&r);
    for (size_t i = 0; i < r.n_files; i++)
        covey_i_text_free(&r.file[i].text);
    read_in_all_ways(flags);
    fuzz_require(covey_i_folder_remove(folder, NULL) == COVEY_OK);
    return 0;
}
