/* Cells of categories without a hierarchy: a value, {a, b}, or * for more than 64 values. */
#include "reader/cells/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/names.h"

bool covey_i_cell_is_set(const char *text)
{
    size_t n = strlen(text);

    return n >= 2 && text[0] == '{' && text[n - 1] == '}';
}

/* Copies one element at *cursor to *to, with a NUL behind it; both move on.  NULL: it is not well-formed. */
static const char *next_element(const char **cursor, const char *end, char **to)
{
    const char *c = *cursor, *element = *to;
    char *at = *to;

    if (c < end && *c == '"') {
        for (c++; c < end && !(*c == '"' && (c + 1 == end || c[1] != '"')); c++) {
            c += *c == '"'; /* a doubled quote */
            *at++ = *c;
        }
        if (c == end)
            return NULL;
        c++;
    } else {
        for (; c < end && *c != ','; c++) {
            if (strchr("\"{}", *c))
                return NULL;
            *at++ = *c;
        }
        if (at > element && (element[0] == ' ' || at[-1] == ' '))
            return NULL;
    }
    *at++ = '\0';
    *to = at;
    *cursor = c;
    return element;
}

covey_status covey_i_cell_split_set(const char ***out, uint32_t *n_out, bool *ok, const char *text, covey_arena *arena,
                                    covey_error *err)
{
    const char *cursor = text + 1, *end = text + strlen(text) - 1, **element;
    size_t most = 1;
    char *to;
    uint32_t n = 0;

    for (const char *c = cursor; c < end; c++)
        most += *c == ',';
    /* What is copied is no longer than the cell, but for the NULs. */
    if (!(element = covey_arena_array(arena, const char *, most)) ||
        !(to = covey_arena_array(arena, char, strlen(text) + most)))
        return covey_i_no_memory(err);
    *ok = false;
    for (;;) {
        if (!(element[n] = next_element(&cursor, end, &to)))
            return COVEY_OK;
        n++;
        if (cursor == end)
            break;
        if (end - cursor < 2 || cursor[0] != ',' || cursor[1] != ' ')
            return COVEY_OK;
        cursor += 2;
    }
    *out = element;
    *n_out = n;
    *ok = true;
    return COVEY_OK;
}

/* --- elements in the attribute's order --- */

struct element {
    const char *text;
    uint32_t place; /* 0: missing; 1 + place in the declared order; the same for all if there is none */
    uint32_t name;  /* as it was found */
};

static int compare_elements(const void *a, const void *b)
{
    const struct element *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Sorts the names; code_of[name] receives each one's place. */
static covey_status sort_elements(uint32_t **code_of_out, covey_opened_column *column, const covey_names *names,
                                  covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    struct element *element = covey_arena_array(&column->arena, struct element, names->n);
    uint32_t *code_of = covey_arena_array(&column->arena, uint32_t, names->n);
    const char **text = covey_arena_array(&column->arena, const char *, names->n);
    covey_names order;

    if (!element || !code_of || !text)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_names_init(&order, (uint32_t)stated->n_order, &column->arena, err));
    for (size_t i = 0; i < stated->n_order; i++) {
        uint32_t place;

        COVEY_TRY(covey_i_names_add(&place, &order, stated->order[i], err));
    }
    for (uint32_t i = 0; i < names->n; i++) {
        uint32_t place = covey_i_names_find(&order, names->text[i]);

        element[i] = (struct element){names->text[i], place == UINT32_MAX ? UINT32_MAX : place + 1, i};
        if (stated->has_missing && strcmp(names->text[i], "null") == 0)
            element[i].place = 0;
    }
    qsort(element, names->n, sizeof *element, compare_elements);
    for (uint32_t i = 0; i < names->n; i++) {
        code_of[element[i].name] = i;
        text[i] = element[i].text;
    }
    column->n_elements = names->n;
    column->element = text;
    *code_of_out = code_of;
    return COVEY_OK;
}

/* --- cells --- */

/* Elements of one cell as names; *cell says what is wrong with it. */
static covey_status read_names(covey_cell *cell, uint32_t **name_out, covey_names *names, const char *text,
                               covey_arena *arena, covey_error *err)
{
    const char *whole[1] = {text}, **element = whole;
    uint32_t n = 1, *name;
    bool is_set = covey_i_cell_is_set(text), ok = true;

    if (strcmp(text, "*") == 0) {
        cell->kind = COVEY_CELL_ANY;
        return COVEY_OK;
    }
    if (is_set)
        COVEY_TRY(covey_i_cell_split_set(&element, &n, &ok, text, arena, err));
    if (!ok)
        cell->fault = "the cell begins and ends like a set, but is none";
    else if (is_set && n == 1 && strcmp(element[0], "*") != 0 && !covey_i_cell_is_set(element[0]))
        cell->fault = "a set of one value is written without braces";
    else if (n > COVEY_MOST_SET_ELEMENTS)
        cell->fault = "the set has more than 64 values and should be *";
    if (cell->fault)
        return COVEY_OK;
    if (!(name = covey_arena_array(arena, uint32_t, n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        COVEY_TRY(covey_i_names_add(&name[i], names, element[i], err));
    cell->kind = COVEY_CELL_VALUES;
    cell->n_elements = n;
    *name_out = name;
    return COVEY_OK;
}

/* Names become codes, which must ascend: then they are different, too. */
static void finish_one(covey_cell *cell, uint32_t *name, const uint32_t *code_of)
{
    for (uint32_t i = 0; i < cell->n_elements; i++) {
        name[i] = code_of[name[i]];
        if (i > 0 && name[i] <= name[i - 1]) {
            cell->fault = "the values of the set are not in the attribute's order, or not all different";
            cell->kind = COVEY_CELL_WRONG;
        }
    }
    cell->element = name;
    cell->low = name[0];
    cell->high = name[cell->n_elements - 1];
}

covey_status covey_i_cells_read_sets(covey_opened_column *column, covey_error *err)
{
    uint32_t n = column->text->n_values, *code_of = NULL;
    uint32_t **name = covey_arena_array_zero(&column->arena, uint32_t *, n);
    covey_names names;

    if (!name)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_names_init(&names, n, &column->arena, err));
    for (uint32_t i = 0; i < n; i++)
        COVEY_TRY(
            read_names(&column->cell[i], &name[i], &names, covey_column_label(column->text, i), &column->arena, err));
    COVEY_TRY(sort_elements(&code_of, column, &names, err));
    for (uint32_t i = 0; i < n; i++)
        if (column->cell[i].kind == COVEY_CELL_VALUES)
            finish_one(&column->cell[i], name[i], code_of);
    return COVEY_OK;
}
