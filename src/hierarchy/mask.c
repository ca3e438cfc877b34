/* Masking for codes of equal length, such as ZIP codes: each level hides one more character from the right; and the
 * three-digit areas that the safe-harbour rule for health data asks for (45 CFR 164.514(b)(2)(i)(B)). */
#include "hierarchy/hierarchy_impl.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "hierarchy/values.h"

static bool is_start(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Characters, not bytes. */
static size_t length_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += is_start(*text);
    return n;
}

static covey_status common_length(size_t *length, const covey_column *column, covey_error *err)
{
    const uint32_t first = column->has_null;

    *length = first < column->n_values ? length_of(covey_column_label(column, first)) : 1;
    for (uint32_t code = first; code < column->n_values; code++) {
        const char *label = covey_column_label(column, code), *other = covey_column_label(column, first);
        char one[COVEY_CSV_SHOWN], two[COVEY_CSV_SHOWN];

        if (length_of(label) == *length || covey_i_names_null(column, code))
            continue;
        covey_i_csv_shown(one, other, strlen(other));
        covey_i_csv_shown(two, label, strlen(label));
        return covey_fail_at(err, COVEY_EINVAL, NULL, 0, column->name, 0,
                             "column \"%s\": mask needs values of equal length, but \"%s\" has length %zu and \"%s\" "
                             "has length %zu; pad them, "
                             "or use another hierarchy",
                             column->name, one, *length, two, length_of(label));
    }
    return COVEY_OK;
}

/* Closes the label with all but the first `keep` characters masked. */
static void add_masked(covey_path *path, const char *label, size_t keep, size_t length)
{
    const char *end = label;

    for (size_t n = 0; *end; end++) {
        n += is_start(*end);
        if (n > keep)
            break;
    }
    covey_i_text_add(&path->text, label, (size_t)(end - label));
    for (size_t i = keep; i < length; i++)
        covey_i_text_add_char(&path->text, '*');
    covey_i_hierarchy_path_close(path);
}

covey_status covey_i_hierarchy_make_mask(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    covey_status status = COVEY_OK;
    size_t length, masked;

    if (spec->n < 1)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": mask needs at least 1 character, not %" PRId64,
                          column->name, spec->n);
    COVEY_TRY(common_length(&length, column, err));
    /* All characters masked is the root. */
    masked = length > 0 && (uint64_t)spec->n > length - 1 ? length - 1 : length > 0 ? (size_t)spec->n : 0;
    if (masked > COVEY_MAX_LEVELS - 2)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": mask: %zu levels; %d are the most", column->name, masked,
                          COVEY_MAX_LEVELS - 2);
    COVEY_TRY(covey_i_raw_init(tree, (int)masked + 2, NULL, err));
    for (uint32_t code = column->has_null; code < column->n_values && status == COVEY_OK; code++) {
        if (covey_i_names_null(column, code))
            continue;
        covey_i_path_value(&path, column, code);
        for (size_t j = 1; j <= masked; j++)
            add_masked(&path, covey_column_label(column, code), length - j, length);
        covey_i_path_label(&path, "*");
        status = covey_i_hierarchy_path_add(tree, &path, err);
    }
    covey_i_text_free(&path.text);
    return status;
}

/* --- areas of ZIP codes --- */

static covey_status restrict_area(covey_coarsening *coarsening, const char *text, size_t size, const char *file,
                                  int64_t line, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN];

    if (size != 3 || !isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]) ||
        !isdigit((unsigned char)text[2]))
        return covey_fail_at(
            err, file ? COVEY_EPARSE : COVEY_EINVAL, file, line, NULL, 0,
            "\"%s\" is not the first three digits of a ZIP code; the list has one prefix a line, such as 036",
            covey_i_csv_shown(shown, text, size));
    coarsening->restricted[100 * (text[0] - '0') + 10 * (text[1] - '0') + (text[2] - '0')] = true;
    return COVEY_OK;
}

static covey_status read_areas(covey_coarsening *coarsening, const char *path, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_csv_parser parser = {0};
    covey_status status;
    bool more = true, any = false;

    if ((status = covey_i_infile_open(&file, path, err)) != COVEY_OK)
        goto done;
    covey_i_csv_parser_init(&parser, file.bytes, file.size, ',');
    parser.trim = true;
    while ((status = covey_i_csv_parser_next(&more, &parser, path, err)) == COVEY_OK && more) {
        if (parser.blank)
            continue;
        if (parser.n_fields != 1)
            status = covey_fail_at(err, COVEY_EPARSE, path, parser.record_line, NULL, 0,
                                   "%zu fields; the list has one prefix of three digits a line", parser.n_fields);
        else
            status = restrict_area(coarsening, covey_i_csv_field(&parser, 0), covey_i_csv_field_size(&parser, 0), path,
                                   parser.record_line, err);
        if (status != COVEY_OK)
            break;
        any = true;
    }
    if (status == COVEY_OK && !any)
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0,
                               "the list is empty; expected one prefix of three digits a line, such as 036");
done:
    covey_i_csv_parser_clear(&parser);
    covey_i_infile_close(&file);
    return status;
}

covey_status covey_i_hierarchy_read_zip3_areas(const char *const **out, size_t *n_out, const char *path,
                                               covey_arena *arena, covey_error *err)
{
    covey_coarsening coarsening = {.kind = COVEY_HIERARCHY_ZIP3};
    const char **areas;
    size_t n = 0;

    COVEY_TRY(read_areas(&coarsening, path, err));
    if (!(areas = covey_arena_array(arena, const char *, 1000)))
        return covey_i_no_memory(err);
    for (int area = 0; area < 1000; area++) {
        char label[16];

        if (!coarsening.restricted[area])
            continue;
        snprintf(label, sizeof label, "%03d", area);
        if (!(areas[n++] = covey_arena_strdup(arena, label)))
            return covey_i_no_memory(err);
    }
    *out = areas;
    *n_out = n;
    return COVEY_OK;
}

/* Which areas the data hold, after coarsening. */
static covey_status find_areas(bool present[1000], const covey_coarsening *coarsening, const covey_column *column,
                               covey_error *err)
{
    for (uint32_t code = column->has_null; code < column->n_values; code++) {
        const char *label = covey_column_label(column, code);
        char coarse[64], shown[COVEY_CSV_SHOWN];

        if (covey_i_names_null(column, code))
            continue;
        if (!covey_i_hierarchy_coarsen(coarse, coarsening, column, code))
            return covey_fail_at(err, COVEY_EINVAL, NULL, 0, column->name, 0,
                                 "column \"%s\": \"%s\" is not a ZIP code (12345, 12345-6789 or its first three "
                                 "digits); correct it, or make it "
                                 "missing",
                                 column->name, covey_i_csv_shown(shown, label, strlen(label)));
        present[100 * (coarse[0] - '0') + 10 * (coarse[1] - '0') + (coarse[2] - '0')] = true;
    }
    return COVEY_OK;
}

static covey_status add_areas(covey_raw_tree *tree, const bool present[1000], covey_path *path, covey_error *err)
{
    for (int area = 0; area < 1000; area++) {
        char label[16];

        if (!present[area])
            continue;
        snprintf(label, sizeof label, "%03d", area);
        covey_i_path_label(path, label);
        for (size_t keep = 2; keep >= 1; keep--)
            add_masked(path, label, area == 0 ? 3 : keep, 3); /* 000 stands for areas all over the country */
        covey_i_path_label(path, "*");
        COVEY_TRY(covey_i_hierarchy_path_add(tree, path, err));
    }
    return COVEY_OK;
}

covey_status covey_i_hierarchy_make_zip3(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err)
{
    covey_path path = {.text = COVEY_TEXT_INIT};
    bool present[1000] = {false};
    covey_status status;

    if (!spec->path && spec->n_areas == 0)
        return covey_fail(err, COVEY_EINVAL, "column \"%s\": zip3 needs the list of the areas that become 000",
                          column->name);
    if (spec->path)
        COVEY_TRY(read_areas(coarsening, spec->path, err));
    for (size_t i = 0; i < spec->n_areas; i++)
        COVEY_TRY(restrict_area(coarsening, spec->areas[i], strlen(spec->areas[i]), NULL, 0, err));
    COVEY_TRY(find_areas(present, coarsening, column, err));
    COVEY_TRY(covey_i_raw_init(tree, 4, NULL, err));
    status = add_areas(tree, present, &path, err);
    covey_i_text_free(&path.text);
    return status;
}
