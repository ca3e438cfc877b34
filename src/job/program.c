/* A policy as a program that is run again on tables whose sensitive values stand in other places.  What is published is
 * compared file by file, so that all that a form publishes counts, whatever the form. */
#include <covey/job.h>

#include <sodium.h>

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "job/choose.h"
#include "job/publish.h"
#include "release/settled.h"

struct program {
    covey_attack_program public; /* first: what the caller has */
    const covey_policy *policy;
    covey_run run;
    covey_prepared prepared;
    covey_column *column; /* the sensitive one, of prepared */
    covey_folder *folder;
    covey_arena arena;
};

/* --- the table --- */

static covey_status find_column(struct program *p, covey_error *err)
{
    const covey_problem *problem = &p->prepared.problem;
    const covey_column *sensitive = NULL;

    for (size_t f = 0; f < problem->n_fields; f++) {
        if (problem->field[f].role != COVEY_ROLE_SENSITIVE)
            continue;
        if (sensitive)
            return covey_fail(err, COVEY_EINVAL,
                              "minimality: the policy has several sensitive attributes; worlds are those of one");
        sensitive = problem->field[f].column;
    }
    for (size_t c = 0; c < p->prepared.n_columns; c++)
        if (p->prepared.column[c] == sensitive)
            p->column = p->prepared.column[c];
    return p->column ? COVEY_OK : covey_fail(err, COVEY_EINVAL, "minimality: the policy has no sensitive attribute");
}

static void clear(struct program *p)
{
    covey_i_folder_abort(p->folder);
    covey_i_prepared_clear(&p->prepared);
    covey_arena_free(&p->arena);
    p->folder = NULL;
    p->column = NULL;
}

static covey_status start(covey_attack_worlds *out, void *context, const covey_run *run, covey_error *err)
{
    struct program *p = context;
    uint32_t *value;
    const char **label;

    clear(p); /* of another attack with the same program */
    p->run = (covey_run){.n_threads = 1, .has_seed = true, .seed = run && run->has_seed ? run->seed : 1};
    COVEY_TRY(covey_i_prepare(&p->prepared, p->policy, &p->run, err));
    if (p->prepared.problem.units)
        return covey_fail(err, COVEY_EINVAL,
                          "the attack minimality moves the sensitive values of rows; for rows with units (role entity) "
                          "it is not built yet");
    COVEY_TRY(find_column(p, err));
    COVEY_TRY(covey_i_folder_begin_temporary(&p->folder, "worlds", err));
    value = covey_arena_array(&p->arena, uint32_t, p->column->n_rows);
    label = covey_arena_array(&p->arena, const char *, p->column->n_values);
    if (!value || !label)
        return covey_i_no_memory(err);
    covey_i_column_unpack(value, p->column, 0, p->column->n_rows);
    for (uint32_t v = 0; v < p->column->n_values; v++)
        label[v] = covey_column_label(p->column, v);
    *out = (covey_attack_worlds){(uint32_t)p->column->n_rows, p->column->n_values, value, label};
    return COVEY_OK;
}

/* The column is nobody else's: how often each value occurs stays the same, and all that was made from it with it. */
static void assign(const struct program *p, const uint32_t *value)
{
    covey_i_codes_pack((void *)p->column->codes, p->column->width, value, (size_t)p->column->n_rows);
}

/* --- one world --- */

static covey_status hash_files(unsigned char hash[32], const covey_files *files, const char *folder, covey_error *err)
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < files->n; i++) {
        covey_text path = COVEY_TEXT_INIT;
        unsigned char of_file[32];
        uint64_t size;
        covey_status status;

        covey_i_text_add_format(&path, "%s/%s", folder, files->file[i].name);
        status = path.broken ? covey_i_no_memory(err) : covey_i_hash_sha256_file(of_file, &size, path.bytes, err);
        if (status == COVEY_OK)
            status = covey_i_folder_remove(path.bytes, err);
        covey_i_text_free(&path);
        COVEY_TRY(status);
        crypto_hash_sha256_update(&state, (const unsigned char *)files->file[i].name, strlen(files->file[i].name) + 1);
        crypto_hash_sha256_update(&state, of_file, sizeof of_file);
    }
    crypto_hash_sha256_final(&state, hash);
    return COVEY_OK;
}

static covey_status write_world(unsigned char hash[32], struct program *p, covey_release **release, covey_error *err)
{
    covey_files files = {0};
    covey_settled settled;
    covey_status status = covey_i_publish_settle(&settled, release, &p->prepared.problem, &p->run, err);

    if (status == COVEY_OK)
        status =
            (*release)->form->write(*release, &settled.problem, covey_i_folder_path(p->folder), &files, &p->run, err);

    if (status == COVEY_OK)
        status = hash_files(hash, &files, covey_i_folder_path(p->folder), err);
    covey_i_files_clear(&files);
    covey_release_free(*release);
    *release = NULL;
    covey_i_settled_clear(&settled);
    return status;
}

static covey_status publish(unsigned char hash[32], void *context, const uint32_t *value, covey_error *err)
{
    struct program *p = context;
    covey_arena_mark mark = covey_arena_save(&p->prepared.arena);
    covey_release *release = NULL;
    covey_choice choice;
    covey_error reason;
    covey_status status;

    assign(p, value);
    memset(hash, 0, 32);
    status = covey_i_choose(&release, &choice, NULL, &p->prepared, p->policy, &p->run, &reason);
    if (status == COVEY_OK) {
        covey_publication publication = {.policy = p->policy,
                                         .run = &p->run,
                                         .problem = &p->prepared.problem,
                                         .choice = &choice,
                                         .release = release,
                                         .folder = covey_i_folder_path(p->folder),
                                         .arena = &p->prepared.arena};

        status = covey_i_publish_check(&publication, &reason);
    }
    if (status == COVEY_OK)
        status = write_world(hash, p, &release, &reason);
    covey_release_free(release);
    covey_arena_rewind(&p->prepared.arena, mark);
    if (status == COVEY_EINFEASIBLE) /* which is something to be learned, too */
        return COVEY_OK;
    if (status != COVEY_OK && err)
        *err = reason;
    return status;
}

/* --- the object --- */

covey_status covey_program_new(covey_attack_program **out, const covey_policy *policy, covey_error *err)
{
    struct program *p = covey_i_array_zero(1, sizeof *p);

    if (!p)
        return covey_i_no_memory(err);
    p->policy = policy;
    p->public = (covey_attack_program){.context = p, .start = start, .publish = publish};
    *out = &p->public;
    return COVEY_OK;
}

void covey_program_free(covey_attack_program *program)
{
    struct program *p = program ? program->context : NULL;

    if (!p)
        return;
    clear(p);
    covey_i_free(p);
}
