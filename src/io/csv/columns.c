/* Joining chunks to columns.  One task per column: join the workers' dictionaries, sort the texts, give every row its
 * final code.
 */
#include "io/csv/columns.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/csv/explain.h"
#include "io/found_numbers.h"
#include "io/text_sort.h"

/* What is wrong with a column's texts, at its first row; such complaints wait until all columns can be compared. */
struct complaint {
    int64_t row; /* -1: none */
    char shown[COVEY_CSV_SHOWN];
    enum { NOT_UTF8, NUL_BYTE, NULL_TEXT } kind;
};

struct columns {
    covey_csv_parts *parts;
    size_t *kept; /* [n_kept] numbers of columns of the file */
    size_t n_kept;
    covey_column **column;       /* [n_kept] */
    struct complaint *complaint; /* [n_kept] */
};

/* One column on its way. */
struct merge {
    covey_csv_parts *parts;
    size_t c;                /* column of the file */
    covey_dictionary *joint; /* the first worker's, which takes in the others' */
    uint32_t **code;         /* [n_workers][n_codes[w]] final code of a worker's code */
    uint32_t *n_codes;       /* [n_workers] */
    covey_label *text;       /* [joint->n] */
    covey_label *label;      /* [n_values] in final order */
    uint32_t n_values;
    bool has_null;
    covey_arena arena;
};

static covey_status fail_memory(const struct merge *m, covey_error *err)
{
    return covey_i_no_memory(err);
}

/* Adds all workers' values to the first one's dictionary; code[w] maps to codes of the joint one. */
static bool join_dictionaries(struct merge *m)
{
    covey_csv_parts *parts = m->parts;

    m->joint = &parts->scanner[0].dictionary[m->c];
    m->code = covey_arena_array_zero(&m->arena, uint32_t *, parts->n_workers);
    m->n_codes = covey_arena_array_zero(&m->arena, uint32_t, parts->n_workers);
    if (!m->code || !m->n_codes)
        return false;
    for (size_t w = 1; w < parts->n_workers; w++) {
        covey_dictionary *other = &parts->scanner[w].dictionary[m->c];
        uint32_t *code = covey_arena_array(&m->arena, uint32_t, other->n);

        if (!(m->code[w] = code))
            return false;
        m->n_codes[w] = other->n;
        covey_i_dictionary_free_slots(other);
        for (uint32_t v = 0; v < other->n; v++)
            code[v] = covey_i_dictionary_code(m->joint, covey_i_dictionary_text(other, v),
                                              (uint32_t)covey_i_dictionary_size(other, v));
        if (m->joint->broken)
            return false;
        covey_i_dictionary_free(other);
    }
    covey_i_dictionary_free_slots(m->joint);
    return true;
}

static bool means_null(const covey_csv_parts *parts, const covey_label *text)
{
    if (parts->has_sql_null && text->size == sizeof COVEY_CSV_SQL_NULL - 1 && text->text[0] == COVEY_CSV_SQL_NULL[0])
        return true;
    for (size_t i = 0; i < parts->n_null; i++)
        if (strlen(parts->null[i]) == text->size && memcmp(parts->null[i], text->text, text->size) == 0)
            return true;
    return false;
}

/* Orders the joint dictionary; rank[code] is the final code. */
static bool sort_dictionary(struct merge *m, uint32_t *rank)
{
    static const covey_label null_label = {"null", 4};
    const uint32_t n = m->joint->n;
    covey_arena_mark mark;
    uint32_t *order, *scratch, n_texts = 0;
    uint64_t *key;

    m->text = covey_arena_array(&m->arena, covey_label, n);
    m->label = covey_arena_array(&m->arena, covey_label, (size_t)n + 1);
    mark = covey_arena_save(&m->arena);
    order = covey_arena_array(&m->arena, uint32_t, n);
    scratch = covey_arena_array(&m->arena, uint32_t, n);
    key = covey_arena_array(&m->arena, uint64_t, n);
    if (!m->text || !m->label || !order || !scratch || !key)
        return false;
    for (uint32_t v = 0; v < n; v++) {
        m->text[v] = (covey_label){covey_i_dictionary_text(m->joint, v), covey_i_dictionary_size(m->joint, v)};
        rank[v] = 0;
        if (means_null(m->parts, &m->text[v]))
            m->has_null = true;
        else
            order[n_texts++] = v;
    }
    covey_i_sort_texts(order, scratch, key, n_texts, m->text);
    m->n_values = m->has_null;
    if (m->has_null)
        m->label[0] = null_label;
    for (uint32_t i = 0; i < n_texts; i++) {
        rank[order[i]] = m->n_values;
        m->label[m->n_values++] = m->text[order[i]];
    }
    covey_arena_rewind(&m->arena, mark);
    return true;
}

/* From the workers' codes to the final ones. */
static bool rank_codes(struct merge *m)
{
    uint32_t *rank = covey_arena_array(&m->arena, uint32_t, m->joint->n);

    if (!rank || !sort_dictionary(m, rank))
        return false;
    for (size_t w = 1; w < m->parts->n_workers; w++)
        for (uint32_t v = 0; v < m->n_codes[w]; v++)
            m->code[w][v] = rank[m->code[w][v]];
    m->code[0] = rank;
    return true;
}

/* As covey_i_codes_map; of columns whose neighbours are mostly alike sixteen rows at a time. */
static void map_codes(void *to, int to_width, const void *from, int from_width, int64_t n, const uint32_t *map)
{
    typedef uint8_t lanes __attribute__((vector_size(16)));
    int64_t i = 0;

    if (to_width != 1 || from_width != 1) {
        covey_i_codes_map(to, to_width, from, from_width, (size_t)n, map);
        return;
    }
    for (; i + 16 <= n; i += 16) {
        const uint8_t *in = (const uint8_t *)from + i;
        uint8_t *out = (uint8_t *)to + i;
        uint64_t different[2];
        lanes codes;

        memcpy(&codes, in, 16);
        codes ^= codes[0];
        memcpy(different, &codes, 16);
        if ((different[0] | different[1]) == 0)
            memset(out, (int)map[in[0]], 16);
        else
            for (int k = 0; k < 16; k++)
                out[k] = (uint8_t)map[in[k]];
    }
    for (; i < n; i++)
        ((uint8_t *)to)[i] = (uint8_t)map[((const uint8_t *)from)[i]];
}

/* The rows' final codes; gives back the chunks' own where they are arrays. */
static void *collect_codes(struct merge *m)
{
    covey_csv_parts *parts = m->parts;
    const int width = covey_i_table_code_width(m->n_values);
    char *codes = covey_i_array_full((size_t)parts->n_rows, (size_t)width), *to = codes;

    if (!codes)
        return NULL;
    for (size_t i = 0; i < parts->n_chunks; i++) {
        covey_csv_chunk *chunk = &parts->chunk[i];

        if (chunk->n_rows == 0)
            continue;
        map_codes(to, width, chunk->codes[m->c], chunk->width[m->c], chunk->n_rows, m->code[chunk->worker]);
        covey_i_csv_chunk_free_codes(chunk, m->c);
        to += (size_t)chunk->n_rows * (size_t)width;
    }
    return codes;
}

/* Nothing but ASCII without NUL in the whole dictionary: the usual case, and quick to see. */
static bool is_plain(const covey_dictionary *d)
{
    const size_t size = d->n ? (size_t)d->start[d->n] : 0;
    unsigned char high = 0;

    for (size_t i = 0; i < size; i++)
        high |= (unsigned char)d->text[i];
    return high < 0x80 && !memchr(d->text, '\0', size);
}

/* Why a text may not stand in a table: -1 if it may.  plain: it is ASCII without NUL. */
static int fault_of(const struct merge *m, uint32_t v, bool plain)
{
    const covey_label *label = &m->label[v];
    size_t bad;

    if (!plain && memchr(label->text, '\0', label->size))
        return NUL_BYTE;
    if (!plain && !covey_i_text_is_utf8(label->text, label->size, &bad))
        return NOT_UTF8;
    return m->has_null && !m->parts->any_null && label->size == 4 && memcmp(label->text, "null", 4) == 0 ? NULL_TEXT
                                                                                                         : -1;
}

/* Looks through the distinct texts, and only if one is wrong for its first row. */
static bool check_texts(struct complaint *complaint, struct merge *m, const void *codes)
{
    bool *wrong = covey_arena_array_zero(&m->arena, bool, m->n_values), any = false;
    const covey_column view = {.width = covey_i_table_code_width(m->n_values), .codes = codes};
    const bool plain = is_plain(m->joint);

    complaint->row = -1;
    if (!wrong)
        return false;
    for (uint32_t v = m->has_null; v < m->n_values; v++)
        if (fault_of(m, v, plain) >= 0)
            any = wrong[v] = true;
    for (int64_t row = 0; any && row < m->parts->n_rows; row++) {
        const uint32_t v = covey_i_code(&view, row);

        if (!wrong[v])
            continue;
        complaint->row = row;
        complaint->kind = fault_of(m, v, plain);
        covey_i_csv_shown(complaint->shown, m->label[v].text, m->label[v].size);
        break;
    }
    return true;
}

/* --- columns of keys --- */

enum { NUMBERS_PER_ROW = 16 /* that a table of all numbers may have */ };

/* Memory behind a text that is not the reader's need not be readable. */
static bool is_number(covey_key_numbers keys, const char *text)
{
    char copy[32] = "";
    const size_t size = strlen(text);

    if (size > sizeof copy / 2)
        return false;
    memcpy(copy, text, size);
    covey_i_key_number(&keys, copy, (uint32_t)size);
    return !keys.wrong;
}

bool covey_i_csv_keys_are_numbers(covey_csv_parts *parts)
{
    bool is_well = true;

    for (size_t i = 0; i < parts->n_chunks; i++)
        is_well &= !parts->chunk[i].has_other_keys;
    for (size_t c = 0; is_well && c < parts->n_columns; c++) {
        covey_key_numbers *keys = &parts->scanner[0].key[c];

        for (size_t w = 0; w < parts->n_workers; w++)
            covey_i_key_numbers_join(keys, &parts->scanner[w].key[c]);
        is_well = !parts->is_key[c] || !keys->wrong;
        for (size_t i = 0; is_well && parts->is_key[c] && i < parts->n_null; i++)
            is_well = !is_number(*keys, parts->null[i]);
    }
    return is_well;
}

/* The numbers that occur, in their order. */
static void rank_numbers(struct merge *m, uint32_t *rank, uint32_t n)
{
    const covey_csv_parts *parts = m->parts;

    for (size_t i = 0; i < parts->n_chunks; i++)
        for (int64_t row = 0; row < parts->chunk[i].n_rows; row++)
            rank[((const uint32_t *)parts->chunk[i].codes[m->c])[row]] = 1;
    for (uint32_t v = 0; v < n; v++)
        if (rank[v])
            rank[v] = m->n_values++;
    for (size_t w = 0; w < parts->n_workers; w++)
        m->code[w] = rank;
}

/* The same of numbers that lie far apart: the chunks' codes become those of the numbers that were found. */
static bool rank_found(struct merge *m, covey_found_numbers *found)
{
    covey_csv_parts *parts = m->parts;

    for (size_t i = 0; i < parts->n_chunks; i++)
        if (!covey_i_found_numbers_take(found, parts->chunk[i].codes[m->c], (size_t)parts->chunk[i].n_rows))
            return false;
    if (!covey_i_found_numbers_rank(found))
        return false;
    m->n_values = found->n;
    for (size_t w = 0; w < parts->n_workers; w++)
        m->code[w] = found->rank;
    return true;
}

static covey_status make_key_column(covey_column **out, struct merge *m, covey_error *err)
{
    const uint32_t most = m->parts->scanner[0].key[m->c].most;
    covey_found_numbers found = {0};
    uint32_t *rank = NULL;
    void *codes = NULL;

    if (!(m->code = covey_arena_array(&m->arena, uint32_t *, m->parts->n_workers)))
        return fail_memory(m, err);
    if (most / NUMBERS_PER_ROW > m->parts->n_rows) {
        codes = rank_found(m, &found) ? collect_codes(m) : NULL;
    } else if ((rank = covey_i_array_zero((size_t)most + 1, sizeof *rank))) {
        rank_numbers(m, rank, most + 1);
        codes = collect_codes(m);
    }
    covey_i_found_numbers_free(&found);
    covey_i_free(rank);
    return codes ? covey_i_column_new(out, m->parts->name[m->c], COVEY_TYPE_TEXT, m->parts->n_rows, m->n_values, false,
                                      0, NULL, NULL, codes, err)
                 : fail_memory(m, err);
}

/* --- all columns --- */

static covey_status make_column(void *context, size_t task, covey_error *err)
{
    struct columns *columns = context;
    struct merge m = {.parts = columns->parts, .c = columns->kept[task], .arena = COVEY_ARENA_INIT};
    void *codes = NULL;
    covey_status status;

    if (m.parts->is_key && m.parts->is_key[m.c]) {
        columns->complaint[task].row = -1;
        status = make_key_column(&columns->column[task], &m, err);
    } else if (!join_dictionaries(&m) || !rank_codes(&m) || !(codes = collect_codes(&m)) ||
               !check_texts(&columns->complaint[task], &m, codes)) {
        covey_i_free(codes);
        status = fail_memory(&m, err);
    } else {
        status = covey_i_column_new(&columns->column[task], m.parts->name[m.c], COVEY_TYPE_TEXT, m.parts->n_rows,
                                    m.n_values, m.has_null, 0, m.label, NULL, codes, err);
        covey_i_dictionary_free(m.joint);
    }
    covey_arena_free(&m.arena);
    return status;
}

/* The complaint about the earliest row, and in it about the first column. */
static covey_status complain(const struct columns *columns, covey_error *err)
{
    const covey_csv_parts *parts = columns->parts;
    const struct complaint *first = NULL;
    size_t at = 0;
    const char *name;
    int64_t line;

    for (size_t i = 0; i < columns->n_kept; i++)
        if (columns->complaint[i].row >= 0 && (!first || columns->complaint[i].row < first->row)) {
            first = &columns->complaint[i];
            at = i;
        }
    if (!first)
        return COVEY_OK;
    name = parts->name[columns->kept[at]];
    line = covey_i_lines_at(parts->lines, first->row);
    if (first->kind == NULL_TEXT)
        return covey_fail_at(
            err, COVEY_EPARSE, parts->path, line, name, 0,
            "column \"%s\": has both missing cells and the text \"null\", which would look the same in a release; "
            "add \"null\" to input.null",
            name);
    return covey_i_csv_fail_bytes(parts->path, line, name, first->shown, first->kind == NUL_BYTE, err);
}

/* Moves the finished columns into a table. */
static covey_status make_table(covey_table **out, struct columns *columns, covey_error *err)
{
    covey_table *table = NULL;

    COVEY_TRY(covey_i_table_new(&table, columns->parts->n_rows, columns->n_kept, err));
    for (size_t i = 0; i < columns->n_kept; i++) {
        table->columns[i] = columns->column[i];
        columns->column[i] = NULL;
        if (columns->parts->lines) {
            table->columns[i]->lines = columns->parts->lines;
            columns->parts->lines->references++;
        }
    }
    *out = table;
    return COVEY_OK;
}

covey_status covey_i_csv_columns(covey_table **out, covey_csv_parts *parts, const covey_run *run, covey_error *err)
{
    struct columns columns = {
        .parts = parts,
        .kept = covey_i_array(parts->n_columns, sizeof *columns.kept),
        .column = covey_i_array_zero(parts->n_columns, sizeof *columns.column),
        .complaint = covey_i_array(parts->n_columns, sizeof *columns.complaint),
    };
    covey_status status;

    if (!columns.kept || !columns.column || !columns.complaint) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (size_t c = 0; c < parts->n_columns; c++)
        if (parts->kept[c])
            columns.kept[columns.n_kept++] = c;
    status = covey_i_parallel(covey_run_threads(run), columns.n_kept, make_column, &columns, err);
    if (status == COVEY_OK)
        status = complain(&columns, err);
    if (status == COVEY_OK)
        status = make_table(out, &columns, err);
done:
    for (size_t i = 0; i < columns.n_kept; i++)
        covey_i_column_free(columns.column[i]);
    covey_i_free(columns.kept);
    covey_i_free(columns.column);
    covey_i_free(columns.complaint);
    return status;
}
