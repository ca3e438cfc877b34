/* Writing release folders by hand, with the right hashes. */
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "base/hash.h"
#include "support/folder.h"
#include "support/release/release_folder.h"

void release_begin(release_folder *r)
{
    char hierarchies[512];

    memset(r, 0, sizeof *r);
    assert_true(test_folder(r->path, sizeof r->path, "release"));
    snprintf(hierarchies, sizeof hierarchies, "%s/hierarchies", r->path);
    assert_int_equal(mkdir(hierarchies, 0700), 0);
}

void release_end(release_folder *r)
{
    if (access(r->path, F_OK) == 0) /* a test may have made nothing there */
        assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    if (r->original[0])
        remove(r->original);
    json_decref(r->manifest);
}

static char *path_of(char out[640], const release_folder *r, const char *name)
{
    snprintf(out, 640, "%s/%s", r->path, name);
    return out;
}

void release_put(const release_folder *r, const char *name, const char *text)
{
    char path[640];

    if (text)
        file_put(path_of(path, r, name), text);
    else
        assert_int_equal(remove(path_of(path, r, name)), 0);
}

char *release_get(const release_folder *r, const char *name)
{
    char path[640], *text = NULL;
    FILE *file = fopen(path_of(path, r, name), "rb");
    long size;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    rewind(file);
    assert_non_null(text = malloc((size_t)size + 1));
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

void release_replace(const release_folder *r, const char *name, const char *from, const char *to)
{
    char *text = release_get(r, name), *at = strstr(text, from), *changed;
    size_t size = strlen(text) + strlen(to) + 1;

    if (!at)
        fail_msg("%s does not contain \"%s\"", name, from);
    assert_non_null(changed = malloc(size));
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    release_put(r, name, changed);
    free(changed);
    free(text);
}

void release_original(release_folder *r, const char *text)
{
    snprintf(r->original, sizeof r->original, "%s-original.csv", r->path);
    file_put(r->original, text);
}

/* --- the manifest --- */

static json_t *parse(const char *json)
{
    char *text = strdup(json);
    json_error_t fault;
    json_t *value;

    assert_non_null(text);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    value = json_loads(text, JSON_DECODE_ANY, &fault);
    if (!value)
        fail_msg("%s: %s at %d:%d", json, fault.text, fault.line, fault.column);
    free(text);
    return value;
}

void release_state(release_folder *r, const char *json)
{
    json_decref(r->manifest);
    r->manifest = parse(json);
}

static json_t *child(json_t *parent, const char *key)
{
    return json_is_array(parent) ? json_array_get(parent, (size_t)strtoul(key, NULL, 10))
                                 : json_object_get(parent, key);
}

/* Splits "a.b.c" into the value at "a.b" and "c". */
static json_t *parent_of(json_t *root, const char *path, char key[128])
{
    const char *dot;

    for (; (dot = strchr(path, '.')); path = dot + 1) {
        snprintf(key, 128, "%.*s", (int)(dot - path), path);
        root = child(root, key);
    }
    snprintf(key, 128, "%s", path);
    return root;
}

json_t *release_at(const release_folder *r, const char *path)
{
    char key[128];

    return child(parent_of(r->manifest, path, key), key);
}

void release_set(release_folder *r, const char *path, const char *json)
{
    char key[128];
    json_t *parent = parent_of(r->manifest, path, key);

    assert_non_null(parent);
    if (!json && json_is_array(parent))
        assert_int_equal(json_array_remove(parent, (size_t)strtoul(key, NULL, 10)), 0);
    else if (!json)
        assert_int_equal(json_object_del(parent, key), 0);
    else if (json_is_array(parent))
        assert_int_equal(json_array_set_new(parent, (size_t)strtoul(key, NULL, 10), parse(json)), 0);
    else
        assert_int_equal(json_object_set_new(parent, key, parse(json)), 0);
}

void release_read(release_folder *r)
{
    char *text = release_get(r, "manifest.json");

    json_decref(r->manifest);
    assert_non_null(r->manifest = json_loads(text, 0, NULL));
    free(text);
}

/* Rows of a table, without its header; lines of a hierarchy. */
static json_int_t count_rows(const release_folder *r, const char *name)
{
    char *text = release_get(r, name);
    json_int_t n = strncmp(name, "hierarchies/", 12) == 0 ? 0 : -1;
    bool quoted = false;

    for (const char *c = text; *c; c++) {
        quoted ^= *c == '"';
        n += *c == '\n' && !quoted;
    }
    free(text);
    return n > 0 ? n : 0;
}

static void list_file(json_t *files, const release_folder *r, const char *name)
{
    char path[640], hex[65];
    unsigned char hash[32];
    uint64_t size;

    assert_int_equal(covey_i_hash_sha256_file(hash, &size, path_of(path, r, name), NULL), COVEY_OK);
    covey_i_hash_hex(hex, hash);
    json_array_append_new(files, json_pack("{s:s, s:I, s:I, s:s}", "name", name, "rows", count_rows(r, name), "bytes",
                                           (json_int_t)size, "sha256", hex));
}

static void list_folder(json_t *files, const release_folder *r, const char *folder, const char *prefix)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;

    if (!stream) /* a release without hierarchies */
        return;
    while ((entry = readdir(stream))) {
        char name[300];

        snprintf(name, sizeof name, "%s%s", prefix, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(name, "hierarchies") != 0 && strcmp(name, "manifest.json") != 0)
            list_file(files, r, name);
    }
    closedir(stream);
}

void release_write(const release_folder *r)
{
    char path[640], *text;
    json_t *files = json_array();

    list_folder(files, r, r->path, "");
    list_folder(files, r, path_of(path, r, "hierarchies"), "hierarchies/");
    json_object_set_new(r->manifest, "files", files);
    assert_non_null(text = json_dumps(r->manifest, JSON_INDENT(2)));
    release_put(r, "manifest.json", text);
    free(text);
}

/* --- verdicts --- */

covey_verdict *release_verify(const release_folder *r, bool original)
{
    covey_verify_options options = {.original = original ? r->original : NULL};
    covey_run run = {.n_threads = 3};
    covey_verdict *verdict = NULL;
    covey_error err;

    if (covey_verify(&verdict, r->path, &options, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    if (!original)
        release_assert_windows_agree(r, 100);
    return verdict;
}

static bool same_figure(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void assert_same_promise(const covey_promise_verdict *a, const covey_promise_verdict *b)
{
    assert_string_equal(a->model, b->model);
    assert_string_equal(a->attribute, b->attribute);
    assert_string_equal(a->threshold, b->threshold);
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->achieved, b->achieved);
    assert_string_equal(a->achieved_e, b->achieved_e);
    assert_true(same_figure(a->achieved_value, b->achieved_value));
    assert_int_equal(a->worst_class, b->worst_class);
    assert_int_equal(a->holds, b->holds);
}

static void assert_same_verdict(const covey_verdict *a, const covey_verdict *b)
{
    for (size_t i = 0; i < a->n_problems || i < b->n_problems; i++) {
        const char *x = i < a->n_problems ? a->problem[i] : "(none)", *y = i < b->n_problems ? b->problem[i] : "(none)";

        if (strcmp(x, y) != 0)
            fail_msg("problem %zu at once: %s\nin windows: %s", i, x, y);
    }
    assert_int_equal(a->holds, b->holds);
    assert_int_equal(a->faithful, b->faithful);
    assert_int_equal(a->n_promises, b->n_promises);
    for (size_t p = 0; p < a->n_promises; p++)
        assert_same_promise(&a->promise[p], &b->promise[p]);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_published, b->n_published);
    assert_int_equal(a->n_suppressed, b->n_suppressed);
    assert_int_equal(a->n_classes, b->n_classes);
    assert_string_equal(a->form, b->form);
    assert_int_equal(a->figures.smallest_class, b->figures.smallest_class);
    assert_true(same_figure(a->figures.ail, b->figures.ail));
    assert_true(same_figure(a->figures.ncp, b->figures.ncp));
    assert_true(same_figure(a->figures.discernibility, b->figures.discernibility));
    assert_true(same_figure(a->figures.average_class_size, b->figures.average_class_size));
    assert_true(same_figure(a->figures.largest_risk, b->figures.largest_risk));
    assert_true(same_figure(a->figures.mean_risk, b->figures.mean_risk));
}

void release_assert_windows_agree(const release_folder *r, int window)
{
    covey_verify_options at_once = {0}, in_windows = {.memory_limit = (int64_t)12 * window};
    covey_run run = {.n_threads = 2};
    covey_verdict *a = NULL, *b = NULL;
    covey_error err_a, err_b;
    covey_status status_a = covey_verify(&a, r->path, &at_once, &run, &err_a),
                 status_b = covey_verify(&b, r->path, &in_windows, &run, &err_b);

    if (status_a != status_b)
        fail_msg("at once: %s, in windows: %s", status_a == COVEY_OK ? "fine" : err_a.message,
                 status_b == COVEY_OK ? "fine" : err_b.message);
    if (status_a == COVEY_OK)
        assert_same_verdict(a, b);
    covey_verdict_free(a);
    covey_verdict_free(b);
}

void release_assert_holds(const release_folder *r, bool original)
{
    covey_verdict *verdict = release_verify(r, original);

    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    assert_true(verdict->holds);
    assert_int_equal(verdict->n_problems, 0);
    assert_int_equal(verdict->faithful, original ? 1 : -1);
    covey_verdict_free(verdict);
}

void release_assert_refused(const release_folder *r, bool original, const char *problem)
{
    covey_verdict *verdict = release_verify(r, original);
    bool found = false;

    for (size_t i = 0; i < verdict->n_problems; i++)
        found |= strstr(verdict->problem[i], problem) != NULL;
    for (size_t i = 0; !found && i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    if (!found)
        fail_msg("no problem says \"%s\"", problem);
    assert_false(verdict->holds);
    covey_verdict_free(verdict);
}
