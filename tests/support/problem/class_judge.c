/* Asking models about histograms from counts. */
#include "support/problem/class_judge.h"

#include <string.h>

#include "test.h"
#include "table/histogram.h"

/* The comma behind a parameter, outside brackets; the end if there is none. */
static char *param_end(char *text)
{
    int depth = 0;

    for (; *text && (depth > 0 || *text != ','); text++)
        depth += (*text == '[' || *text == '{') - (*text == ']' || *text == '}');
    return text;
}

covey_status judge_params(void **params, const covey_model *model, const char *text, covey_arena *arena,
                          covey_error *err)
{
    char *words = covey_arena_strdup(arena, text);
    size_t n;
    const covey_param *list = covey_model_params(model, &n);

    *params = covey_arena_alloc_zero(arena, 1, model->params_size);
    COVEY_TRY(covey_param_defaults(*params, list, n, err));
    while (*words) {
        char *item = words, *end = param_end(words), *value = strchr(words, '=');

        words = *end ? end + 1 : end;
        *end = '\0';
        assert_non_null(value);
        *value++ = '\0';
        COVEY_TRY(covey_param_set(*params, list, n, model->name, item, value, err));
    }
    return COVEY_OK;
}

void judge_histogram(covey_histogram *h, const int64_t *count, uint32_t n, covey_arena *arena)
{
    assert_int_equal(covey_i_histogram_new(h, n, arena, NULL), COVEY_OK);
    for (uint32_t v = 0; v < n; v++)
        if (count[v])
            covey_i_histogram_add(h, v, count[v]);
}

/* Labels "0", "1", ...: as good as any. */
static const covey_column *plain_column(uint32_t n, covey_arena *arena)
{
    const char **labels = covey_arena_array(arena, const char *, n);

    for (uint32_t v = 0; v < n; v++) {
        char label[16];

        snprintf(label, sizeof label, "%u", v);
        labels[v] = covey_arena_strdup(arena, label);
    }
    return judge_texts("disease", labels, n, arena);
}

covey_status judge_new(judge *j, const char *model, const char *params, const int64_t *count, uint32_t n,
                       const covey_model_input *input, covey_error *err)
{
    covey_model_input in = {0};
    void *values;

    *j = (judge){.model = covey_model_find(model), .arena = COVEY_ARENA_INIT};
    assert_non_null(j->model);
    COVEY_TRY(judge_params(&values, j->model, params, &j->arena, err));
    judge_histogram(&j->prior, count, n, &j->arena);
    if (input)
        in = *input;
    in.prior = &j->prior;
    if (!in.sensitive)
        in.sensitive = plain_column(n, &j->arena);
    return covey_i_model_prepare(&j->state, j->model, &in, values, &j->arena, err);
}

void judge_init(judge *j, const char *model, const char *params, const int64_t *count, uint32_t n,
                const covey_model_input *input)
{
    covey_error err = {0};

    if (judge_new(j, model, params, count, n, input, &err) != COVEY_OK)
        fail_msg("%s", err.message);
}

void judge_clear(judge *j)
{
    covey_arena_free(&j->arena);
}

bool judge_admits(judge *j, const int64_t *count)
{
    covey_arena_mark mark = covey_arena_save(&j->arena);
    covey_histogram h;
    covey_group group = {.counts = &h};
    bool admits;

    judge_histogram(&h, count, j->prior.n_values, &j->arena);
    group.size = h.total;
    admits = j->model->admits(j->state, &group);
    covey_arena_rewind(&j->arena, mark);
    return admits;
}

covey_figure judge_figure(judge *j, const int64_t *count)
{
    covey_arena_mark mark = covey_arena_save(&j->arena);
    covey_histogram h;
    covey_group group = {.counts = &h};
    covey_figure figure;

    judge_histogram(&h, count, j->prior.n_values, &j->arena);
    group.size = h.total;
    j->model->figure(&figure, j->state, &group);
    covey_arena_rewind(&j->arena, mark);
    return figure;
}

const char *judge_figure_text(judge *j, const int64_t *count)
{
    static char text[96];
    const covey_figure figure = judge_figure(j, count);

    covey_i_figure_text(text, sizeof text, &figure);
    return text;
}

static covey_column *column_new(const char *name, covey_type type, uint32_t n, covey_arena *arena)
{
    covey_column *column = covey_arena_array_zero(arena, covey_column, 1);

    column->name = covey_arena_strdup(arena, name);
    column->type = type;
    column->n_values = n;
    column->width = n <= 256 ? 1 : n <= 65536 ? 2 : 4;
    column->references = 1;
    return column;
}

covey_column *judge_texts(const char *name, const char *const *labels, uint32_t n, covey_arena *arena)
{
    covey_column *column = column_new(name, COVEY_TYPE_TEXT, n, arena);
    uint64_t *start = covey_arena_array(arena, uint64_t, n + 1);
    size_t size = 0;
    char *text;

    for (uint32_t v = 0; v < n; v++) {
        start[v] = size;
        size += strlen(labels[v]) + 1;
    }
    start[n] = size;
    text = covey_arena_array(arena, char, size + 1);
    for (uint32_t v = 0; v < n; v++)
        memcpy(text + start[v], labels[v], start[v + 1] - start[v]);
    column->text = text;
    column->text_start = start;
    return column;
}

covey_column *judge_numbers(const char *name, const int64_t *number, int scale, uint32_t n, covey_arena *arena)
{
    const char **labels = covey_arena_array(arena, const char *, n);
    covey_column *column;
    int64_t *copy = covey_arena_array(arena, int64_t, n);

    for (uint32_t v = 0; v < n; v++) {
        char label[32];

        snprintf(label, sizeof label, "%lld", (long long)number[v]);
        labels[v] = covey_arena_strdup(arena, label);
        copy[v] = number[v];
    }
    column = judge_texts(name, labels, n, arena);
    column->type = scale ? COVEY_TYPE_DECIMAL : COVEY_TYPE_INTEGER;
    column->scale = scale;
    column->number = copy;
    return column;
}
