/* Reading the manifest, key by key. */
#include "reader/stated/stated.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/json_fault.h"
#include "reader/stated/keys.h"

enum { FORMAT_VERSION = 1 };
static const size_t MOST_BYTES = (size_t)256 << 20;

static covey_status read_utility(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    const json_t *utility = json_object_get(root, "utility"), *objective = json_object_get(root, "objective");

    if (!json_is_object(utility))
        return covey_i_key_wrong(r, "utility", "an object of figures");
    covey_i_key_go_to(r, "\"utility\": ");
    COVEY_TRY(covey_i_key_figure(&s->ail, r, utility, "ail"));
    COVEY_TRY(covey_i_key_figure(&s->ncp, r, utility, "ncp"));
    COVEY_TRY(covey_i_key_figure(&s->discernibility, r, utility, "discernibility"));
    COVEY_TRY(covey_i_key_figure(&s->average_class_size, r, utility, "average_class_size"));
    COVEY_TRY(covey_i_key_figure(&s->largest_risk, r, utility, "largest_risk"));
    COVEY_TRY(covey_i_key_figure(&s->mean_risk, r, utility, "mean_risk"));
    covey_i_key_go_to(r, "%s", "");
    if (!objective || json_is_null(objective))
        return COVEY_OK;
    covey_i_key_go_to(r, "\"objective\": ");
    COVEY_TRY(covey_i_key_text(&s->objective, r, objective, "name", true));
    COVEY_TRY(covey_i_key_figure(&s->objective_value, r, objective, "value"));
    if (json_object_get(objective, "lower_bound"))
        COVEY_TRY(covey_i_key_figure(&s->objective_lower_bound, r, objective, "lower_bound"));
    if (json_object_get(objective, "upper_bound"))
        COVEY_TRY(covey_i_key_figure(&s->objective_upper_bound, r, objective, "upper_bound"));
    s->objective_is_optimal = json_is_true(json_object_get(objective, "optimal"));
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}

/* {"hipaa-zip3": {"age": "years"}} */
static covey_status check_preset_parameters(covey_manifest_reader *r, const json_t *root)
{
    json_t *all = json_object_get(root, "preset_parameters"), *preset;
    const char *name;

    if (all && !json_is_object(all))
        return covey_i_key_wrong(r, "preset_parameters", "an object of objects of texts");
    json_object_foreach(all, name, preset)
        COVEY_TRY(covey_i_key_check_texts(r, preset, "preset_parameters", "an object of objects of texts"));
    return COVEY_OK;
}

static covey_status read_method(covey_manifest_reader *r, const json_t *root)
{
    const json_t *method = json_object_get(root, "method");
    const json_t *parameters = json_object_get(method, "parameters");
    size_t n_notes;
    const char *boxes, *const *notes;

    covey_i_key_go_to(r, "\"method\": ");
    COVEY_TRY(covey_i_key_text(&r->s->method, r, method, "name", true));
    COVEY_TRY(covey_i_key_check_texts(r, parameters, "parameters", "an object of texts"));
    boxes = json_string_value(json_object_get(parameters, "publish-boxes"));
    r->s->is_tight = !boxes || strcmp(boxes, "tight") == 0;
    covey_i_key_go_to(r, "%s", "");
    COVEY_TRY(covey_i_key_texts(&n_notes, &notes, r, root, "notes"));
    COVEY_TRY(covey_i_key_texts(&r->s->n_presets, &r->s->preset, r, root, "presets"));
    return check_preset_parameters(r, root);
}

static covey_status read_form(covey_manifest_reader *r, const json_t *root)
{
    char expected[256] = "one of ";
    size_t used = strlen(expected);

    COVEY_TRY(covey_i_key_text(&r->s->form, r, root, "form", true));
    if ((r->s->published_as = covey_i_reader_form_find(r->s->form)))
        return COVEY_OK;
    for (size_t i = 0; i < covey_i_reader_form_count() && used < sizeof expected; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\"%s\"", i ? ", " : "",
                                 covey_i_reader_form_at(i)->name);
    return covey_i_key_wrong(r, "form", expected);
}

static covey_status read_delimiter(covey_manifest_reader *r, const json_t *root)
{
    const char *delimiter;

    COVEY_TRY(covey_i_key_text(&delimiter, r, root, "delimiter", false));
    if (delimiter && (strlen(delimiter) != 1 || strchr("\"\r\n", *delimiter)))
        return covey_i_key_wrong(r, "delimiter", "one ASCII character other than a quote");
    r->s->delimiter = delimiter ? *delimiter : '\0';
    return COVEY_OK;
}

static covey_status read_all(covey_manifest_reader *r, const json_t *root)
{
    static const char *const nothing[] = {""};
    covey_stated *s = r->s;
    const json_t *version = json_object_get(root, "format_version");

    if (!json_is_object(root))
        return covey_fail_at(r->err, COVEY_EPARSE, r->path, 0, NULL, 0, "a manifest is a JSON object");
    if (!json_is_integer(version) || json_integer_value(version) != FORMAT_VERSION)
        return covey_i_key_wrong(r, "format_version", "1, the format that this version of covey reads");
    COVEY_TRY(read_form(r, root));
    COVEY_TRY(read_method(r, root));
    COVEY_TRY(covey_i_key_count(&s->n_rows, r, root, "rows"));
    COVEY_TRY(covey_i_key_count(&s->n_published, r, root, "published_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_suppressed, r, root, "suppressed_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_dropped, r, root, "dropped_rows"));
    COVEY_TRY(covey_i_key_count(&s->n_classes, r, root, "classes"));
    if ((s->has_counterfeits = json_object_get(root, "counterfeits") != NULL))
        COVEY_TRY(covey_i_key_count(&s->n_counterfeits, r, root, "counterfeits"));
    COVEY_TRY(covey_i_key_texts(&s->n_missing, &s->missing, r, root, "missing"));
    if (!json_object_get(root, "missing")) {
        s->n_missing = 1;
        s->missing = nothing;
    }
    COVEY_TRY(covey_i_key_bool(&s->trim, r, root, "trim", false));
    COVEY_TRY(read_delimiter(r, root));
    COVEY_TRY(covey_i_key_texts(&s->n_names, &s->names, r, root, "names"));
    s->no_header = json_object_get(root, "names") != NULL;
    COVEY_TRY(covey_i_stated_read_promises(r, root));
    COVEY_TRY(covey_i_stated_read_entity(r, root));
    COVEY_TRY(covey_i_stated_read_columns(r, root));
    COVEY_TRY(covey_i_stated_read_codebook(r, root));
    COVEY_TRY(covey_i_stated_read_priors(r, root));
    COVEY_TRY(covey_i_stated_read_joint(r, root));
    COVEY_TRY(read_utility(r, root));
    return covey_i_stated_read_files(r, root);
}

/* What is wrong with a folder that should be a release. */
static covey_status check_folder(const char *folder, const char *path, covey_error *err)
{
    struct stat facts;

    if (stat(folder, &facts) != 0)
        return covey_fail_at(err, errno == ENOENT || errno == ENOTDIR ? COVEY_ENOTFOUND : COVEY_EIO, folder, 0, NULL, 0,
                             "%s", errno == ENOENT || errno == ENOTDIR ? "there is no such folder" : strerror(errno));
    if (!S_ISDIR(facts.st_mode))
        return covey_fail_at(err, COVEY_EINVAL, folder, 0, NULL, 0,
                             "this is a file, but a release is a folder with a manifest.json in it");
    if (stat(path, &facts) != 0 && errno == ENOENT)
        return covey_fail_at(err, COVEY_ENOTFOUND, folder, 0, NULL, 0,
                             "this folder is no release: there is no manifest.json in it");
    return COVEY_OK;
}

covey_status covey_i_stated_read(covey_stated **out, const char *folder, covey_error *err)
{
    covey_status status;
    covey_stated *s = covey_i_array_zero(1, sizeof *s);
    size_t size_path = strlen(folder) + sizeof "/manifest.json", size = 0;
    char *path = covey_i_malloc(size_path), *bytes = NULL;
    covey_manifest_reader r = {s, path, "", err};
    json_error_t fault = {0};

    if (!s || !path) {
        status = covey_i_no_memory(err);
        goto done;
    }
    snprintf(path, size_path, "%s/manifest.json", folder);
    if ((status = check_folder(folder, path, err)) != COVEY_OK)
        goto done;
    if ((status = covey_i_contents_read_file(&bytes, &size, path, MOST_BYTES, err)) != COVEY_OK)
        goto done;
    if (!(s->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault))) {
        if (covey_i_json_lacked_memory(&fault, size))
            status = covey_i_no_memory(r.err);
        else
            status = covey_fail_at(err, COVEY_EPARSE, path, fault.line, NULL, fault.column, "%s", fault.text);
        goto done;
    }
    if ((status = read_all(&r, s->root)) == COVEY_OK) {
        *out = s;
        s = NULL;
    }
done:
    covey_i_stated_free(s);
    covey_i_free(path);
    covey_i_free(bytes);
    return status;
}

void covey_i_stated_free(covey_stated *stated)
{
    if (!stated)
        return;
    json_decref(stated->root);
    covey_arena_free(&stated->arena);
    covey_i_free(stated);
}
