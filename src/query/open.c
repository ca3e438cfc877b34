/* Reads a release for queries, as the audit and the measures do, and hands it to its form. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "query/query_impl.h"
#include "reader/contents.h"

static covey_status unknown_form(const char *form, covey_error *err)
{
    char known[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < covey_i_query_form_count() && used < sizeof known; i++)
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", covey_i_query_form_at(i)->name);
    return covey_fail(err, COVEY_EINVAL, "queries over the form \"%s\" are not built yet; they are over: %s", form,
                      known);
}

static covey_status open_files(covey_query_release *r, const char *folder, covey_problems *problems,
                               const covey_run *run, covey_error *err)
{
    bool *present = covey_arena_array_zero(&r->arena, bool, r->stated->n_files), usable;

    if (!present)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_contents_check(present, problems, folder, r->stated, err));
    COVEY_TRY(covey_i_opened_read_data(&r->opened, folder, r->stated, present, problems, run, err));
    usable = r->opened->usable;
    for (size_t i = 0; i < r->opened->n_columns; i++)
        usable &= r->opened->column[i].usable;
    if (problems->broken)
        return covey_i_no_memory(err);
    if (problems->n > 0 || !usable)
        return covey_i_error_names(covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)",
                                              folder,
                                              problems->n ? problems->line[0] : "its table cannot be understood"),
                                   folder, NULL, err);
    return COVEY_OK;
}

/* The first n_rows rows are the piece, in whole classes; negative: all are. */
static covey_status find_own(covey_query_release *r, int64_t n_rows, covey_error *err)
{
    const covey_opened *opened = r->opened;

    r->n_own_rows = opened->n_rows;
    r->n_own_classes = opened->n_classes;
    if (n_rows < 0)
        return COVEY_OK;
    while (r->n_own_classes > 0 && opened->class_start[r->n_own_classes] > n_rows)
        r->n_own_classes--;
    if (n_rows > opened->n_rows || (opened->n_classes > 0 && opened->class_start[r->n_own_classes] != n_rows))
        return covey_fail(err, COVEY_EINVAL, "a piece of a release is its first classes: %" PRId64 " rows are not",
                          n_rows);
    r->n_own_rows = (uint32_t)n_rows;
    return COVEY_OK;
}

/* The last part of a path, or of the real one where it ends in "." or "..". */
static const char *name_of(const char *folder, covey_arena *arena)
{
    char real[PATH_MAX];
    size_t end = strlen(folder), begin;

    while (end > 0 && folder[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && folder[begin - 1] != '/';)
        begin--;
    if (end - begin <= 2 && strncmp(folder + begin, "..", end - begin) == 0 && realpath(folder, real))
        return covey_arena_strndup(arena, strrchr(real, '/') + 1, strlen(strrchr(real, '/') + 1));
    return covey_arena_strndup(arena, folder + begin, end - begin);
}

static covey_status understand(covey_query_release *r, const char *folder, int64_t n_rows, const covey_run *run,
                               covey_error *err)
{
    covey_problems problems = COVEY_PROBLEMS_INIT;
    bool has_empty = true;
    covey_status status;

    COVEY_TRY(covey_i_run_goes_on(run, "read the release", 0, 0, err));
    if (!(r->name = name_of(folder, &r->arena)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_stated_read(&r->stated, folder, err));
    covey_i_stated_take_read_types(r->stated);
    if (!(r->form = covey_i_query_form_find(r->stated->form)))
        return unknown_form(r->stated->form, err);
    status = open_files(r, folder, &problems, run, err);
    covey_i_problems_clear(&problems);
    if (status != COVEY_OK)
        return status;
    r->n_columns = r->opened->n_columns;
    if (!(r->column = covey_arena_array_zero(&r->arena, covey_query_column, r->n_columns)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < r->stated->n_missing; i++)
        has_empty &= *r->stated->missing[i] != '\0';
    for (size_t i = 0; i < r->n_columns; i++) {
        COVEY_TRY(covey_i_query_column_make(&r->column[i], &r->opened->column[i], has_empty, &r->arena, err));
        r->column[i].order_is_cut = r->column[i].has_order && !r->column[i].tree && r->stated->n_suppressed > 0;
        r->column[i].is_open |= r->column[i].order_is_cut;
        r->column[i].may_be_missing = r->column[i].opened->stated->has_missing || r->stated->n_suppressed > 0;
    }
    COVEY_TRY(find_own(r, n_rows, err));
    return r->form->load(r, run, err);
}

static covey_status open_rows(covey_query_release **out, const char *folder, int64_t n_rows, const covey_run *run,
                              covey_error *err)
{
    covey_query_release *r = covey_i_array_zero(1, sizeof *r);
    covey_status status;

    if (!r)
        return covey_i_no_memory(err);
    if ((status = understand(r, folder, n_rows, run, err)) != COVEY_OK) {
        covey_query_close(r);
        return status;
    }
    *out = r;
    return COVEY_OK;
}

covey_status covey_query_open(covey_query_release **out, const char *folder, const covey_run *run, covey_error *err)
{
    return open_rows(out, folder, -1, run, err);
}

covey_status covey_query_open_piece(covey_query_release **out, const char *folder, int64_t n_rows, const covey_run *run,
                                    covey_error *err)
{
    return open_rows(out, folder, n_rows, run, err);
}

void covey_query_close(covey_query_release *release)
{
    if (!release)
        return;
    for (size_t i = 0; release->column && i < release->n_columns; i++)
        covey_i_query_column_clear(&release->column[i]);
    covey_arena_free(&release->arena);
    covey_i_opened_free(release->opened);
    covey_i_stated_free(release->stated);
    covey_i_free(release);
}
