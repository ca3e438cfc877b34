/* Hierarchies that a rule makes, to JSON and back. */
#include "release/manifest/hierarchy_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "hierarchy/hierarchy_impl.h"

/* --- writing --- */

/* JSON escapes (RFC 8259 section 7); the texts are UTF-8 already. */
static void print_text(covey_text *out, const char *text)
{
    covey_i_text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            covey_i_text_add_char(out, '\\');
            covey_i_text_add_char(out, *text);
        } else if ((unsigned char)*text < 0x20) {
            covey_i_text_add_format(out, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            covey_i_text_add_char(out, *text);
        }
    }
    covey_i_text_add_char(out, '"');
}

static void print_list(covey_text *out, const char *const *texts, size_t n)
{
    covey_i_text_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            covey_i_text_add_string(out, ", ");
        print_text(out, texts[i]);
    }
    covey_i_text_add_char(out, ']');
}

static void print_interval(covey_text *out, const covey_hierarchy_spec *spec)
{
    covey_i_text_add_string(out, "{\"interval\": {\"from\": ");
    print_text(out, spec->from ? spec->from : "");
    covey_i_text_add_string(out, ", \"to\": ");
    print_text(out, spec->to ? spec->to : "");
    covey_i_text_add_string(out, ", \"widths\": ");
    print_list(out, spec->widths, spec->n_widths);
    if (spec->clamp)
        covey_i_text_add_string(out, ", \"clamp\": true");
    covey_i_text_add_string(out, "}}");
}

static void print_top(covey_text *out, const covey_hierarchy_spec *spec)
{
    covey_i_text_add_format(out, "{\"top\": {\"n\": %" PRId64, spec->n);
    if (spec->from) {
        covey_i_text_add_string(out, ", \"from\": ");
        print_text(out, spec->from);
    }
    if (spec->n_widths > 0) {
        covey_i_text_add_string(out, ", \"widths\": ");
        print_list(out, spec->widths, spec->n_widths);
    }
    covey_i_text_add_string(out, "}}");
}

/* The areas, not the name of the publisher's file. */
static covey_status print_zip3(covey_text *out, const covey_hierarchy_spec *spec, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const char *const *areas = spec->areas;
    size_t n = spec->n_areas;
    covey_status status =
        spec->path ? covey_i_hierarchy_read_zip3_areas(&areas, &n, spec->path, &arena, err) : COVEY_OK;

    if (status == COVEY_OK) {
        covey_i_text_add_string(out, "{\"zip3\": ");
        print_list(out, areas, n);
        covey_i_text_add_char(out, '}');
    }
    covey_arena_free(&arena);
    return status;
}

/* What the file says; the leaves that the data added are not in it. */
static covey_status print_file(covey_text *out, const covey_hierarchy_spec *spec, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    char *text;

    if (!spec->missing_leaf_root)
        return covey_fail(err, COVEY_EINVAL, "this hierarchy is not built from the data: its file says everything");
    if (spec->path)
        COVEY_TRY(covey_i_infile_open(&file, spec->path, err));
    text = spec->path ? covey_i_strndup(file.bytes, file.size) : covey_i_strdup(spec->text);
    covey_i_infile_close(&file);
    if (!text)
        return covey_i_no_memory(err);
    covey_i_text_add_string(out, "{\"lines\": {\"text\": ");
    print_text(out, text);
    if (spec->delimiter)
        covey_i_text_add_format(out, ", \"delimiter\": \"%s%c\"", spec->delimiter == '\\' ? "\\" : "", spec->delimiter);
    covey_i_text_add_string(out, "}}");
    covey_i_free(text);
    return COVEY_OK;
}

covey_status covey_i_hierarchy_spec_print(covey_text *out, const covey_hierarchy_spec *spec, covey_error *err)
{
    switch (spec->kind) {
    case COVEY_HIERARCHY_BALANCED:
        covey_i_text_add_format(out, "{\"balanced\": %" PRId64 "}", spec->n);
        break;
    case COVEY_HIERARCHY_MASK:
        covey_i_text_add_format(out, "{\"mask\": %" PRId64 "}", spec->n);
        break;
    case COVEY_HIERARCHY_INTERVAL:
        print_interval(out, spec);
        break;
    case COVEY_HIERARCHY_CUTS:
        covey_i_text_add_string(out, "{\"cuts\": [");
        for (size_t level = 0; level < spec->n_levels; level++) {
            if (level)
                covey_i_text_add_string(out, ", ");
            print_list(out, spec->cuts[level], spec->n_cuts[level]);
        }
        covey_i_text_add_string(out, "]}");
        break;
    case COVEY_HIERARCHY_DATE:
        covey_i_text_add_string(out, "{\"date\": ");
        print_list(out, spec->units, spec->n_units);
        covey_i_text_add_char(out, '}');
        break;
    case COVEY_HIERARCHY_SUPPRESSION:
        covey_i_text_add_string(out, "{\"suppression\": true}");
        break;
    case COVEY_HIERARCHY_TOP:
        print_top(out, spec);
        break;
    case COVEY_HIERARCHY_ZIP3:
        COVEY_TRY(print_zip3(out, spec, err));
        break;
    case COVEY_HIERARCHY_FILE:
        COVEY_TRY(print_file(out, spec, err));
        break;
    case COVEY_HIERARCHY_NONE:
        return covey_fail(err, COVEY_EINVAL, "no kind of hierarchy is chosen");
    }
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* --- reading --- */

static covey_status read_list(const char *const **out, size_t *n_out, const char *key, const json_t *value,
                              covey_arena *arena, covey_error *err)
{
    size_t n = json_array_size(value);
    const char **texts;

    if (!json_is_array(value) || n == 0)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" must be a list of texts that is not empty", key);
    if (!(texts = covey_arena_array(arena, const char *, n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(value, i));

        if (!text)
            return covey_fail(err, COVEY_EINVAL, "\"%s\" must be a list of texts", key);
        if (!(texts[i] = covey_arena_strdup(arena, text)))
            return covey_i_no_memory(err);
    }
    *out = texts;
    *n_out = n;
    return COVEY_OK;
}

static covey_status read_number(covey_hierarchy_spec *out, covey_hierarchy_kind kind, const char *key,
                                const json_t *value, covey_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" must be a whole number from 1", key);
    out->kind = kind;
    out->n = json_integer_value(value);
    return COVEY_OK;
}

static covey_status read_interval(covey_hierarchy_spec *out, const json_t *value, covey_arena *arena, covey_error *err)
{
    const char *from = json_string_value(json_object_get(value, "from")),
               *to = json_string_value(json_object_get(value, "to"));
    const json_t *clamp = json_object_get(value, "clamp");

    if (!from || !to || (clamp && !json_is_boolean(clamp)))
        return covey_fail(
            err, COVEY_EINVAL,
            "\"interval\" must have the texts \"from\" and \"to\", \"widths\", and perhaps \"clamp\": true");
    COVEY_TRY(read_list(&out->widths, &out->n_widths, "widths", json_object_get(value, "widths"), arena, err));
    out->from = covey_arena_strdup(arena, from);
    out->to = covey_arena_strdup(arena, to);
    if (!out->from || !out->to)
        return covey_i_no_memory(err);
    out->clamp = json_is_true(clamp);
    out->kind = COVEY_HIERARCHY_INTERVAL;
    return COVEY_OK;
}

static covey_status read_cuts(covey_hierarchy_spec *out, const json_t *value, covey_arena *arena, covey_error *err)
{
    size_t n = json_array_size(value);
    const char *const **cuts = covey_arena_array(arena, const char *const *, n);
    size_t *n_cuts = covey_arena_array(arena, size_t, n);

    if (!json_is_array(value) || n == 0)
        return covey_fail(err, COVEY_EINVAL, "\"cuts\" must be a list of lists of texts");
    if (!cuts || !n_cuts)
        return covey_i_no_memory(err);
    for (size_t level = 0; level < n; level++)
        COVEY_TRY(read_list(&cuts[level], &n_cuts[level], "cuts", json_array_get(value, level), arena, err));
    out->cuts = cuts;
    out->n_cuts = n_cuts;
    out->n_levels = n;
    out->kind = COVEY_HIERARCHY_CUTS;
    return COVEY_OK;
}

static covey_status read_top(covey_hierarchy_spec *out, const json_t *value, covey_arena *arena, covey_error *err)
{
    const json_t *n = json_object_get(value, "n"), *from = json_object_get(value, "from"),
                 *widths = json_object_get(value, "widths");

    if (!json_is_integer(n) || (from && !json_is_string(from)))
        return covey_fail(err, COVEY_EINVAL,
                          "\"top\" must have the whole number \"n\", and perhaps the text \"from\" and \"widths\"");
    if (widths)
        COVEY_TRY(read_list(&out->widths, &out->n_widths, "widths", widths, arena, err));
    if (from && !(out->from = covey_arena_strdup(arena, json_string_value(from))))
        return covey_i_no_memory(err);
    out->n = json_integer_value(n);
    out->kind = COVEY_HIERARCHY_TOP;
    return COVEY_OK;
}

static covey_status read_lines(covey_hierarchy_spec *out, const json_t *value, covey_arena *arena, covey_error *err)
{
    const char *text = json_string_value(json_object_get(value, "text"));
    const json_t *delimiter = json_object_get(value, "delimiter");

    if (!text || (delimiter && (!json_is_string(delimiter) || json_string_length(delimiter) != 1)))
        return covey_fail(err, COVEY_EINVAL,
                          "\"lines\" must have the text \"text\", and perhaps \"delimiter\", one character");
    if (!(out->text = covey_arena_strdup(arena, text)))
        return covey_i_no_memory(err);
    out->delimiter = delimiter ? json_string_value(delimiter)[0] : '\0';
    out->missing_leaf_root = true;
    out->kind = COVEY_HIERARCHY_FILE;
    return COVEY_OK;
}

covey_status covey_i_hierarchy_spec_read(covey_hierarchy_spec *out, const json_t *value, covey_arena *arena,
                                         covey_error *err)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;
    const json_t *item;

    if (json_object_size(value) != 1)
        return covey_fail(err, COVEY_EINVAL,
                          "a hierarchy's specification is an object with one key, such as {\"mask\": 5}");
    if ((item = json_object_get(value, "mask"))) {
        COVEY_TRY(read_number(&spec, COVEY_HIERARCHY_MASK, "mask", item, err));
    } else if ((item = json_object_get(value, "balanced"))) {
        COVEY_TRY(read_number(&spec, COVEY_HIERARCHY_BALANCED, "balanced", item, err));
    } else if ((item = json_object_get(value, "interval"))) {
        COVEY_TRY(read_interval(&spec, item, arena, err));
    } else if ((item = json_object_get(value, "cuts"))) {
        COVEY_TRY(read_cuts(&spec, item, arena, err));
    } else if ((item = json_object_get(value, "date"))) {
        COVEY_TRY(read_list(&spec.units, &spec.n_units, "date", item, arena, err));
        spec.kind = COVEY_HIERARCHY_DATE;
    } else if ((item = json_object_get(value, "top"))) {
        COVEY_TRY(read_top(&spec, item, arena, err));
    } else if ((item = json_object_get(value, "zip3"))) {
        COVEY_TRY(read_list(&spec.areas, &spec.n_areas, "zip3", item, arena, err));
        spec.kind = COVEY_HIERARCHY_ZIP3;
    } else if ((item = json_object_get(value, "lines"))) {
        COVEY_TRY(read_lines(&spec, item, arena, err));
    } else if (json_is_true(json_object_get(value, "suppression"))) {
        spec.kind = COVEY_HIERARCHY_SUPPRESSION;
    } else {
        return covey_fail(err, COVEY_EINVAL,
                          "unknown kind of hierarchy; the kinds are mask, balanced, interval, cuts, date, "
                          "suppression, top, zip3, lines");
    }
    *out = spec;
    return COVEY_OK;
}
