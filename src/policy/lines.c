/* {lines: [[leaf, parent, ..., root], ...]}: a hierarchy file's lines in the policy itself. They are kept as the text
 * that the file would have, so that both are read by the same code. */
#include "policy/policy_impl.h"

#include <string.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"

/* What is no line or cell of one, said so. */
static covey_status complain(const covey_policy_reader *r, const covey_yaml *node, const covey_yaml *wrong)
{
    if (wrong == node)
        return covey_i_policy_expected(r, node, "lines",
                                       "a list with one line per value, such as [[a, ab, \"*\"], [b, ab, \"*\"]]");
    for (size_t i = 0; i < node->n; i++)
        if (wrong == node->item[i])
            return covey_i_policy_expected(r, wrong, "a line",
                                           "a list of a value, its ancestors level by level and the root, such as "
                                           "[Private, Employee, \"*\"]");
    return covey_i_policy_expected(r, wrong, "a line", "a list of texts");
}

static int64_t count_line_ends(const covey_yaml *line)
{
    int64_t n = 0;

    for (size_t i = 0; i < line->n; i++)
        for (const char *c = line->item[i]->text; *c; c++)
            n += *c == '\n';
    return n;
}

/* The item whose text the row of the file belongs to. */
static const covey_yaml *item_of_row(const covey_yaml *node, int64_t row)
{
    int64_t next = 1;

    for (size_t i = 0; i < node->n; i++)
        if ((next += 1 + count_line_ends(node->item[i])) > row)
            return node->item[i];
    return node;
}

/* What is wrong with the lines whatever the data are. */
static covey_status check(const covey_policy_reader *r, const covey_hierarchy_spec *spec, const covey_yaml *node)
{
    covey_hierarchy *hierarchy = NULL;
    covey_error error = {.status = COVEY_OK};
    const covey_status status = covey_hierarchy_build(&hierarchy, spec, NULL, NULL, &error);

    covey_hierarchy_free(hierarchy);
    if (status == COVEY_OK)
        return COVEY_OK;
    if (status == COVEY_ENOMEM)
        return covey_i_no_memory(r->err);
    return covey_i_policy_complain(r, item_of_row(node, error.row), COVEY_EINVAL, "%s", error.message);
}

covey_status covey_i_policy_read_lines(const covey_policy_reader *r, covey_hierarchy_spec *spec, const covey_yaml *node)
{
    covey_text text = COVEY_TEXT_INIT;
    const covey_yaml *wrong = covey_i_hierarchy_lines(&text, node);
    covey_status status = wrong ? complain(r, node, wrong) : COVEY_OK;

    if (status == COVEY_OK &&
        (text.broken || !(spec->text = covey_arena_strndup(&r->policy->own->arena, text.bytes, text.size))))
        status = covey_i_no_memory(r->err);
    covey_i_text_free(&text);
    if (status != COVEY_OK)
        return status;
    spec->kind = COVEY_HIERARCHY_FILE;
    spec->delimiter = COVEY_LINES_DELIMITER;
    return check(r, spec, node);
}

void covey_i_policy_print_lines(covey_text *out, const covey_hierarchy_spec *spec)
{
    covey_csv_parser parser;
    bool more = false, first = true;

    covey_i_csv_parser_init(&parser, spec->text, strlen(spec->text), spec->delimiter);
    covey_i_text_add_string(out, "lines: [");
    /* The text was read before: what can fail is memory alone. */
    while (!out->broken) {
        if (covey_i_csv_parser_next(&more, &parser, NULL, NULL) != COVEY_OK)
            out->broken = true;
        if (out->broken || !more)
            break;
        covey_i_text_add_string(out, first ? "" : ", ");
        first = false;
        for (size_t i = 0; i < parser.n_fields; i++) {
            covey_i_text_add_string(out, i ? ", " : "[");
            covey_i_yaml_print_scalar(out, covey_i_csv_field(&parser, i));
        }
        covey_i_text_add_char(out, ']');
    }
    covey_i_text_add_char(out, ']');
    covey_i_csv_parser_clear(&parser);
}
