/* A policy to start from, with a comment for every choice.  Comments hold counts and our own words only, never a text
 * of the file, which might end the comment. */
#include "inspect/inspect_impl.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "policy/file.h"

static void add_head(covey_text *out, const covey_inspection *in)
{
    covey_i_text_add_string(
        out, "# A policy to start from, made by `covey inspect` from names and counts alone.  Read every line: only "
             "you know\n"
             "# what others know of these people, and what must not come out.  See covey-policy(5).\n#\n");
    if (in->n_quasi && in->n_rows)
        covey_i_text_add_format(out,
                                "# %" PRId64 " of %" PRId64
                                " rows (%.1f %%) are the only ones with their values of the quasi-identifiers below.\n",
                                in->n_unique_rows, in->n_rows, 100.0 * (double)in->n_unique_rows / (double)in->n_rows);
    else
        covey_i_text_add_format(out, "# %" PRId64 " row%s.\n", in->n_rows, covey_i_plural(in->n_rows));
    covey_i_text_add_string(out, "version: 1\n");
}

static bool lacks_sensitive_values(const covey_inspection *in)
{
    for (size_t i = 0; i < in->n_columns; i++)
        if (in->column[i].role == COVEY_ROLE_SENSITIVE && in->column[i].n_missing > 0)
            return true;
    return false;
}

static void add_input(covey_text *out, const covey_inspection *in, const char *folder)
{
    covey_text path = COVEY_TEXT_INIT;

    covey_i_text_add_string(out, "input:\n  path: ");
    covey_i_policy_relative(&path, in->path, folder);
    if (path.broken)
        out->broken = true;
    else
        covey_i_yaml_print_scalar(out, path.bytes);
    covey_i_text_free(&path);
    if (in->delimiter) {
        covey_i_text_add_string(out, "\n  delimiter: ");
        covey_i_yaml_print_scalar(out, in->delimiter == '\t' ? "tab" : (const char[]){in->delimiter, '\0'});
    }
    if (in->n_null > 1 || !in->null_guessed) {
        covey_i_text_add_string(out, "\n  null: [");
        for (size_t i = 0; i < in->n_null; i++) {
            covey_i_text_add_string(out, i ? ", " : "");
            covey_i_yaml_print_scalar(out, in->null[i]);
        }
        covey_i_text_add_string(
            out, in->null_guessed ? "]  # these occur and look like missing cells: take out what is a value" : "]");
    }
    if (lacks_sensitive_values(in))
        covey_i_text_add_string(out, "\n  missing-sensitive: value  # a sensitive value that is missing is a value, "
                                     "too; drop leaves such rows out");
    if (in->no_header)
        covey_i_text_add_string(out, "\n  header: false");
    for (size_t i = 0; i < in->n_names; i++) {
        covey_i_text_add_string(out, i ? ", " : "\n  names: [");
        covey_i_yaml_print_scalar(out, in->names[i]);
        covey_i_text_add_string(out, i + 1 < in->n_names ? "" : "]");
    }
    covey_i_text_add_string(out, in->trim ? "\n  trim: true\n" : "\n");
}

static const char *what_becomes_of(covey_role role)
{
    switch (role) {
    case COVEY_ROLE_IDENTIFIER:
        return "dropped";
    case COVEY_ROLE_ENTITY:
        return "whose rows they are: kept together, then dropped";
    case COVEY_ROLE_WEIGHT:
        return "a sampling weight: dropped";
    case COVEY_ROLE_QUASI:
        return "generalized";
    case COVEY_ROLE_SENSITIVE:
        return "protected";
    default:
        return "published as it is";
    }
}

static void add_hierarchy_file(covey_text *out, const char *file, const char *folder)
{
    covey_text path = COVEY_TEXT_INIT;

    covey_i_policy_relative(&path, file, folder);
    covey_i_text_add_string(out, ", hierarchy: {file: ");
    if (path.broken)
        out->broken = true;
    else
        covey_i_yaml_print_scalar(out, path.bytes);
    covey_i_text_add_char(out, '}');
    covey_i_text_free(&path);
}

static void add_attribute(covey_text *out, const covey_inspected_column *c, const char *folder)
{
    covey_i_text_add_format(out, "  # %s (%s); %" PRId64 " value%s, %" PRId64 " missing\n", what_becomes_of(c->role),
                            c->reason, c->n_distinct, covey_i_plural(c->n_distinct), c->n_missing);
    if (c->alternative)
        covey_i_text_add_format(out, "  # in ranges; for fixed classes add hierarchy: %s\n", c->alternative);
    if (c->suspect)
        covey_i_text_add_format(out, "  # if %s means missing here, add it to null above\n", c->suspect);
    if (c->other_date_format)
        covey_i_text_add_format(out, "  # dates? add date-format: %s or date-format: %s, whichever they are\n",
                                c->recoding.date_format, c->other_date_format);
    if (c->other_decimal)
        covey_i_text_add_string(
            out, "  # numbers? add decimal: \",\" or decimal: \".\", whichever stands before decimal places\n");
    covey_i_text_add_string(out, "  - {name: ");
    covey_i_yaml_print_scalar(out, c->name);
    covey_i_text_add_format(out, ", role: %s", covey_role_name(c->role));
    if (!covey_role_is_dropped(c->role) && !c->other_date_format && !c->other_decimal)
        covey_i_text_add_format(out, ", type: %s", covey_type_name(c->type));
    if (!covey_role_is_dropped(c->role) && c->recoding.decimal && !c->other_decimal)
        covey_i_text_add_format(out, ", decimal: \"%c\"", c->recoding.decimal);
    if (!covey_role_is_dropped(c->role) && c->recoding.date_format && !c->other_date_format)
        covey_i_text_add_format(out, ", date-format: %s", c->recoding.date_format);
    if (c->hierarchy_file)
        add_hierarchy_file(out, c->hierarchy_file, folder);
    else if (c->hierarchy)
        covey_i_text_add_format(out, ", hierarchy: %s", c->hierarchy);
    covey_i_text_add_string(out, "}\n");
}

static void add_privacy(covey_text *out, const covey_inspection *in)
{
    bool is_first = true;

    covey_i_text_add_string(
        out, "privacy:\n  # Every row is one of at least k that look alike.\n  - {model: k-anonymity, k: 5}\n");
    for (size_t i = 0; i < in->n_columns; i++) {
        if (in->column[i].role != COVEY_ROLE_SENSITIVE || in->column[i].n_distinct < 2)
            continue;
        if (is_first)
            covey_i_text_add_string(out, "  # k-anonymity alone lets all k share one value.  `covey models` lists "
                                         "stronger promises than two values.\n");
        is_first = false;
        covey_i_text_add_string(out, "  - {model: distinct-l-diversity, attribute: ");
        covey_i_yaml_print_scalar(out, in->column[i].name);
        covey_i_text_add_string(out, ", l: 2}\n");
    }
    covey_i_text_add_string(out, "method: {name: auto}\nsuppression: {limit: 0}  # share of the rows that may be "
                                 "dropped: a little often helps much\n");
}

covey_status covey_inspection_write_policy(const covey_inspection *inspection, const char *path, bool force,
                                           covey_error *err)
{
    const char *slash = strrchr(path, '/');
    covey_text text = COVEY_TEXT_INIT, folder = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    if (folder.broken)
        return covey_i_no_memory(err);
    add_head(&text, inspection);
    add_input(&text, inspection, folder.bytes);
    covey_i_text_add_string(&text, "attributes:\n");
    for (size_t i = 0; i < inspection->n_columns; i++)
        add_attribute(&text, &inspection->column[i], folder.bytes);
    add_privacy(&text, inspection);
    status = covey_i_policy_save(&text, path, force, err);
    covey_i_text_free(&folder);
    covey_i_text_free(&text);
    return status;
}
