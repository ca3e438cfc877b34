/* Cutting written tables into files of a size.  A written table is cut from its end: each piece is copied into a file
 * of its own and taken off, so that the disk never holds more than one piece twice. */
#include "job/cut_tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/file/outfile.h"
#include "io/csv/runs.h"

static const char ENDING[] = ".csv", ROWS[] = "table.csv";

struct piece {
    size_t start, end; /* bytes of the table */
    int64_t n_rows, n_classes;
};

struct cutting {
    const char *folder;
    covey_file *file; /* the table */
    covey_infile text;
    size_t header_size;
    bool is_numbered;
    struct piece *piece; /* [most] */
    size_t n, most;
};

/* --- where --- */

/* Do lines begin with the number of their class?  If not, only rows of a table that has no classes may be cut. */
static bool find_header(struct cutting *c, const covey_form *form)
{
    const char *bytes = c->text.bytes, *end = bytes + c->text.size;
    const size_t size = strlen(form->unit);

    c->header_size = (size_t)(covey_i_csv_end_of_record(bytes, end) - bytes);
    c->is_numbered = size > 0 && c->header_size > size && memcmp(bytes, form->unit, size) == 0 && bytes[size] == ',';
    return c->is_numbered || (size == 0 && strcmp(c->file->name, ROWS) == 0);
}

/* A piece ends with the first class that makes it as large as its share of what is left. */
static void find_pieces(struct cutting *c)
{
    const char *const bytes = c->text.bytes, *const end = bytes + c->text.size, *at = bytes + c->header_size;
    struct piece *p = c->piece;
    uint64_t last = 0;

    *p = (struct piece){.start = c->header_size};
    while (at < end) {
        const uint64_t number = c->is_numbered ? covey_i_csv_number_at(at, end) : 0;
        const bool begins = !c->is_numbered || p->n_rows == 0 || number != last;
        const size_t here = (size_t)(at - bytes), n_left = c->most - (size_t)(p - c->piece);

        if (begins && p->n_rows > 0 && n_left > 1 && here - p->start >= (c->text.size - p->start) / n_left) {
            p->end = here;
            *++p = (struct piece){.start = here};
        }
        p->n_classes += c->is_numbered && begins;
        p->n_rows++;
        last = number;
        at = covey_i_csv_end_of_record(at, end);
    }
    p->end = c->text.size;
    c->n = (size_t)(p - c->piece) + 1;
}

/* --- files --- */

static covey_status make_path(char **out, const struct cutting *c, const char *name, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;

    covey_i_text_add_format(&path, "%s/%s", c->folder, name);
    *out = path.broken ? NULL : path.bytes;
    if (path.broken)
        covey_i_text_free(&path);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}

static void set_name(covey_file *file, const struct cutting *c, size_t i)
{
    char name[sizeof file->name];
    const int stem = (int)(strlen(c->file->name) - strlen(ENDING));

    snprintf(name, sizeof name, "%.*s-%05zu%s", stem, c->file->name, i + 1, ENDING);
    *file = (covey_file){.n_rows = c->piece[i].n_rows, .is_part = true, .n_classes = c->piece[i].n_classes};
    memcpy(file->name, name, sizeof name);
}

static covey_status copy_piece(const struct cutting *c, const struct piece *p, const char *path, covey_error *err)
{
    covey_outfile *out;

    COVEY_TRY(covey_i_outfile_open(&out, path, err));
    covey_i_outfile_write(out, c->text.bytes, c->header_size);
    covey_i_outfile_write(out, c->text.bytes + p->start, p->end - p->start);
    return covey_i_outfile_close(out, err);
}

static covey_status fail_system(const char *path, covey_error *err)
{
    return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be cut into files: %s", strerror(errno));
}

/* The last pieces leave the table one by one, and what is left is the first. */
static covey_status move_pieces(covey_file *part, const struct cutting *c, const char *whole, covey_error *err)
{
    for (size_t i = c->n; i-- > 0;) {
        covey_status status = COVEY_OK;
        char *path;

        set_name(&part[i], c, i);
        COVEY_TRY(make_path(&path, c, part[i].name, err));
        if (i == 0)
            status = rename(whole, path) == 0 ? COVEY_OK : fail_system(whole, err);
        else if ((status = copy_piece(c, &c->piece[i], path, err)) == COVEY_OK &&
                 truncate(whole, (off_t)c->piece[i].start) != 0)
            status = fail_system(whole, err);
        covey_i_free(path);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

/* --- the list --- */

static covey_status cut_table(covey_file *part, struct cutting *c, const covey_form *form, covey_error *err)
{
    char *path;
    covey_status status;

    c->n = 0;
    COVEY_TRY(make_path(&path, c, c->file->name, err));
    if ((status = covey_i_infile_open(&c->text, path, err)) == COVEY_OK && find_header(c, form)) {
        find_pieces(c);
        status = move_pieces(part, c, path, err);
    }
    covey_i_infile_close(&c->text);
    covey_i_free(path);
    return status;
}

/* part: room for the files of a table. */
static covey_status cut_listed(covey_files *out, covey_file *part, struct cutting *c, const covey_files *files,
                               const covey_form *form, covey_error *err)
{
    for (size_t i = 0; i < files->n; i++) {
        c->file = &files->file[i];
        COVEY_TRY(cut_table(part, c, form, err));
        for (size_t p = 0; p < (c->n ? c->n : 1); p++) {
            COVEY_TRY(covey_i_files_add(out, c->file->name, 0, err));
            out->file[out->n - 1] = c->n ? part[p] : *c->file;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_cut_tables(covey_files *files, const covey_form *form, const char *folder, int64_t n,
                                covey_error *err)
{
    struct cutting c = {.folder = folder, .most = (size_t)n, .piece = covey_i_array((size_t)n, sizeof *c.piece)};
    covey_file *part = covey_i_array((size_t)n, sizeof *part);
    covey_files cut = {0};
    covey_status status = c.piece && part ? cut_listed(&cut, part, &c, files, form, err) : covey_i_no_memory(err);

    covey_i_free(c.piece);
    covey_i_free(part);
    if (status != COVEY_OK) {
        covey_i_files_clear(&cut);
        return status;
    }
    covey_i_files_clear(files);
    *files = cut;
    return COVEY_OK;
}
