/* The first reading of a table that is verified in windows. */
#include "audit/survey.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/text_sort.h"
#include "reader/cells/cells.h"
#include "table/table_impl.h"

/* One piece of the table. */
struct piece {
    covey_survey *survey;
    const covey_opened *o;
    const covey_opened_table *table;
    const covey_column *class;
    const int64_t *weight; /* [rows] NULL: one each */
    bool continues;        /* its first row belongs to the class of the last one before */
};

/* --- values --- */

static covey_status add_values(uint32_t *code, covey_surveyed_column *s, const covey_column *text, covey_error *err)
{
    for (uint32_t i = 0; i < text->n_values; i++) {
        const char *label = covey_column_label(text, i); /* with readable bytes behind it */

        code[i] = covey_i_dictionary_code(&s->dictionary, label, (uint32_t)strlen(label));
        if (s->dictionary.broken)
            return covey_i_no_memory(err);
    }
    if (s->dictionary.n > s->capacity) {
        const size_t capacity = (size_t)s->dictionary.n * 2;
        int64_t *count = covey_i_realloc(s->count, capacity, sizeof *count);

        if (!count)
            return covey_i_no_memory(err);
        memset(count + s->capacity, 0, (capacity - s->capacity) * sizeof *count);
        s->count = count;
        s->capacity = capacity;
    }
    return COVEY_OK;
}

/* Neighbouring rows of one class show the same cell. */
static bool is_mixed(const struct piece *p, const covey_surveyed_column *s, const covey_column *text,
                     const uint32_t *code)
{
    if (p->continues && code[covey_i_code(text, 0)] != s->last)
        return true;
    for (int64_t row = 1; row < text->n_rows; row++)
        if (covey_i_code(text, row) != covey_i_code(text, row - 1) &&
            covey_i_code(p->class, row) == covey_i_code(p->class, row - 1))
            return true;
    return false;
}

covey_status covey_i_survey_add(const uint32_t **code_out, covey_surveyed_column *s, const covey_column *text,
                                int64_t n_rows, const int64_t *weight, covey_arena *arena, covey_error *err)
{
    uint32_t *code = covey_arena_array(arena, uint32_t, text->n_values);
    int64_t *count = covey_arena_array_zero(arena, int64_t, text->n_values);

    if (!code || !count)
        return covey_i_no_memory(err);
    COVEY_TRY(add_values(code, s, text, err));
    for (int64_t row = 0; row < n_rows; row++)
        count[covey_i_code(text, row)] += weight ? weight[row] : 1;
    for (uint32_t i = 0; i < text->n_values; i++)
        s->count[code[i]] += count[i];
    *code_out = code;
    return COVEY_OK;
}

static covey_status gather(const struct piece *p, covey_surveyed_column *s, const covey_column *text,
                           bool one_per_class, covey_arena *arena, covey_error *err)
{
    const uint32_t *code;

    COVEY_TRY(covey_i_survey_add(&code, s, text, text->n_rows, p->weight, arena, err));
    s->is_mixed |= one_per_class && is_mixed(p, s, text, code);
    s->last = code[covey_i_code(text, text->n_rows - 1)];
    return COVEY_OK;
}

/* Cells are read as they will be, for their digits alone. */
static covey_status find_scale(covey_surveyed_column *s, const covey_opened_column *column, covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    covey_opened_column probe = {.stated = stated, .text = column->text, .least_scale = s->scale};
    covey_problems ignored = COVEY_PROBLEMS_INIT;
    covey_status status = COVEY_OK;

    if (stated->publish == COVEY_PUBLISH_RANGE) {
        if (!(probe.cell = covey_arena_array_zero(&probe.arena, covey_cell, column->text->n_values)))
            status = covey_i_no_memory(err);
        else
            status = covey_i_cells_read_ranges(&probe, &ignored, err);
    } else if (stated->publish == COVEY_PUBLISH_VALUE && stated->type != COVEY_TYPE_TEXT) {
        status = covey_i_cells_read_values(&probe, err);
    }
    s->scale = probe.scale;
    covey_i_problems_clear(&ignored);
    covey_arena_free(&probe.arena);
    return status;
}

static covey_status survey_column(void *context, size_t task, covey_error *err)
{
    const struct piece *p = context;
    const covey_opened_column *column = &p->o->column[task];
    covey_surveyed_column *s = &p->survey->column[task];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if (column->table != p->table)
        return COVEY_OK;
    if (!s->is_whole)
        return find_scale(s, column, err);
    status = gather(p, s, column->text, p->survey->all && column->stated->publish != COVEY_PUBLISH_VALUE, &arena, err);
    covey_arena_free(&arena);
    return status;
}

/* --- all values of a column, in byte order --- */

covey_status covey_i_survey_finish_column(covey_surveyed_column *s, const char *name, covey_error *err)
{
    const uint32_t n = s->dictionary.n;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_label *text = covey_arena_array(&arena, covey_label, n), *label = covey_arena_array(&arena, covey_label, n);
    uint32_t *order = covey_arena_array(&arena, uint32_t, n), *scratch = covey_arena_array(&arena, uint32_t, n);
    uint64_t *key = covey_arena_array(&arena, uint64_t, n);
    int64_t *count = covey_i_array(n, sizeof *count);
    covey_status status;

    s->place = covey_i_array(n, sizeof *s->place);
    if (!text || !label || !order || !scratch || !key || !count || !s->place) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (uint32_t i = 0; i < n; i++) {
        text[i] = (covey_label){covey_i_dictionary_text(&s->dictionary, i), covey_i_dictionary_size(&s->dictionary, i)};
        order[i] = i;
    }
    covey_i_sort_texts(order, scratch, key, n, text);
    for (uint32_t i = 0; i < n; i++) {
        label[i] = text[order[i]];
        count[i] = s->count[order[i]];
        s->place[order[i]] = i;
    }
    covey_i_free(s->count);
    s->count = count;
    count = NULL;
    status = covey_i_column_new(&s->text, name, COVEY_TYPE_TEXT, 0, n, false, 0, label, NULL, NULL, err);
done:
    covey_i_free(count);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_survey_recode(void *codes, const covey_surveyed_column *surveyed, const covey_column *column,
                                   covey_error *err)
{
    covey_dictionary *dictionary =
        (covey_dictionary *)&surveyed->dictionary; /* nothing is added but to a table that was changed */
    uint32_t *map = covey_i_array(column->n_values, sizeof *map);

    if (!map)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->n_values; i++) {
        const char *label = covey_column_label(column, i);
        const uint32_t code = covey_i_dictionary_code(dictionary, label, (uint32_t)strlen(label));

        if (code >= surveyed->text->n_values || dictionary->broken) {
            covey_i_free(map);
            return covey_fail(err, COVEY_EIO, "the release was changed while it was read; start again");
        }
        map[i] = surveyed->place[code];
    }
    covey_i_codes_map(codes, surveyed->text->width, column->codes, column->width, (size_t)column->n_rows, map);
    covey_i_free(map);
    return COVEY_OK;
}

/* --- pieces --- */

covey_status covey_i_survey_start(covey_survey *out, const covey_opened *o, bool all, covey_error *err)
{
    if (!(out->column = covey_i_array_zero(o->n_columns, sizeof *out->column)))
        return covey_i_no_memory(err);
    out->n_columns = o->n_columns;
    out->all = all;
    for (size_t i = 0; i < o->n_columns; i++) {
        out->column[i].is_whole = all || o->column[i].stated->role == COVEY_ROLE_SENSITIVE;
        if (out->column[i].is_whole && !covey_i_dictionary_init(&out->column[i].dictionary))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

/* class: of the last row before, and of the last one of the piece. */
static covey_status survey_piece(covey_survey *survey, const covey_audit *audit, const covey_streamed_table *t,
                                 covey_text *class, covey_error *err)
{
    const covey_table *rows = t->table->table;
    struct piece p = {survey, audit->opened, t->table, covey_table_column(rows, 0), NULL, false};
    const int64_t n_rows = covey_table_n_rows(rows);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;
    const char *last;

    if (n_rows == 0)
        return COVEY_OK;
    covey_i_opened_bind(t->table);
    if (t->weights)
        status = t->weights(&p.weight, t->table, &arena, err);
    p.continues = class->size > 0 && strcmp(class->bytes, covey_column_label(p.class, covey_i_code(p.class, 0))) == 0;
    if (status == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(audit->run), p.o->n_columns, survey_column, &p, err);
    covey_arena_free(&arena);
    COVEY_TRY(status);
    last = covey_column_label(p.class, covey_i_code(p.class, n_rows - 1));
    class->size = 0;
    covey_i_text_add_string(class, last);
    return class->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status survey_pieces(covey_survey *survey, covey_audit *audit, const covey_streamed_table *t,
                                  covey_problems *of_numbers, covey_text *class, covey_error *err)
{
    covey_opened_table *table = t->table;
    covey_status status = COVEY_OK;

    for (bool first = true; status == COVEY_OK; first = false) {
        COVEY_TRY(covey_i_csv_stream_next(&table->table, t->stream, err));
        if (!table->table)
            break;
        if (first)
            survey->has_header = covey_i_opened_has_header(table, &audit->problems);
        if (survey->has_header) /* else the rest is read to see that it is a table */
            status = covey_i_opened_number_classes(&survey->numbers, NULL, table, &audit->problems, of_numbers, err);
        if (survey->has_header && status == COVEY_OK)
            status = survey_piece(survey, audit, t, class, err);
        covey_table_free(table->table);
        table->table = NULL;
    }
    return status;
}

covey_status covey_i_survey_read(covey_survey *survey, covey_audit *audit, const covey_streamed_table *t,
                                 covey_error *err)
{
    covey_opened *o = audit->opened;
    covey_opened_table *table = t->table;
    covey_problems of_numbers = COVEY_PROBLEMS_INIT;
    covey_text class = COVEY_TEXT_INIT;
    covey_status status;

    survey->has_header = false;
    survey->numbers = (covey_class_numbers){0};
    status = survey_pieces(survey, audit, t, &of_numbers, &class, err);
    if (!survey->numbers.wrong_text)
        covey_i_problems_move(&audit->problems, &of_numbers);
    covey_i_problems_clear(&of_numbers);
    covey_i_text_free(&class);
    table->n_rows = survey->numbers.n_lines;
    table->usable = survey->has_header && !survey->numbers.wrong_text && !survey->numbers.wrong_number;
    table->n_classes = table->usable ? survey->numbers.last : 0;
    for (size_t i = 0; i < o->n_columns && status == COVEY_OK; i++) {
        if (o->column[i].table != table)
            continue;
        o->column[i].text = NULL; /* of a piece that is gone */
        if (survey->column[i].is_whole)
            status = covey_i_survey_finish_column(&survey->column[i], o->column[i].stated->name, err);
    }
    covey_i_csv_stream_rewind(t->stream);
    return status;
}

void covey_i_survey_clear(covey_survey *survey)
{
    for (size_t i = 0; i < survey->n_columns; i++) {
        covey_surveyed_column *s = &survey->column[i];

        covey_i_dictionary_free(&s->dictionary);
        covey_i_free(s->count);
        covey_i_free(s->place);
        covey_i_column_free(s->text);
    }
    covey_i_free(survey->column);
    *survey = (covey_survey){0};
}
