/* A dictionary that grows. */
#include "parts/plan/growing_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static bool grow(covey_growing_values *v, size_t n)
{
    size_t capacity = v->capacity ? v->capacity : 64;
    int64_t *count, *line;

    if (n <= v->capacity)
        return true;
    while (capacity < n)
        capacity *= 2;
    if (!(count = covey_i_realloc(v->count, capacity, sizeof *count)))
        return false;
    v->count = count;
    if (!(line = covey_i_realloc(v->line, capacity, sizeof *line)))
        return false;
    v->line = line;
    memset(count + v->capacity, 0, (capacity - v->capacity) * sizeof *count);
    memset(line + v->capacity, 0, (capacity - v->capacity) * sizeof *line);
    v->capacity = capacity;
    return true;
}

covey_status covey_i_growing_values_add(uint32_t *map, covey_growing_values *v, const covey_column *raw,
                                        covey_error *err)
{
    for (uint32_t i = 0; i < raw->n_values; i++) {
        if (i == 0 && raw->has_null)
            map[i] = 0;
        else
            map[i] = 1 + covey_i_dictionary_code(&v->dictionary, covey_column_label(raw, i),
                                                 (uint32_t)covey_column_label_size(raw, i));
        if (v->dictionary.broken)
            return covey_i_no_memory(err);
    }
    return grow(v, (size_t)v->dictionary.n + 1) ? COVEY_OK : covey_i_no_memory(err);
}

size_t covey_i_growing_values_size(const covey_growing_values *v)
{
    return v->dictionary.text_capacity + v->dictionary.start_capacity * sizeof(uint64_t) +
           v->capacity * 2 * sizeof(int64_t) + (sizeof(covey_dictionary_slot) << (64 - v->dictionary.shift));
}

static int compare_texts(const void *a, const void *b, void *context)
{
    const covey_dictionary *d = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const size_t size_x = covey_i_dictionary_size(d, x), size_y = covey_i_dictionary_size(d, y);
    const int order =
        memcmp(covey_i_dictionary_text(d, x), covey_i_dictionary_text(d, y), size_x < size_y ? size_x : size_y);

    return order ? order : size_x < size_y ? -1 : size_x > size_y;
}

/* Where the plan's columns have the values. */
struct ordered {
    covey_label *label;
    int64_t *line, *count;
};

/* Returns whether a text would look like the missing value. */
static bool put_in_order(struct ordered *to, covey_growing_values *v, const uint32_t *order, bool has_null)
{
    bool says_null = false;

    v->place[0] = 0;
    if (has_null) {
        to->label[0] = (covey_label){"null", 4};
        to->count[0] = v->count[0];
        to->line[0] = v->line[0];
    }
    for (uint32_t i = 0; i < v->dictionary.n; i++) {
        const uint32_t code = order[i], at = i + has_null;

        to->label[at] =
            (covey_label){covey_i_dictionary_text(&v->dictionary, code), covey_i_dictionary_size(&v->dictionary, code)};
        says_null |= to->label[at].size == 4 && memcmp(to->label[at].text, "null", 4) == 0;
        to->count[at] = v->count[code + 1];
        to->line[at] = v->line[code + 1];
        v->place[code + 1] = at;
    }
    return has_null && says_null;
}

static void free_values(covey_growing_values *v)
{
    covey_i_free(v->count);
    covey_i_free(v->line);
    v->count = v->line = NULL;
    covey_i_dictionary_free(&v->dictionary);
    v->dictionary = (covey_dictionary){0};
}

covey_status covey_i_growing_values_finish(covey_column **column, int64_t **count, covey_growing_values *v,
                                           const char *name, covey_plan *plan, covey_error *err)
{
    const bool has_null = v->count && v->count[0] > 0;
    const uint32_t n_texts = v->dictionary.n, n = n_texts + has_null;
    uint32_t *order = covey_i_array(n_texts, sizeof *order);
    struct ordered to = {.label = covey_i_array(n, sizeof *to.label), .line = covey_i_array(n, sizeof *to.line)};
    covey_status status;

    to.count = *count = covey_arena_array(&plan->arena, int64_t, n);
    v->n_codes = n_texts + 1;
    v->place = covey_i_array(v->n_codes, sizeof *v->place);
    if (!order || !to.label || !to.line || !to.count || !v->place) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (uint32_t i = 0; i < n_texts; i++)
        order[i] = i;
    qsort_r(order, n_texts, sizeof *order, compare_texts, &v->dictionary);
    if (put_in_order(&to, v, order, has_null))
        status = covey_fail_at(
            err, COVEY_EPARSE, plan->policy->input_path, 0, name, 0,
            "column \"%s\": has both missing cells and the text \"null\", which would look the same in a release; "
            "add \"null\" to input.null",
            name);
    else
        status = covey_i_plan_value_column(column, name, to.label, n, has_null, to.line, err);
done:
    covey_i_free(order);
    covey_i_free(to.label);
    covey_i_free(to.line);
    if (status == COVEY_OK)
        free_values(v);
    return status;
}

void covey_i_growing_values_clear(covey_growing_values *v)
{
    free_values(v);
    covey_i_free(v->place);
    v->place = NULL;
}
