/* Targets as policies say them, and the share that each gives to every leaf of a hierarchy. See
 * docs/design/distribution.md. */
#include <covey/table.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/yaml_tree.h"
#include "method/distribution/core.h"
#include "table/table_impl.h"

#define MOST_SUM (INT64_C(1) << 62)

/* --- reading a wish --- */

static covey_status read_number(covey_ratio *out, const covey_yaml *map, const char *key, const char *text,
                                covey_error *err)
{
    const covey_yaml *node = covey_i_yaml_get(map, key);

    if (!node || node->kind != COVEY_YAML_SCALAR || covey_ratio_parse(out, node->text, NULL) != COVEY_OK)
        return covey_fail(err, COVEY_EINVAL, "target: %s must be a number in %.60s", key, text);
    return COVEY_OK;
}

static covey_status unknown(const char *text, covey_error *err)
{
    return covey_fail(err, COVEY_EINVAL,
                      "target must be source, uniform, {normal: {mean: 50, sd: 10}}, {zipf: {s: 1.5}} or {file: "
                      "shares.csv}, not %.60s",
                      text);
}

static covey_status read_map(covey_distribution_wish *wish, const covey_yaml *root, const char *text,
                             covey_arena *arena, covey_error *err)
{
    const covey_yaml *item = root->item[0];
    const char *key = root->key[0]->text;

    if (strcmp(key, "normal") == 0 && item->kind == COVEY_YAML_MAP && item->n == 2) {
        wish->kind = COVEY_DIST_NORMAL;
        COVEY_TRY(read_number(&wish->a, item, "mean", text, err));
        COVEY_TRY(read_number(&wish->b, item, "sd", text, err));
        return wish->b.num > 0 ? COVEY_OK
                               : covey_fail(err, COVEY_EINVAL, "target: sd must be greater than 0 in %.60s", text);
    }
    if (strcmp(key, "zipf") == 0 && item->kind == COVEY_YAML_MAP && item->n == 1) {
        wish->kind = COVEY_DIST_ZIPF;
        COVEY_TRY(read_number(&wish->a, item, "s", text, err));
        return wish->a.num >= 0 ? COVEY_OK
                                : covey_fail(err, COVEY_EINVAL, "target: s must not be negative in %.60s", text);
    }
    if (strcmp(key, "file") == 0 && item->kind == COVEY_YAML_SCALAR && *item->text) {
        wish->kind = COVEY_DIST_FILE;
        wish->file = covey_arena_strdup(arena, item->text);
        return wish->file ? COVEY_OK : covey_i_no_memory(err);
    }
    return unknown(text, err);
}

covey_status covey_i_distribution_read_target(covey_distribution_wish *out, const char *text, covey_arena *arena,
                                              covey_error *err)
{
    covey_distribution_wish wish = {.kind = COVEY_DIST_SOURCE, .a = {0, 1}, .b = {0, 1}};
    const covey_yaml *root;
    covey_error inner;
    const covey_status status = covey_i_yaml_parse(&root, text, strlen(text), NULL, arena, &inner);

    if (status == COVEY_ENOMEM)
        return covey_i_no_memory(err);
    if (status != COVEY_OK)
        return covey_fail(err, COVEY_EINVAL, "target: %s", inner.message);
    if (root && root->kind == COVEY_YAML_SCALAR && strcmp(root->text, "source") == 0)
        wish.kind = COVEY_DIST_SOURCE;
    else if (root && root->kind == COVEY_YAML_SCALAR && strcmp(root->text, "uniform") == 0)
        wish.kind = COVEY_DIST_UNIFORM;
    else if (root && root->kind == COVEY_YAML_MAP && root->n == 1)
        COVEY_TRY(read_map(&wish, root, text, arena, err));
    else
        return unknown(text, err);
    *out = wish;
    return COVEY_OK;
}

bool covey_i_distribution_same_target(const covey_distribution_wish *a, const covey_distribution_wish *b)
{
    return a->kind == b->kind && covey_ratio_compare(a->a, b->a) == 0 && covey_ratio_compare(a->b, b->b) == 0 &&
           (a->kind != COVEY_DIST_FILE || strcmp(a->file, b->file) == 0);
}

/* --- shares by a formula --- */

/* Densities relative to the largest become whole numbers, none 0. */
static void scale_shares(uint64_t *share, const long double *density, uint32_t n)
{
    const long double unit = fminl(0x1p52L, (long double)(MOST_SUM / n));

    for (uint32_t i = 0; i < n; i++)
        share[i] = density[i] * unit >= 1 ? (uint64_t)nearbyintl(density[i] * unit) : 1;
}

/* exp(-z^2 / 2) relative to the value that lies nearest to the mean. */
static void find_normal(long double *density, const covey_distribution_wish *wish, const covey_target *target,
                        int scale)
{
    const long double mean = covey_ratio_value(wish->a), sd = covey_ratio_value(wish->b);
    long double nearest = INFINITY;

    for (uint32_t i = 0; i < target->tree.n_leaves; i++) {
        const long double z = (target->number[i] / powl(10, scale) - mean) / sd;

        nearest = z * z < nearest ? z * z : nearest;
    }
    for (uint32_t i = 0; i < target->tree.n_leaves; i++) {
        const long double z = (target->number[i] / powl(10, scale) - mean) / sd;

        density[i] = fmaxl(expl((nearest - z * z) / 2), LDBL_MIN);
    }
}

static void find_zipf(long double *density, const covey_distribution_wish *wish, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        density[i] = fmaxl(powl(i + 1.0L, -(long double)covey_ratio_value(wish->a)), LDBL_MIN);
}

/* --- shares of a file --- */

struct reading {
    const char *path;
    const covey_target *target;
    const covey_column *column; /* its dictionary gives type and labels of the leaves */
    const char *tree;           /* which hierarchy the target has, in words; NULL: the column's */
    uint32_t *by_label;         /* [n_leaves] leaves, sorted by label; numbers: by value */
    const char **label;         /* [n_leaves] */
    int64_t *value, *line;      /* [n_leaves] the share without its point; where it stands, 0: nowhere */
    int *digits;                /* [n_leaves] of value, behind the point */
};

static int compare_leaf_labels(const void *a, const void *b, void *context)
{
    const struct reading *r = context;

    return strcmp(r->label[*(const uint32_t *)a], r->label[*(const uint32_t *)b]);
}

static bool read_value(int64_t *out, const covey_column *column, int wanted, const char *text)
{
    int scale = 0;

    if (column->type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(out, text, strlen(text));
    if (!covey_i_typing_parse_decimal(out, &scale, text, strlen(text)))
        return false;
    for (; scale > wanted && *out % 10 == 0; scale--)
        *out /= 10;
    for (; scale < wanted; scale++)
        if (__builtin_mul_overflow(*out, (int64_t)10, out))
            return false;
    return scale == wanted;
}

/* The leaf of a value; UINT32_MAX: there is none. */
static uint32_t find_leaf(const struct reading *r, const char *text, int scale)
{
    uint32_t low = 0, high = r->target->tree.n_leaves;
    int64_t number = 0;

    if (r->target->number && !read_value(&number, r->column, scale, text))
        return UINT32_MAX;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, leaf = r->target->number ? middle : r->by_label[middle];
        const int order = r->target->number ? (r->target->number[leaf] > number) - (r->target->number[leaf] < number)
                                            : strcmp(r->label[leaf], text);

        if (order == 0)
            return leaf;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

static covey_status add_line(const struct reading *r, const covey_csv_parser *parser, int scale, covey_error *err)
{
    const char *name = covey_i_csv_field(parser, 0), *text = covey_i_csv_field(parser, 1);
    const uint32_t leaf = find_leaf(r, name, scale);

    if (leaf == UINT32_MAX && r->tree)
        return covey_fail_at(err, COVEY_EINVAL, r->path, parser->record_line, "value", 0,
                             "\"%.60s\" is not a value of %s; leave it out", name, r->tree);
    if (leaf == UINT32_MAX)
        return covey_fail_at(err, COVEY_EINVAL, r->path, parser->record_line, "value", 0,
                             "\"%.60s\" is not a value of column \"%s\"", name, r->column->name);
    if (r->line[leaf] > 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, parser->record_line, "value", 0,
                             "\"%.60s\" stands in line %" PRId64 " already; keep one of them", name, r->line[leaf]);
    if (!covey_i_typing_parse_decimal(&r->value[leaf], &r->digits[leaf], text, strlen(text)) || r->value[leaf] < 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, parser->record_line, "share", 0,
                             "a share must be a decimal number from 0 with 18 digits at most, not \"%.60s\"", text);
    r->line[leaf] = parser->record_line;
    return COVEY_OK;
}

static covey_status read_lines(const struct reading *r, const char *bytes, size_t size, int scale, covey_error *err)
{
    covey_status status = COVEY_OK;
    covey_csv_parser parser;
    bool more = true;
    int64_t n = 0;

    covey_i_csv_parser_init(&parser, bytes, size, covey_i_csv_guess(bytes, size));
    for (; status == COVEY_OK; n++) {
        if ((status = covey_i_csv_parser_next(&more, &parser, r->path, err)) != COVEY_OK || !more)
            break;
        if (parser.n_fields != 2)
            status = covey_fail_at(err, COVEY_EINVAL, r->path, parser.record_line, NULL, 0,
                                   "a line has the two cells value,share, not %zu", parser.n_fields);
        else if (n == 0 &&
                 (strcmp(covey_i_csv_field(&parser, 0), "value") || strcmp(covey_i_csv_field(&parser, 1), "share")))
            status = covey_fail_at(err, COVEY_EINVAL, r->path, parser.record_line, NULL, 0,
                                   "the header of a target file is value,share");
        else if (n > 0)
            status = add_line(r, &parser, scale, err);
    }
    covey_i_csv_parser_clear(&parser);
    return status != COVEY_OK || n > 0
               ? status
               : covey_fail_at(err, COVEY_EINVAL, r->path, 1, NULL, 0, "the header of a target file is value,share");
}

/* The line whose share has the most digits behind the point. */
static int64_t finest_line(const struct reading *r, int digits)
{
    int64_t line = INT64_MAX;

    for (uint32_t i = 0; i < r->target->tree.n_leaves; i++)
        if (r->value[i] > 0 && r->digits[i] == digits && r->line[i] < line)
            line = r->line[i];
    return line;
}

/* Shares as whole numbers of the last digit that any of them has. */
static covey_status align_shares(uint64_t *share, const struct reading *r, bool is_exact, covey_error *err)
{
    const uint32_t n = r->target->tree.n_leaves;
    uint64_t sum = 0;
    int most = 0;

    for (uint32_t i = 0; i < n; i++)
        most = r->value[i] > 0 && r->digits[i] > most ? r->digits[i] : most;
    if (is_exact && most > 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, finest_line(r, most), "share", 0,
                             "a share has digits behind the point, but resolution: exact wants whole shares: multiply "
                             "all by 1%0*d, or say a number such as "
                             "resolution: 12",
                             most, 0);
    for (uint32_t i = 0; i < n; i++) {
        share[i] = (uint64_t)r->value[i];
        for (int d = r->digits[i]; r->value[i] > 0 && d < most; d++)
            if (share[i] > (uint64_t)MOST_SUM / 10)
                return covey_fail_at(err, COVEY_EINVAL, r->path, r->line[i], "share", 0,
                                     "a share is too large to be compared exactly with that of line %" PRId64
                                     ", which has %d digits behind the point: round them",
                                     finest_line(r, most), most);
            else
                share[i] *= 10;
        if (share[i] > INT64_MAX - sum)
            return covey_fail_at(
                err, COVEY_EINVAL, r->path, r->line[i], "share", 0,
                "the shares up to this one are too large to be added up: divide them all by the same number");
        sum += share[i];
    }
    if (sum == 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, 0, "share", 0,
                             "all shares are 0: at least one value must be possible");
    return COVEY_OK;
}

static covey_status read_file(uint64_t *share, const covey_distribution_wish *wish, const covey_target *target,
                              const covey_column *column, const char *tree, int scale, bool is_exact,
                              covey_arena *arena, covey_error *err)
{
    const uint32_t n = target->tree.n_leaves;
    struct reading r = {.path = wish->file,
                        .target = target,
                        .column = column,
                        .tree = tree,
                        .by_label = covey_arena_array(arena, uint32_t, n),
                        .label = covey_arena_array(arena, const char *, n),
                        .value = covey_arena_array_zero(arena, int64_t, n),
                        .line = covey_arena_array_zero(arena, int64_t, n),
                        .digits = covey_arena_array_zero(arena, int, n)};
    covey_status status;
    covey_infile file = COVEY_INFILE_INIT;

    if (!r.by_label || !r.label || !r.value || !r.line || !r.digits)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < target->tree.n_nodes; i++)
        if (target->tree.node[i].end == i + 1)
            r.label[target->tree.node[i].first_leaf] = target->label[i];
    for (uint32_t i = 0; i < n; i++)
        r.by_label[i] = i;
    qsort_r(r.by_label, n, sizeof *r.by_label, compare_leaf_labels, &r);
    if ((status = covey_i_infile_open(&file, wish->file, err)) == COVEY_OK)
        status = read_lines(&r, file.bytes, covey_i_csv_size_without_blank_end(file.bytes, file.size), scale, err);
    covey_i_infile_close(&file);
    return status == COVEY_OK ? align_shares(share, &r, is_exact, err) : status;
}

covey_status covey_i_distribution_find_shares(uint64_t *share, const long double **density_out,
                                              const covey_distribution_wish *wish, const covey_target *target,
                                              const covey_column *column, const char *tree, int scale,
                                              const uint64_t *rows, bool is_exact, covey_arena *arena, covey_error *err)
{
    const uint32_t n = target->tree.n_leaves;
    long double *density;
    uint64_t sum = 0;

    *density_out = NULL;
    if (is_exact && (wish->kind == COVEY_DIST_NORMAL || wish->kind == COVEY_DIST_ZIPF))
        return covey_i_refuse_param(err, "resolution",
                                    "resolution: exact wants whole shares, which %s does not have: say a number such "
                                    "as 12",
                                    wish->kind == COVEY_DIST_NORMAL ? "normal" : "zipf");
    if (wish->kind == COVEY_DIST_NORMAL && !target->number)
        return covey_fail(err, COVEY_EINVAL, "target: normal needs numbers, but column \"%s\" is text", column->name);
    switch (wish->kind) {
    case COVEY_DIST_SOURCE:
        memcpy(share, rows, n * sizeof *share);
        break;
    case COVEY_DIST_UNIFORM:
        for (uint32_t i = 0; i < n; i++)
            share[i] = 1;
        break;
    case COVEY_DIST_NORMAL:
    case COVEY_DIST_ZIPF:
        if (!(density = covey_arena_array(arena, long double, n)))
            return covey_i_no_memory(err);
        if (wish->kind == COVEY_DIST_NORMAL)
            find_normal(density, wish, target, scale);
        else
            find_zipf(density, wish, n);
        scale_shares(share, density, n);
        *density_out = density;
        break;
    case COVEY_DIST_FILE:
        COVEY_TRY(read_file(share, wish, target, column, tree, scale, is_exact, arena, err));
        break;
    }
    for (uint32_t i = 0; i < n; i++)
        if (share[i] > INT64_MAX || __builtin_add_overflow(sum, share[i], &sum) || sum > INT64_MAX)
            return covey_fail(err, COVEY_EINVAL,
                              "target: the shares are too large to be added up: divide them all by the same number");
    return sum > 0 ? COVEY_OK
                   : covey_fail(err, COVEY_EINVAL, "target: all shares are 0: at least one value must be possible");
}
