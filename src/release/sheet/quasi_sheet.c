/* Writing quasi.csv.  A content is taken apart into a few numbers, each of neighbouring columns whose values can be
 * combined in few ways: the text of every combination is made once, so that a line is two or three copies. */
#include "release/sheet/quasi_sheet.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/digits.h"
#include "base/sort/find.h"
#include "release/sheet/sheet.h"

enum { NUMBER_SIZE = 16, MOST_COMBINATIONS = 4096 };

/* Neighbouring columns: ready cells of all combinations. */
struct block {
    uint32_t n_values;
    covey_text bytes;
    size_t *start; /* [n_values + 1] */
};

struct rows {
    const covey_release *release;
    const uint32_t *content;
    covey_ready_cells *cells; /* [n_cells] */
    size_t n_cells;
    struct block *block; /* [n_blocks] from left to right; with contents */
    size_t n_blocks;
    size_t longest; /* bytes of a line at most */
};

/* "17"; returns its size. */
static size_t print_group(char text[NUMBER_SIZE + COVEY_SHEET_SLACK], uint32_t g)
{
    char room[COVEY_DIGITS + NUMBER_SIZE], *end = room + COVEY_DIGITS, *at = covey_i_digits(end, (uint64_t)g + 1);

    memcpy(text, at, NUMBER_SIZE);
    return (size_t)(end - at);
}

/* --- lines --- */

/* A line like the one that begins at from. */
static inline char *repeat_line(char *to, const char *from, size_t n)
{
    if (n >= COVEY_SHEET_SLACK) /* else what is copied in steps would overlap */
        return covey_i_sheet_copy(to, from, n);
    memcpy(to, from, n);
    return to + n;
}

/* code: [n_blocks] scratch */
static inline char *add_cells(char *to, const struct rows *r, uint32_t content, uint32_t *code)
{
    for (size_t b = r->n_blocks; b-- > 1;) {
        code[b] = content % r->block[b].n_values;
        content /= r->block[b].n_values;
    }
    code[0] = content;
    for (size_t b = 0; b < r->n_blocks; b++)
        to = covey_i_sheet_copy(to, r->block[b].bytes.bytes + r->block[b].start[code[b]],
                                r->block[b].start[code[b] + 1] - r->block[b].start[code[b]]);
    return to;
}

/* Lines of one group. */
static char *add_contents(char *to, const struct rows *r, uint32_t first, uint32_t end, const char *number,
                          size_t n_number, uint32_t *code)
{
    const char *line = NULL;
    size_t n_line = 0;

    for (uint32_t i = first; i < end; i++) {
        if (i > first && r->content[i] == r->content[i - 1]) {
            to = repeat_line(to, line, n_line);
            continue;
        }
        line = to;
        to = covey_i_sheet_copy(to, number, n_number);
        if (r->n_blocks > 0)
            to = add_cells(to, r, r->content[i], code);
        *to++ = '\n';
        n_line = (size_t)(to - line);
    }
    return to;
}

/* The lines begin .. end-1 of the table: groups may be as large as that. */
static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct rows *r = context;
    const covey_release *release = r->release;
    uint32_t *code = covey_i_array(r->n_blocks, sizeof *code), line = begin;
    char *to;

    if (!code || !covey_i_text_reserve(out, (size_t)(end - begin) * r->longest + COVEY_SHEET_SLACK)) {
        covey_i_free(code);
        return covey_i_no_memory(err);
    }
    to = out->bytes + out->size;
    for (uint32_t g = covey_i_find_span(release->class_start, release->n_classes, begin); line < end; g++) {
        const uint32_t stop = release->class_start[g + 1] < end ? release->class_start[g + 1] : end;
        char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "";
        const size_t n_number = print_group(number, release->first_class + g);

        to = r->content ? add_contents(to, r, line, stop, number, n_number, code)
                        : covey_i_sheet_copy_rows(to, r->cells, r->n_cells, release->row_order + line, stop - line,
                                                  number, n_number);
        line = stop;
    }
    out->size = (size_t)(to - out->bytes);
    covey_i_free(code);
    return COVEY_OK;
}

/* --- ready cells --- */

static covey_status make_cells(struct rows *r, covey_text *header, const covey_problem *problem, covey_error *err)
{
    static const covey_role order[] = {COVEY_ROLE_QUASI, COVEY_ROLE_INSENSITIVE};

    if (!(r->cells = covey_i_array_zero(problem->n_fields, sizeof *r->cells)))
        return covey_i_no_memory(err);
    covey_i_sheet_add_name(header, "group");
    r->longest = NUMBER_SIZE;
    for (size_t o = 0; o < 2; o++)
        for (size_t f = 0; f < problem->n_fields; f++) {
            if (problem->field[f].role != order[o])
                continue;
            covey_i_sheet_add_name(header, problem->field[f].column->name);
            r->n_cells++;
            COVEY_TRY(covey_i_ready_cells_make(&r->cells[r->n_cells - 1], problem->field[f].column, ',', "", err));
            r->longest += r->cells[r->n_cells - 1].longest;
        }
    covey_i_text_add_char(header, '\n');
    return header->broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* All combinations of the columns first .. end-1, in the order of the numbers that they are. */
static covey_status combine(struct block *block, const covey_ready_cells *cells, size_t first, size_t end,
                            covey_error *err)
{
    if (!(block->start = covey_i_array((size_t)block->n_values + 1, sizeof *block->start)))
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < block->n_values; v++) {
        uint32_t below = block->n_values, left = v;

        block->start[v] = block->bytes.size;
        for (size_t c = first; c < end; c++) {
            uint32_t code;

            below /= cells[c].column->n_values;
            code = left / below;
            left -= code * below;
            covey_i_text_add(&block->bytes, cells[c].bytes.bytes + cells[c].start[code],
                             cells[c].start[code + 1] - cells[c].start[code]);
        }
    }
    block->start[block->n_values] = block->bytes.size;
    covey_i_text_reserve(&block->bytes, COVEY_SHEET_SLACK);
    return block->bytes.broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status make_blocks(struct rows *r, covey_error *err)
{
    if (!(r->block = covey_i_array_zero(r->n_cells, sizeof *r->block)))
        return covey_i_no_memory(err);
    for (size_t first = 0, end; first < r->n_cells; first = end) {
        struct block *block = &r->block[r->n_blocks++];

        block->n_values = r->cells[first].column->n_values;
        for (end = first + 1;
             end < r->n_cells && (uint64_t)block->n_values * r->cells[end].column->n_values <= MOST_COMBINATIONS; end++)
            block->n_values *= r->cells[end].column->n_values;
        COVEY_TRY(combine(block, r->cells, first, end, err));
    }
    return COVEY_OK;
}

static void clear(struct rows *r)
{
    for (size_t c = 0; c < r->n_cells; c++)
        covey_i_ready_cells_free(&r->cells[c]);
    for (size_t b = 0; b < r->n_blocks; b++) {
        covey_i_text_free(&r->block[b].bytes);
        covey_i_free(r->block[b].start);
    }
    covey_i_free(r->cells);
    covey_i_free(r->block);
}

covey_status covey_i_quasi_write(const covey_release *release, const covey_problem *problem, const uint32_t *content,
                                 const char *folder, covey_files *files, const covey_run *run, covey_error *err)
{
    struct rows r = {.release = release, .content = content};
    covey_text header = COVEY_TEXT_INIT;
    covey_status status = make_cells(&r, &header, problem, err);
    const covey_sheet sheet = {.name = "quasi.csv",
                               .header = header.bytes,
                               .n_groups = release->n_published,
                               .lines = add_lines,
                               .context = &r};

    if (status == COVEY_OK && content)
        status = make_blocks(&r, err);
    if (status == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    clear(&r);
    covey_i_text_free(&header);
    return status;
}
