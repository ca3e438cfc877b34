/* Generating a table: the rows are the generator's, the files are handled here. */
#include <covey/generate.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/infile.h"
#include "base/newfile.h"
#include "base/text.h"
#include "generate/generator_impl.h"

static const int64_t most_rows = INT64_C(1000000000000);

bool covey_i_generate_goes_on(const covey_run *run, int64_t done, int64_t to_do)
{
    return !run || !run->progress || run->progress(run->context, "generate", done, to_do);
}

static covey_status unknown_kind(const char *kind, covey_error *err)
{
    const char *names[64], *near;
    const size_t n = covey_generator_count() < 64 ? covey_generator_count() : 64;

    for (size_t i = 0; i < n; i++)
        names[i] = covey_generator_at(i)->name;
    near = covey_nearest_name(kind, names, n);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no kind of table \"%s\"%s%s%s", kind, near ? "; did you mean \"" : "", near ? near : "",
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
        return covey_fail(err, COVEY_ENOMEM, "%s", why.message);
    default:
        return COVEY_OK; /* what is wrong with it will show when it is written */
    }
}

static covey_status write_new(const char *path, const char *content, bool force, covey_error *err)
{
    covey_newfile *file;

    COVEY_TRY(covey_i_newfile_begin(&file, path, force, err));
    covey_i_outfile_string(covey_i_newfile_stream(file), content);
    return covey_i_newfile_commit(file, err);
}

static covey_status write_companion(const char *folder, const covey_companion *companion, bool force, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    covey_status status;
    bool same = false;

    covey_i_text_add_format(&path, "%s/%s.csv", folder, companion->column);
    if (path.broken)
        status = covey_fail(err, COVEY_ENOMEM, "out of memory for %s", folder);
    else if ((status = compare(&same, path.bytes, companion->lines, err)) == COVEY_OK && !same)
        status = write_new(path.bytes, companion->lines, force, err);
    covey_i_text_free(&path);
    return status;
}

static covey_status write_companions(const covey_generator *generator, const char *path, bool force, covey_error *err)
{
    const char *slash = strrchr(path, '/');
    covey_text folder = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    if (generator->n_companions == 0)
        return COVEY_OK;
    covey_i_text_add(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    covey_i_text_add_string(&folder, "hierarchies");
    if (folder.broken)
        status = covey_fail(err, COVEY_ENOMEM, "out of memory for %s", path);
    else if (mkdir(folder.bytes, 0777) != 0 && errno != EEXIST)
        status = covey_fail_at(err, COVEY_EIO, folder.bytes, 0, NULL, 0, "cannot be made: %s", strerror(errno));
    for (size_t i = 0; i < generator->n_companions && status == COVEY_OK; i++)
        status = write_companion(folder.bytes, &generator->companions[i], force, err);
    covey_i_text_free(&folder);
    return status;
}

static bool is_device(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode));
}

/* The parameter struct of a generator, filled and checked; lives in the arena. */
static covey_status fill_params(void **out, const covey_generator *generator, const covey_generate_options *options, covey_arena *arena,
                                covey_error *err)
{
    char owner[80];

    if (!(*out = covey_arena_alloc_zero(arena, 1, generator->params_size)))
        return covey_fail(err, COVEY_ENOMEM, "parameters of %s", generator->name);
    snprintf(owner, sizeof owner, "kind %s", generator->name);
    COVEY_TRY(covey_param_defaults(*out, generator->params, generator->n_params, err));
    for (size_t i = 0; i < options->n_params; i++)
        COVEY_TRY(covey_param_set(*out, generator->params, generator->n_params, owner, options->param_names[i], options->param_texts[i], err));
    return generator->check ? generator->check(*out, err) : COVEY_OK;
}

static covey_status write_table(const covey_generator *generator, const void *params, int64_t n_rows, uint64_t seed, const char *path, bool force,
                                const covey_run *run, covey_error *err)
{
    covey_newfile *file;
    covey_status status;

    COVEY_TRY(covey_i_newfile_begin(&file, path, force, err));
    if ((status = generator->write(covey_i_newfile_stream(file), params, n_rows, seed, run, err)) == COVEY_OK && !is_device(path))
        status = write_companions(generator, path, force, err);
    if (status == COVEY_OK)
        return covey_i_newfile_commit(file, err);
    covey_i_newfile_abort(file);
    return status;
}

covey_status covey_generate_with(const char *kind, int64_t n_rows, uint64_t seed, const char *path, const covey_generate_options *options,
                                 const covey_run *run, covey_error *err)
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

covey_status covey_generate(const char *kind, int64_t n_rows, uint64_t seed, const char *path, bool force, const covey_run *run, covey_error *err)
{
    const covey_generate_options options = {.force = force};

    return covey_generate_with(kind, n_rows, seed, path, &options, run, err);
}
