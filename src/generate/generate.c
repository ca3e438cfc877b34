/* Generating a table: the rows are the generator's, the files are handled here. */
#include <covey/generate.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/file/newfile.h"
#include "base/text.h"
#include "generate/generator_impl.h"

static const int64_t most_rows = INT64_C(1000000000000);

static covey_status unknown_kind(const char *kind, covey_error *err)
{
    const char *names[64], *near;
    const size_t n = covey_generator_count() < 64 ? covey_generator_count() : 64;

    for (size_t i = 0; i < n; i++)
        names[i] = covey_generator_at(i)->name;
    near = covey_nearest_name(kind, names, n);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no kind of table \"%s\"%s%s%s", kind,
                      near ? "; did you mean \"" : "", near ? near : "",
                      near ? "\"?" : "; `covey generate --help` lists them");
}

/* Is the file there already, as it would be written? */
static covey_status compare(bool *same, const char *path, const char *content, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_error why;

    *same = false;
    switch (covey_i_infile_open(&file, path, &why)) {
    case COVEY_OK:
        *same = file.size == strlen(content) && memcmp(file.bytes, content, file.size) == 0;
        covey_i_infile_close(&file);
        return COVEY_OK;
    case COVEY_ENOMEM:
        return covey_i_no_memory(err);
    default:
        return COVEY_OK; /* what is wrong with it will show when it is written */
    }
}

/* A table and its companions, none of which has its name before all are written. */
enum { MOST_FILES = 8 };

struct output {
    covey_newfile *file[MOST_FILES]; /* the table first */
    size_t n;
    covey_text folder; /* of hierarchies, beside the table */
    bool made_folder;
};

static covey_status write_companion(struct output *out, const covey_companion *companion, bool force, covey_error *err)
{
    covey_newfile **file = &out->file[out->n];
    covey_text path = COVEY_TEXT_INIT;
    covey_status status;
    bool same = false;

    assert(out->n < MOST_FILES);
    covey_i_text_add_format(&path, "%s/%s.csv", out->folder.bytes, companion->column);
    if (path.broken)
        status = covey_i_no_memory(err);
    else if ((status = compare(&same, path.bytes, companion->lines, err)) == COVEY_OK && !same &&
             (status = covey_i_newfile_begin(file, path.bytes, force ? &covey_i_product_hierarchy : NULL, err)) ==
                 COVEY_OK) {
        covey_i_outfile_string(covey_i_newfile_stream(*file), companion->lines);
        out->n++;
    }
    covey_i_text_free(&path);
    return status;
}

static covey_status write_companions(struct output *out, const covey_generator *generator, const char *path, bool force,
                                     covey_error *err)
{
    const char *slash = strrchr(path, '/');

    if (generator->n_companions == 0)
        return COVEY_OK;
    covey_i_text_add(&out->folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    covey_i_text_add_string(&out->folder, "hierarchies");
    if (out->folder.broken)
        return covey_i_no_memory(err);
    out->made_folder = mkdir(out->folder.bytes, 0777) == 0;
    if (!out->made_folder && errno != EEXIST)
        return covey_fail_at(err, COVEY_EIO, out->folder.bytes, 0, NULL, 0, "cannot be made: %s", strerror(errno));
    for (size_t i = 0; i < generator->n_companions; i++)
        COVEY_TRY(write_companion(out, &generator->companions[i], force, err));
    return COVEY_OK;
}

static bool is_device(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode));
}

/* The parameter struct of a generator, filled and checked; lives in the arena. */
static covey_status fill_params(void **out, const covey_generator *generator, const covey_generate_options *options,
                                covey_arena *arena, covey_error *err)
{
    char owner[80];

    if (!(*out = covey_arena_alloc_zero(arena, 1, generator->params_size)))
        return covey_i_no_memory(err);
    snprintf(owner, sizeof owner, "kind %s", generator->name);
    COVEY_TRY(covey_param_defaults(*out, generator->params, generator->n_params, err));
    for (size_t i = 0; i < options->n_params; i++)
        COVEY_TRY(covey_param_set(*out, generator->params, generator->n_params, owner, options->param_names[i],
                                  options->param_texts[i], err));
    return generator->check ? generator->check(*out, err) : COVEY_OK;
}

/* Companions come first: what is wrong with their places is known before a long table is made. */
static covey_status write_files(struct output *out, const covey_generator *generator, const void *params,
                                int64_t n_rows, uint64_t seed, const char *path, bool force, const covey_run *run,
                                covey_error *err)
{
    const covey_beginning beginning = {generator->header, NULL};
    const covey_product product = {.noun = "table of this kind", .beginning = &beginning, .n_beginnings = 1};
    covey_status status = covey_i_newfile_begin(&out->file[0], path, force ? &product : NULL, err);

    out->n = status == COVEY_OK;
    if (status == COVEY_OK && !is_device(path))
        status = write_companions(out, generator, path, force, err);
    if (status == COVEY_OK)
        status = generator->write(covey_i_newfile_stream(out->file[0]), params, n_rows, seed, run, err);
    if (status == COVEY_OK)
        return covey_i_newfile_commit_all(out->file, out->n, err);
    for (size_t i = 0; i < out->n; i++)
        covey_i_newfile_abort(out->file[i]);
    return status;
}

static covey_status write_table(const covey_generator *generator, const void *params, int64_t n_rows, uint64_t seed,
                                const char *path, bool force, const covey_run *run, covey_error *err)
{
    struct output out = {.folder = COVEY_TEXT_INIT};
    const covey_status status = write_files(&out, generator, params, n_rows, seed, path, force, run, err);

    if (status != COVEY_OK && out.made_folder)
        rmdir(out.folder.bytes); /* unless somebody has put something into it */
    covey_i_text_free(&out.folder);
    return status;
}

covey_status covey_generate_with(const char *kind, int64_t n_rows, uint64_t seed, const char *path,
                                 const covey_generate_options *options, const covey_run *run, covey_error *err)
{
    static const covey_generate_options defaults;
    const covey_generator *generator = covey_generator_find(kind);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;
    void *params;

    if (!generator)
        return unknown_kind(kind, err);
    if (n_rows < 1 || n_rows > most_rows)
        return covey_fail(err, COVEY_EINVAL, "a table has 1 to 10^12 rows, not %" PRId64, n_rows);
    options = options ? options : &defaults;
    if ((status = fill_params(&params, generator, options, &arena, err)) == COVEY_OK)
        status = write_table(generator, params, n_rows, seed, path, options->force, run, err);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_generate(const char *kind, int64_t n_rows, uint64_t seed, const char *path, bool force,
                            const covey_run *run, covey_error *err)
{
    const covey_generate_options options = {.force = force};

    return covey_generate_with(kind, n_rows, seed, path, &options, run, err);
}
