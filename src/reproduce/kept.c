/* Keeping what experiments found. */
#include "reproduce/kept.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file/infile.h"
#include "base/file/outfile.h"
#include "base/hash.h"
#include "base/text.h"

#define RESULTS "results.json"

static const char *const difference_name[] = {"open", "data", "choice"};
enum { DIFFERENCES = sizeof difference_name / sizeof *difference_name };

const char *covey_difference_name(covey_difference because)
{
    return (size_t)because < DIFFERENCES ? difference_name[because] : "unknown";
}

static const char *const state_name[] = {"holds", "differs"}; /* a missing table is looked for again */

covey_status covey_i_kept_key(const char **out, const covey_experiment *experiment,
                              const covey_reproduce_options *options, const covey_run *run, covey_arena *arena,
                              covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    bool is_there = true;
    char *key;

    covey_i_text_add_format(&text, "covey %s, rows %" PRId64 ", seconds %g", covey_version(), options->rows,
                            options->seconds);
    if (experiment->asks_server && options->server)
        covey_i_text_add_string(&text, ", with a server");
    if (run && run->has_seed)
        covey_i_text_add_format(&text, ", seed %" PRIu64, run->seed);
    for (size_t i = 0; experiment->needs && experiment->needs[i] && is_there && status == COVEY_OK; i++) {
        char *path = options->data ? covey_i_experiment_path(arena, options->data, experiment->needs[i]) : NULL;
        unsigned char hash[32];
        uint64_t size;

        is_there = path && access(path, R_OK) == 0;
        if (is_there && (status = covey_i_hash_sha256_file(hash, &size, path, err)) == COVEY_OK) {
            covey_i_text_add_format(&text, ", %s ", experiment->needs[i]);
            for (size_t b = 0; b < 8; b++)
                covey_i_text_add_format(&text, "%02x", hash[b]);
        }
    }
    key = covey_i_text_keep(&text, arena);
    *out = is_there ? key : "";
    return status == COVEY_OK && !*out ? covey_i_no_memory(err) : status;
}

static json_t *entry_of(const covey_reproduced *r, const char *key)
{
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s, s:f}", "name", r->experiment->name, "state", state_name[r->state],
                              "finding", r->finding, "with", key, "seconds", r->seconds);

    if (entry && r->state == COVEY_REPRODUCED_DIFFERS) {
        json_object_set_new(entry, "because", json_string(difference_name[r->because]));
        json_object_set_new(entry, "why", json_string(r->why));
    }
    return entry;
}

covey_status covey_i_kept_write(const covey_reproduced *all, const char *const *key, const bool *done, size_t n,
                                const char *folder, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    json_t *list = json_array(), *root;
    char *text = NULL;
    covey_status status;

    for (size_t i = 0; i < n; i++)
        if (done[i] && all[i].state != COVEY_REPRODUCED_MISSING)
            json_array_append_new(list, entry_of(&all[i], key[i]));
    if ((root = json_pack("{s:o}", "experiments", list)))
        text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    covey_i_text_add_format(&path, "%s/" RESULTS, folder);
    status = text && !path.broken ? covey_i_outfile_make(path.bytes, text, strlen(text), err) : covey_i_no_memory(err);
    free(text);
    covey_i_text_free(&path);
    return status;
}

static bool has_files(const covey_experiment *experiment, const char *folder, covey_arena *arena)
{
    static const char *const ending[] = {"csv", "svg"};

    for (size_t i = 0; i < 2; i++) {
        char name[128];
        const char *path;

        snprintf(name, sizeof name, "%s.%s", experiment->name, ending[i]);
        if (!(path = covey_i_experiment_path(arena, folder, name)) || access(path, R_OK) != 0)
            return false;
    }
    return true;
}

static void take(covey_reproduced *out, bool *done, const json_t *entry, const char *key)
{
    const char *state = json_string_value(json_object_get(entry, "state")),
               *finding = json_string_value(json_object_get(entry, "finding")),
               *with = json_string_value(json_object_get(entry, "with")),
               *because = json_string_value(json_object_get(entry, "because")),
               *why = json_string_value(json_object_get(entry, "why"));

    if (!state || !finding || !with || !*key || strcmp(with, key) != 0)
        return;
    if (strcmp(state, state_name[COVEY_REPRODUCED_DIFFERS]) == 0 && (!because || !why))
        return;
    for (int s = 0; s < 2; s++)
        if (strcmp(state, state_name[s]) == 0) {
            out->state = (covey_reproduced_state)s;
            out->seconds = json_number_value(json_object_get(entry, "seconds"));
            snprintf(out->finding, sizeof out->finding, "%s", finding);
            snprintf(out->why, sizeof out->why, "%s", s == COVEY_REPRODUCED_DIFFERS ? why : "");
            for (int d = 0; d < DIFFERENCES && s == COVEY_REPRODUCED_DIFFERS; d++)
                if (strcmp(because, difference_name[d]) == 0)
                    out->because = (covey_difference)d;
            *done = true;
        }
}

covey_status covey_i_kept_read(covey_reproduced *all, const char *const *key, bool *done, size_t n, const char *folder,
                               covey_arena *arena, covey_error *err)
{
    const char *path = covey_i_experiment_path(arena, folder, RESULTS);
    covey_infile file = COVEY_INFILE_INIT;
    const json_t *entry;
    json_t *root;
    size_t at;

    if (!path)
        return covey_i_no_memory(err);
    if (access(path, R_OK) != 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_infile_open(&file, path, err));
    root = json_loadb(file.bytes, file.size, 0, NULL);
    covey_i_infile_close(&file);
    json_array_foreach(json_object_get(root, "experiments"), at, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));

        for (size_t i = 0; name && i < n; i++)
            if (strcmp(name, all[i].experiment->name) == 0 && has_files(all[i].experiment, folder, arena))
                take(&all[i], &done[i], entry, key[i]);
    }
    json_decref(root);
    return COVEY_OK;
}

covey_status covey_i_kept_copy(const covey_experiment *experiment, const char *from, const char *to, covey_arena *arena,
                               covey_error *err)
{
    static const char *const ending[] = {"csv", "svg"};

    for (size_t i = 0; i < 2; i++) {
        covey_infile file = COVEY_INFILE_INIT;
        const char *old, *own;
        char name[128];
        covey_status status;

        snprintf(name, sizeof name, "%s.%s", experiment->name, ending[i]);
        old = covey_i_experiment_path(arena, from, name);
        own = covey_i_experiment_path(arena, to, name);
        if (!old || !own)
            return covey_i_no_memory(err);
        if ((status = covey_i_infile_open(&file, old, err)) == COVEY_OK)
            status = covey_i_outfile_make(own, file.bytes, file.size, err);
        covey_i_infile_close(&file);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}
