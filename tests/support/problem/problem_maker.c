/* Making problems from arrays of codes. */
#include "support/problem/problem_maker.h"
#include "release/bucketized/bucketized.h"
#include "release/sliced/sliced.h"

#include <inttypes.h>
#include <string.h>

#include "test.h"
#include "base/alloc.h"
#include "base/text.h"
#include "hierarchy/hierarchy_impl.h"
#include "support/problem/class_judge.h"
#include "table/histogram.h"
#include "table/table_impl.h"

static void must(covey_status status, const covey_error *err)
{
    if (status != COVEY_OK)
        fail_msg("%s", err->message);
}

void maker_init(problem_maker *m, uint32_t n_rows)
{
    *m = (problem_maker){.problem = {.n_rows = n_rows}, .arena = COVEY_ARENA_INIT};
    m->problem.axis = covey_arena_array_zero(&m->arena, covey_axis, MAKER_MOST_COLUMNS);
    m->problem.field = covey_arena_array_zero(&m->arena, covey_field, MAKER_MOST_COLUMNS);
    m->problem.promises.promise = covey_arena_array_zero(&m->arena, covey_promise, MAKER_MOST_COLUMNS);
    m->problem.promises.view = covey_arena_array_zero(&m->arena, covey_view, MAKER_MOST_COLUMNS);
    m->problem.promises.min_size = 1;
}

void maker_clear(problem_maker *m)
{
    for (size_t i = 0; i < MAKER_MOST_COLUMNS; i++) {
        covey_i_column_free(m->column[i]);
        covey_hierarchy_free(m->tree[i]);
    }
    covey_arena_free(&m->arena);
}

/* A column of integers, or of texts that sort like the codes. */
static covey_column *new_column(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values,
                                bool has_null, bool is_number, const int64_t *number)
{
    covey_label *label = covey_arena_array(&m->arena, covey_label, n_values);
    int64_t *values = covey_arena_array(&m->arena, int64_t, n_values);
    const int width = covey_i_table_code_width(n_values);
    void *cells = covey_i_array(m->problem.n_rows, (size_t)width);
    covey_column *column = NULL;
    covey_error err;

    assert_non_null(cells);
    for (uint32_t v = 0; v < n_values; v++) {
        char text[32];

        values[v] = has_null && v == 0 ? 0 : number ? number[v] : v;
        if (has_null && v == 0)
            snprintf(text, sizeof text, "null");
        else
            snprintf(text, sizeof text, is_number ? "%" PRId64 : "v%05" PRId64, is_number ? values[v] : (int64_t)v);
        label[v] = (covey_label){covey_arena_strdup(&m->arena, text), strlen(text)};
    }
    for (uint32_t row = 0; row < m->problem.n_rows; row++) {
        const uint32_t code = codes[m->order ? m->order[row] : row];

        assert_true(code < n_values);
        if (width == 1)
            ((uint8_t *)cells)[row] = (uint8_t)code;
        else if (width == 2)
            ((uint16_t *)cells)[row] = (uint16_t)code;
        else
            ((uint32_t *)cells)[row] = code;
    }
    must(covey_i_column_new(&column, name, is_number ? COVEY_TYPE_INTEGER : COVEY_TYPE_TEXT, m->problem.n_rows,
                            n_values, has_null, 0, label, is_number ? values : NULL, cells, &err),
         &err);
    return column;
}

static covey_field *add_field(problem_maker *m, covey_role role, covey_column *column)
{
    const size_t f = m->problem.n_fields++;

    assert_true(f < MAKER_MOST_COLUMNS);
    m->column[f] = column;
    m->problem.field[f] = (covey_field){.role = role, .axis = -1, .column = column};
    return &m->problem.field[f];
}

static void add_axis(problem_maker *m, covey_axis_kind kind, covey_column *column, covey_hierarchy *tree)
{
    covey_field *field = add_field(m, COVEY_ROLE_QUASI, column);
    covey_axis *axis = &m->problem.axis[m->problem.n_axes];
    covey_error err;

    m->tree[m->problem.n_fields - 1] = tree;
    field->tree = tree;
    field->axis = (int)m->problem.n_axes++;
    axis->domain_low = 1; /* low > high: the data's domain */
    must(covey_i_axis_init(axis, kind, column, tree, &err), &err);
}

void maker_add_range(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null,
                     const int64_t *number)
{
    add_axis(m, COVEY_AXIS_RANGE, new_column(m, name, codes, n_values, has_null, true, number), NULL);
}

void maker_add_flat(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null)
{
    add_axis(m, COVEY_AXIS_FLAT, new_column(m, name, codes, n_values, has_null, false, NULL), NULL);
}

static void add_tree(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null,
                     const covey_hierarchy_spec *spec)
{
    covey_column *raw = new_column(m, name, codes, n_values, has_null, false, NULL), *column = NULL;
    covey_hierarchy *tree = NULL;
    covey_error err;

    must(covey_hierarchy_build(&tree, spec, raw, NULL, &err), &err);
    must(covey_i_hierarchy_align(&column, raw, tree, &err), &err);
    covey_i_column_free(raw);
    add_axis(m, COVEY_AXIS_TREE, column, tree);
}

void maker_add_tree(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, bool has_null,
                    int arity)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;

    spec.kind = COVEY_HIERARCHY_BALANCED;
    spec.n = arity;
    add_tree(m, name, codes, n_values, has_null, &spec);
}

void maker_add_tree_file(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values, const char *path)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;

    spec.kind = COVEY_HIERARCHY_FILE;
    spec.path = path;
    add_tree(m, name, codes, n_values, false, &spec);
}

int maker_add_sensitive(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values)
{
    covey_column *column = new_column(m, name, codes, n_values, false, true, NULL);
    const int v = (int)m->problem.promises.n_views++;
    covey_error err;

    add_field(m, COVEY_ROLE_SENSITIVE, column);
    must(covey_i_histogram_of(&m->prior[v], column, &m->arena, &err), &err);
    m->problem.promises.view[v] =
        (covey_view){.name = column->name, .column = column, .has_order = true, .prior = &m->prior[v]};
    return v;
}

static void give_tree(problem_maker *m, int view, const covey_hierarchy_spec *spec)
{
    covey_view *v = &m->problem.promises.view[view];
    covey_error err;

    for (size_t f = 0; f < m->problem.n_fields; f++)
        if (m->problem.field[f].column == v->column) {
            must(covey_hierarchy_build(&m->tree[f], spec, v->column, NULL, &err), &err);
            v->tree = m->tree[f];
        }
    assert_non_null(v->tree);
    assert_int_equal(covey_hierarchy_n_leaves(v->tree), v->column->n_values);
    for (uint32_t leaf = 0; leaf < v->column->n_values; leaf++)
        assert_string_equal(covey_hierarchy_label(v->tree, covey_hierarchy_leaf_node(v->tree, leaf)),
                            covey_column_label(v->column, leaf));
}

void maker_add_sensitive_tree(problem_maker *m, int view, int arity)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;

    spec.kind = COVEY_HIERARCHY_BALANCED;
    spec.n = arity;
    give_tree(m, view, &spec);
}

void maker_add_sensitive_tree_text(problem_maker *m, int view, const char *text)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;

    spec.kind = COVEY_HIERARCHY_FILE;
    spec.text = text;
    give_tree(m, view, &spec);
}

void maker_add_insensitive(problem_maker *m, const char *name, const uint32_t *codes, uint32_t n_values)
{
    add_field(m, COVEY_ROLE_INSENSITIVE, new_column(m, name, codes, n_values, false, false, NULL));
}

void maker_promise(problem_maker *m, const char *model, const char *params, int view)
{
    covey_promise *promise = &m->problem.promises.promise[m->problem.promises.n++];
    covey_error err;
    void *values;

    *promise = (covey_promise){.model = covey_model_find(model), .view = view};
    assert_non_null(promise->model);
    must(judge_params(&values, promise->model, params, &m->arena, &err), &err);
    promise->params = values;
    if (view >= 0)
        promise->attribute = m->problem.promises.view[view].name;
}

covey_status maker_finish(problem_maker *m, covey_error *err)
{
    const covey_column **quasi = covey_arena_array(&m->arena, const covey_column *, m->problem.n_axes);

    for (size_t a = 0; a < m->problem.n_axes; a++) {
        quasi[a] = m->problem.axis[a].column;
        m->problem.axis[a].weight = (covey_ratio){1, (int64_t)m->problem.n_axes};
    }
    m->problem.promises.quasi = quasi;
    m->problem.promises.shown = covey_i_axis_show_all;
    m->problem.promises.shown_context = m->problem.axis;
    m->problem.promises.n_quasi = m->problem.n_axes;
    return covey_i_promises_prepare(&m->problem.promises, &m->arena, err);
}

void *maker_method_params(problem_maker *m, const covey_method *method, const char *text)
{
    char *rest, *item, *words = covey_arena_strdup(&m->arena, text);
    void *params = covey_arena_alloc_zero(&m->arena, 1, method->params_size);
    covey_error err;

    must(covey_param_defaults(params, method->params, method->n_params, &err), &err);
    for (item = strtok_r(words, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '=');

        assert_non_null(value);
        *value++ = '\0';
        must(covey_param_set(params, method->params, method->n_params, method->name, item, value, &err), &err);
    }
    return params;
}

/* Groups in two tables: their rows' codes, then their values' with counts. */
static char *published_groups(const covey_release *release, const covey_problem *problem)
{
    const covey_bucketized *data = release->form_data;
    covey_text text = COVEY_TEXT_INIT;

    for (uint32_t g = 0; g < release->n_classes; g++) {
        covey_i_text_add_format(&text, "group\n");
        for (uint32_t i = release->class_start[g]; i < release->class_start[g + 1]; i++) {
            for (size_t f = 0; f < problem->n_fields; f++)
                if (problem->field[f].role != COVEY_ROLE_SENSITIVE)
                    covey_i_text_add_format(&text, " %u",
                                            covey_column_code(problem->field[f].column, release->row_order[i]));
            covey_i_text_add_char(&text, '\n');
        }
        for (uint32_t i = data->line_start[g]; i < data->line_start[g + 1]; i++)
            covey_i_text_add_format(&text, " %u: %u\n", covey_i_bucketized_code(data, i),
                                    covey_i_bucketized_count(data, i));
    }
    assert_false(text.broken);
    return text.bytes;
}

/* Column by column, bucket by bucket. */
static char *published_slices(const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    covey_text text = COVEY_TEXT_INIT;

    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++) {
            covey_i_text_add_format(&text, "column %zu bucket %u\n", s, b);
            for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
                for (size_t f = 0; f < data->slice[s].n_fields; f++) {
                    const covey_column *shown =
                        covey_i_release_shown(release, &problem->field[data->slice[s].field[f]]);

                    covey_i_text_add_format(
                        &text, " %s",
                        covey_column_label(
                            shown, covey_i_sliced_code(release, problem, s, f, covey_i_sliced_piece(data, s, i))));
                }
                covey_i_text_add_char(&text, '\n');
            }
        }
    assert_false(text.broken);
    return text.bytes;
}

char *maker_published(const covey_release *release, const covey_problem *problem)
{
    covey_text text = COVEY_TEXT_INIT;
    const size_t d = problem->n_axes;

    if (strcmp(release->form->name, "bucketized") == 0)
        return published_groups(release, problem);
    if (strcmp(release->form->name, "sliced") == 0)
        return published_slices(release, problem);
    for (uint32_t c = 0; c < release->n_classes; c++) {
        covey_i_text_add_format(&text, "class");
        for (size_t a = 0; a < d; a++)
            covey_i_text_add_format(&text, " %u-%u", release->low[c * d + a], release->high[c * d + a]);
        covey_i_text_add_char(&text, '\n');
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
            for (size_t f = 0; f < problem->n_fields; f++)
                if (problem->field[f].role != COVEY_ROLE_QUASI)
                    covey_i_text_add_format(&text, " %u",
                                            covey_column_code(problem->field[f].column, release->row_order[i]));
            covey_i_text_add_char(&text, '\n');
        }
    }
    assert_false(text.broken);
    return text.bytes;
}

uint64_t maker_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

uint32_t maker_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((unsigned __int128)maker_random(state) * n >> 64);
}
void maker_shuffle(uint32_t *order, uint32_t n, uint64_t *state)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = maker_below(state, i), swap = order[i - 1];

        order[i - 1] = order[j];
        order[j] = swap;
    }
}
