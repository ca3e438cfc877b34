/* Writing the manifest. */
#include "release/manifest/manifest.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/outfile.h"
#include "base/hash.h"
#include "release/counterfeits_table.h"
#include "release/made_up.h"
#include "release/manifest/json.h"

enum { FORMAT_VERSION = 1 };

static json_t *strings(covey_json *j, const char *const *text, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++)
        covey_i_json_append(j, array, json_string(text[i]));
    return array;
}

/* Not every figure is defined for every form. */
static json_t *real_or_null(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *utility(covey_json *j, const covey_utility_figures *u)
{
    json_t *object = json_object();

    covey_i_json_put(j, object, "ail", json_real(u->ail));
    covey_i_json_put(j, object, "ncp", json_real(u->ncp));
    covey_i_json_put(j, object, "discernibility",
                     u->discernibility < 9e15 ? json_integer((json_int_t)u->discernibility)
                                              : real_or_null(u->discernibility));
    covey_i_json_put(j, object, "average_class_size", real_or_null(u->average_class_size));
    covey_i_json_put(j, object, "largest_risk", real_or_null(u->largest_risk));
    covey_i_json_put(j, object, "mean_risk", real_or_null(u->mean_risk));
    return object;
}

/* A bound that is not reached is a figure of the whole input: where rows are suppressed it would tell of them. */
static bool shows_bound(const covey_release *release)
{
    return release->objective.has_bound && (release->objective.optimal || release->n_published == release->n_rows);
}

static json_t *objective(covey_json *j, const covey_release *release, const covey_problem *problem)
{
    const covey_objective *o = &release->objective;
    json_t *object = json_object(), *levels;
    const bool has_bound = shows_bound(release), below = has_bound && !o->is_maximised;

    covey_i_json_put(j, object, "name", json_string(o->name));
    covey_i_json_put(j, object, "value", real_or_null(o->value));
    covey_i_json_put(j, object, "lower_bound", below ? json_real(o->bound) : json_null());
    if (o->is_maximised)
        covey_i_json_put(j, object, "upper_bound", has_bound ? json_real(o->bound) : json_null());
    covey_i_json_put(j, object, "optimal", json_boolean(o->optimal));
    if (o->stopped) {
        const double larger = o->is_maximised ? o->bound : o->value, smaller = o->is_maximised ? o->value : o->bound;

        covey_i_json_put(j, object, "ratio", has_bound && smaller > 0 ? json_real(larger / smaller) : json_null());
        covey_i_json_put(j, object, "stopped", json_string(o->stopped));
    }
    if (o->has_fakes)
        covey_i_json_put(j, object, "fakes", json_integer(o->fakes));
    if (o->level) {
        levels = json_object();
        for (size_t a = 0; a < problem->n_axes; a++)
            covey_i_json_put(j, levels, problem->axis[a].column->name, json_integer(o->level[a]));
        covey_i_json_put(j, object, "levels", levels);
    }
    return object;
}

static json_t *files(covey_json *j, const covey_files *list)
{
    json_t *array = json_array();

    for (size_t i = 0; i < list->n; i++) {
        json_t *object = json_object();
        char hex[65];

        covey_i_hash_hex(hex, list->file[i].sha256);
        covey_i_json_put(j, object, "name", json_string(list->file[i].name));
        covey_i_json_put(j, object, "rows", json_integer(list->file[i].n_rows));
        if (list->file[i].is_part)
            covey_i_json_put(j, object, "classes", json_integer(list->file[i].n_classes));
        covey_i_json_put(j, object, "bytes", json_integer((json_int_t)list->file[i].size_bytes));
        covey_i_json_put(j, object, "sha256", json_string(hex));
        covey_i_json_append(j, array, object);
    }
    return array;
}

/* What the form has to say beside what all forms do. */
static void put_facts(covey_json *j, json_t *root, const char *text)
{
    json_t *facts = json_loads(text, 0, NULL), *value;
    const char *key;

    if (!json_is_object(facts))
        j->broken = true;
    json_object_foreach(facts, key, value) covey_i_json_put(j, root, key, json_incref(value));
    json_decref(facts);
}

/* Their names, and what the publisher said of them, such as which column is an age. */
static void put_presets(covey_json *j, json_t *root, const covey_manifest *m)
{
    json_t *params = json_object();

    covey_i_json_put(j, root, "presets", strings(j, m->preset, m->n_presets));
    for (size_t i = 0; i < m->n_presets; i++)
        if (m->preset_params[i].n > 0)
            covey_i_json_put(j, params, m->preset[i], covey_i_json_pairs(j, &m->preset_params[i]));
    if (json_object_size(params) > 0)
        covey_i_json_put(j, root, "preset_parameters", params);
    else
        json_decref(params);
}

static void put_codebook(covey_json *j, json_t *root, const covey_manifest *m)
{
    json_t *codebook = NULL;

    if (covey_i_release_codebook(&codebook, m, NULL) != COVEY_OK)
        j->broken = true;
    else if (codebook)
        covey_i_json_put(j, root, "codebook", codebook);
}

static void fill(covey_json *j, const covey_manifest *m, const char *const *hierarchy)
{
    const covey_release *release = m->release;
    json_t *columns = json_array(), *method = json_object(), *tool = json_object(), *root = j->root;

    covey_i_json_put(j, root, "format_version", json_integer(FORMAT_VERSION));
    covey_i_json_put(j, tool, "name", json_string("covey"));
    covey_i_json_put(j, tool, "version", json_string(covey_version()));
    covey_i_json_put(j, root, "tool", tool);
    covey_i_json_put(j, root, "form", json_string(release->form->name));
    covey_i_json_put(j, method, "name", json_string(m->method));
    covey_i_json_put(j, method, "parameters", covey_i_json_pairs(j, &m->method_params));
    covey_i_json_put(j, root, "method", method);
    covey_i_json_put(j, root, "rows", json_integer((json_int_t)release->n_rows - covey_i_release_n_made_up(release)));
    covey_i_json_put(j, root, "published_rows", json_integer(release->n_published));
    covey_i_json_put(j, root, "suppressed_rows", json_integer((json_int_t)release->n_rows - release->n_published));
    covey_i_json_put(j, root, "dropped_rows", json_integer(m->n_dropped));
    if (covey_i_counterfeits_table_is_wanted(&m->problem->promises))
        covey_i_json_put(j, root, "counterfeits", json_integer(covey_i_release_n_made_up(release)));
    covey_i_json_put(j, root, "classes", json_integer(release->n_classes));
    if (m->seeded)
        covey_i_json_put(j, root, "seeded", json_true());
    if (m->n_presets)
        put_presets(j, root, m);
    covey_i_json_put(j, root, "missing", strings(j, m->missing, m->n_missing));
    if (m->trim)
        covey_i_json_put(j, root, "trim", json_true());
    if (m->delimiter)
        covey_i_json_put(j, root, "delimiter", json_stringn(&m->delimiter, 1));
    if (m->no_header)
        covey_i_json_put(j, root, "names", strings(j, m->names, m->n_names));
    covey_i_json_put(j, root, "promises", covey_i_manifest_promises(j, m));
    if (m->problem->units)
        covey_i_json_put(j, root, "entity", covey_i_manifest_entity(j, m));
    for (size_t f = 0; f < m->problem->n_fields; f++)
        covey_i_json_append(j, columns, covey_i_manifest_column(j, m, &m->problem->field[f], hierarchy[f]));
    covey_i_json_put(j, root, "columns", columns);
    if (m->codebook)
        put_codebook(j, root, m);
    covey_i_manifest_put_priors(j, root, m);
    covey_i_manifest_put_joint_prior(j, root, m);
    covey_i_json_put(j, root, "objective", objective(j, release, m->problem));
    covey_i_json_put(j, root, "utility", utility(j, m->utility));
    if (release->facts)
        put_facts(j, root, release->facts);
    covey_i_json_put(j, root, "files", files(j, m->files));
    if (m->note && *m->note)
        covey_i_json_put(j, root, "notes", strings(j, &m->note, 1));
}

covey_status covey_i_manifest_write(const covey_manifest *m, const char *const *hierarchy, const char *folder,
                                    covey_error *err)
{
    covey_json j = {json_object(), false};
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status = COVEY_OK;
    char *text = NULL;

    if (!j.root) {
        status = covey_i_no_memory(err);
        goto done;
    }
    fill(&j, m, hierarchy);
    covey_i_text_add_format(&path, "%s/manifest.json", folder);
    if (j.broken || path.broken || !(text = json_dumps(j.root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_outfile_open(&out, path.bytes, err)) != COVEY_OK)
        goto done;
    covey_i_outfile_string(out, text);
    covey_i_outfile_string(out, "\n");
    status = covey_i_outfile_close(out, err);
done:
    json_decref(j.root);
    covey_i_free(path.bytes);
    free(text);
    return status;
}
