/* Writing recipes and reading them.  One JSON object; its last member is the SHA-256 of the others as they stand, which
 * parts carry, too.
 */
#include "parts/plan/recipe.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/file/newfile.h"
#include "base/hash.h"
#include "job/warnings.h"
#include "policy/text.h"

enum { VERSION = 1, HEX_KEY = 32 };

static const char FORMAT[] = "covey-recipe";

/* --- what must be the same again --- */

static void add_text(uint64_t *check, const char *text)
{
    *check = covey_i_mix(*check + 1, covey_i_hash_bytes(text, strlen(text)));
}

static void add_number(uint64_t *check, int64_t value)
{
    *check = covey_i_mix(*check + 1, (uint64_t)value);
}

/* Codes, labels and hierarchies: hierarchy files are not part of the recipe, but classes depend on them. */
static uint64_t check_of(const covey_plan *plan)
{
    const covey_problem *problem = &plan->prepared.problem;
    uint64_t check = 0;

    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_column *column = problem->field[f].column;
        const covey_hierarchy *tree = problem->field[f].tree;

        add_text(&check, column->name);
        add_number(&check, column->type);
        add_number(&check, problem->field[f].role);
        for (uint32_t v = 0; v < column->n_values; v++)
            add_text(&check, covey_column_label(column, v));
        for (int64_t i = 0; i < column->n_rows; i++)
            add_number(&check, covey_i_code(column, i));
        for (uint32_t node = 0; tree && node < covey_hierarchy_n_nodes(tree); node++) {
            add_text(&check, covey_hierarchy_label(tree, node));
            add_number(&check, covey_hierarchy_nodes(tree)[node].first_leaf);
            add_number(&check, covey_hierarchy_nodes(tree)[node].n_leaves);
        }
    }
    for (size_t a = 0; a < problem->n_axes; a++) {
        add_number(&check, problem->axis[a].kind);
        add_number(&check, problem->axis[a].domain_low);
        add_number(&check, problem->axis[a].domain_high);
    }
    return check;
}

/* The SHA-256 of an object without its digest. */
static bool find_digest(unsigned char digest[32], json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT);

    if (!text)
        return false;
    covey_i_hash_sha256(digest, text, strlen(text));
    free(text);
    return true;
}

/* --- writing --- */

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *column_object(const covey_plan *plan, size_t c)
{
    const covey_column *values = plan->value[c];
    json_t *object = json_object(), *texts = json_array(), *counts = json_array();
    bool ok = object && texts && counts;

    for (uint32_t v = values->has_null; ok && v < values->n_values; v++)
        ok = json_array_append_new(
                 texts, json_stringn(covey_column_label(values, v), covey_column_label_size(values, v))) == 0 &&
             json_array_append_new(counts, json_integer(plan->count[c][v])) == 0;
    ok = ok && put(object, "name", json_string(values->name)) &&
         put(object, "missing", json_integer(values->has_null ? plan->count[c][0] : 0)) &&
         (!values->is_typed || put(object, "typed", json_true()));
    if (ok && put(object, "values", texts) && put(object, "counts", counts))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *splitters(const covey_plan *plan)
{
    json_t *array = json_array();

    for (uint32_t p = 0; array && p + 1 < plan->n_parts; p++) {
        char hex[HEX_KEY + 1];

        snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, (uint64_t)(plan->splitter[p] >> 64),
                 (uint64_t)plan->splitter[p]);
        json_array_append_new(array, json_string(hex));
    }
    return array;
}

static bool fill(json_t *root, const covey_plan *plan, const char *policy)
{
    json_t *columns = json_array();
    char check[17];
    bool ok = columns != NULL;

    snprintf(check, sizeof check, "%016" PRIx64, check_of(plan));
    for (size_t c = 0; ok && c < plan->n_columns; c++)
        ok = json_array_append_new(columns, column_object(plan, c)) == 0;
    return ok && put(root, "format", json_string(FORMAT)) && put(root, "version", json_integer(VERSION)) &&
           put(root, "tool", json_sprintf("covey %s", covey_version())) && put(root, "policy", json_string(policy)) &&
           put(root, "rows", json_integer(plan->n_rows)) &&
           put(root, "dropped_rows", json_integer(plan->prepared.n_dropped)) &&
           put(root, "misguessed_delimiter", json_boolean(plan->prepared.is_misguessed)) &&
           put(root, "suppressed_rows_at_most", json_integer(plan->prepared.problem.max_suppressed)) &&
           put(root, "rows_per_part", json_integer(plan->rows_per_part)) &&
           put(root, "parts", json_integer(plan->n_parts)) && put(root, "bits", json_integer(plan->n_bits)) &&
           put(root, "splitters", splitters(plan)) && put(root, "columns", columns) &&
           put(root, "check", json_string(check));
}

static const covey_beginning beginnings[] = {{"{\n \"format\": \"covey-recipe\",", NULL}};

static const covey_product product = {.noun = "recipe", COVEY_BEGINNINGS(beginnings)};

static covey_status save(const char *path, const char *text, bool force, covey_error *err)
{
    covey_newfile *file;

    COVEY_TRY(covey_i_newfile_begin(&file, path, force ? &product : NULL, err));
    covey_i_newfile_make_private(file);
    covey_i_outfile_string(covey_i_newfile_stream(file), text);
    covey_i_outfile_string(covey_i_newfile_stream(file), "\n");
    return covey_i_newfile_commit(file, err);
}

/* Writes the plan, readable by its owner only; sets its digest. */
static covey_status write_recipe(covey_plan *plan, const char *path, bool force, covey_error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = covey_i_strndup(path, slash ? (size_t)(slash - path) + 1 : 0), *text = NULL, hex[65];
    covey_text policy = COVEY_TEXT_INIT;
    json_t *root = json_object();
    covey_status status =
        folder && root ? covey_i_policy_print(&policy, plan->policy, folder, err) : covey_i_no_memory(err);

    if (status != COVEY_OK)
        goto done;
    if (!fill(root, plan, policy.bytes) || !find_digest(plan->digest, root)) {
        status = covey_i_no_memory(err);
        goto done;
    }
    covey_i_hash_hex(hex, plan->digest);
    if (!put(root, "digest", json_string(hex)) || !(text = json_dumps(root, JSON_INDENT(1))))
        status = covey_i_no_memory(err);
    else
        status = save(path, text, force, err);
done:
    json_decref(root);
    free(text);
    covey_i_text_free(&policy);
    covey_i_free(folder);
    return status;
}

covey_status covey_i_recipe_publish(covey_plan_report *report, covey_plan *plan, const covey_policy *policy,
                                    const char *path, bool force, const covey_run *run, covey_error *err)
{
    COVEY_TRY(covey_i_job_warn_of_data(&plan->prepared, policy, run, err));
    COVEY_TRY(write_recipe(plan, path, force, err));
    *report = (covey_plan_report){.n_rows = plan->n_rows,
                                  .n_dropped = plan->prepared.n_dropped,
                                  .rows_per_part = plan->rows_per_part,
                                  .n_parts = plan->n_parts};
    return COVEY_OK;
}

/* --- reading --- */

static covey_status wrong(const char *path, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "the recipe was changed after it was made: plan again");
}

static covey_status check_digest(covey_plan *plan, json_t *root, const char *path, covey_error *err)
{
    const char *stated = json_string_value(json_object_get(root, "digest"));
    char hex[65], kept[65] = "";

    if (!stated || strlen(stated) != 64)
        return wrong(path, err);
    memcpy(kept, stated, sizeof kept - 1);
    json_object_del(root, "digest");
    if (!find_digest(plan->digest, root))
        return covey_i_no_memory(err);
    covey_i_hash_hex(hex, plan->digest);
    return strcmp(hex, kept) == 0 ? COVEY_OK : wrong(path, err);
}

static covey_status open_root(json_t **out, const char *path, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    json_error_t why;
    const char *format;
    json_t *root;

    COVEY_TRY(covey_i_infile_open(&file, path, err));
    root = json_loadb(file.bytes, file.size, JSON_REJECT_DUPLICATES, &why);
    covey_i_infile_close(&file);
    format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, FORMAT) != 0) {
        json_decref(root);
        return covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "is no recipe: covey plan writes them");
    }
    if (json_integer_value(json_object_get(root, "version")) != VERSION) {
        json_decref(root);
        return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0,
                             "is a recipe of another version of covey: plan again");
    }
    *out = root;
    return COVEY_OK;
}

/* Of rows, of which no table has 2^32. */
static bool are_counts(int64_t missing, const json_t *counts)
{
    int64_t sum = missing;

    for (size_t i = 0; sum >= 0 && sum <= UINT32_MAX && i < json_array_size(counts); i++) {
        const int64_t count = json_integer_value(json_array_get(counts, i));

        sum = count < 0 || count > UINT32_MAX ? -1 : sum + count;
    }
    return sum >= 0 && sum <= UINT32_MAX;
}

static bool is_row_count(int64_t n)
{
    return n >= 0 && n <= UINT32_MAX;
}

static covey_status read_column(covey_plan *plan, size_t c, const json_t *object, const char *path, covey_error *err)
{
    const json_t *texts = json_object_get(object, "values"), *counts = json_object_get(object, "counts");
    const char *name = json_string_value(json_object_get(object, "name"));
    const int64_t missing = json_integer_value(json_object_get(object, "missing"));
    const bool has_null = missing > 0;
    const size_t n_texts = json_array_size(texts), n = n_texts + has_null;
    covey_label *label = covey_i_array(n, sizeof *label);
    covey_status status;

    if (!name || json_array_size(counts) != n_texts || n >= UINT32_MAX || !are_counts(missing, counts)) {
        covey_i_free(label);
        return wrong(path, err);
    }
    if (!label || !(plan->count[c] = covey_arena_array(&plan->arena, int64_t, n))) {
        covey_i_free(label);
        return covey_i_no_memory(err);
    }
    if (has_null) {
        label[0] = (covey_label){"null", 4};
        plan->count[c][0] = missing;
    }
    for (size_t i = 0; i < n_texts; i++) {
        const json_t *text = json_array_get(texts, i);

        label[i + has_null] = (covey_label){json_string_value(text), json_string_length(text)};
        plan->count[c][i + has_null] = json_integer_value(json_array_get(counts, i));
    }
    status = covey_i_plan_value_column(&plan->value[c], name, label, (uint32_t)n, has_null, NULL, err);
    if (status == COVEY_OK)
        plan->value[c]->is_typed = json_is_true(json_object_get(object, "typed"));
    covey_i_free(label);
    return status;
}

static covey_status read_columns(covey_plan *plan, const json_t *columns, const char *path, covey_error *err)
{
    plan->n_columns = json_array_size(columns);
    plan->value = covey_arena_array_zero(&plan->arena, covey_column *, plan->n_columns);
    plan->count = covey_arena_array_zero(&plan->arena, int64_t *, plan->n_columns);
    if (!plan->value || !plan->count)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < plan->n_columns; c++)
        COVEY_TRY(read_column(plan, c, json_array_get(columns, c), path, err));
    return COVEY_OK;
}

static covey_status read_splitters(covey_plan *plan, const json_t *root, const char *path, covey_error *err)
{
    const json_t *array = json_object_get(root, "splitters");
    const json_int_t n_parts = json_integer_value(json_object_get(root, "parts"));

    if (n_parts < 1 || n_parts > COVEY_PLAN_MOST_PARTS || json_array_size(array) != (size_t)n_parts - 1)
        return wrong(path, err);
    plan->n_parts = (uint32_t)n_parts;
    if (!(plan->splitter = covey_arena_array(&plan->arena, covey_u128, plan->n_parts)))
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p + 1 < plan->n_parts; p++) {
        const char *hex = json_string_value(json_array_get(array, p));
        char half[17] = "";

        if (!hex || strlen(hex) != HEX_KEY)
            return wrong(path, err);
        memcpy(half, hex, 16);
        plan->splitter[p] = (covey_u128)strtoull(half, NULL, 16) << 64 | strtoull(hex + 16, NULL, 16);
    }
    return COVEY_OK;
}

/* The plan again, from its columns' values. */
static covey_status complete(covey_plan *plan, covey_preparing *s, covey_error *err)
{
    covey_prepared *p = &plan->prepared;

    if (!(s->found = covey_arena_array(&p->arena, bool, s->policy->n_attributes)))
        return covey_i_no_memory(err);
    memset(s->found, true,
           s->policy->n_attributes * sizeof *s->found); /* the plan has looked, at dropped columns, too */
    COVEY_TRY(covey_i_table_new(&p->table, 0, plan->n_columns, err));
    for (size_t c = 0; c < plan->n_columns; c++)
        p->table->columns[c] = covey_i_column_share(plan->value[c]);
    COVEY_TRY(covey_i_preparing_columns(s, err));
    covey_table_free(p->table);
    p->table = NULL;
    return covey_i_plan_complete(plan, s, err);
}

static covey_status read_plan(covey_plan *plan, const json_t *root, const char *path, const covey_run *run,
                              covey_error *err)
{
    covey_preparing s = {.p = &plan->prepared, .policy = plan->policy, .run = run};
    const char *check = json_string_value(json_object_get(root, "check"));

    plan->n_rows = json_integer_value(json_object_get(root, "rows"));
    plan->rows_per_part = json_integer_value(json_object_get(root, "rows_per_part"));
    if (!is_row_count(plan->n_rows) || plan->rows_per_part < 0 ||
        !is_row_count(json_integer_value(json_object_get(root, "dropped_rows"))))
        return wrong(path, err);
    COVEY_TRY(covey_i_plan_refuse(plan->policy, err));
    COVEY_TRY(read_columns(plan, json_object_get(root, "columns"), path, err));
    plan->prepared.n_dropped = json_integer_value(json_object_get(root, "dropped_rows"));
    COVEY_TRY(complete(plan, &s, err));
    plan->prepared.is_misguessed = json_is_true(json_object_get(root, "misguessed_delimiter"));
    if (!check || strtoull(check, NULL, 16) != check_of(plan) ||
        plan->n_bits != json_integer_value(json_object_get(root, "bits")))
        return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0,
                             "hierarchies are not what they were when the recipe was made: plan again");
    return read_splitters(plan, root, path, err);
}

static covey_status read_policy(covey_policy **out, const json_t *root, const char *path, covey_error *err)
{
    const json_t *text = json_object_get(root, "policy");
    covey_policy *policy = NULL;
    covey_status status;

    if (!json_is_string(text))
        return wrong(path, err);
    COVEY_TRY(covey_policy_parse(&policy, json_string_value(text), json_string_length(text), path, err));
    if ((status = covey_policy_check(policy, err)) == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}

covey_status covey_i_recipe_read(covey_plan *out, covey_policy **policy_out, const char *path, const covey_run *run,
                                 covey_error *err)
{
    covey_policy *policy = NULL;
    json_t *root;
    covey_status status;

    *out = (covey_plan){0};
    COVEY_TRY(open_root(&root, path, err));
    if ((status = check_digest(out, root, path, err)) == COVEY_OK &&
        (status = read_policy(&policy, root, path, err)) == COVEY_OK) {
        out->policy = policy;
        status = read_plan(out, root, path, run, err);
    }
    json_decref(root);
    if (status == COVEY_OK) {
        *policy_out = policy;
        return COVEY_OK;
    }
    covey_i_plan_clear(out);
    covey_policy_free(policy);
    return status;
}
