/* [[leaf, parent, ..., root], ...]: the lines of a hierarchy file in a policy or a parameter, as the text that the file
 * would have, so that both are read by the same code. */
#include "hierarchy/hierarchy_impl.h"

#include <string.h>

#include "base/csv_cell.h"

static const covey_yaml *add_line(covey_text *text, const covey_yaml *line)
{
    if (line->kind != COVEY_YAML_LIST || line->n < 2)
        return line;
    for (size_t i = 0; i < line->n; i++) {
        const covey_yaml *cell = line->item[i];

        if (cell->kind != COVEY_YAML_SCALAR || covey_i_yaml_is_nothing(cell))
            return cell;
        if (i)
            covey_i_text_add_char(text, COVEY_LINES_DELIMITER);
        covey_i_csv_add_cell(text, cell->text, strlen(cell->text), COVEY_LINES_DELIMITER);
    }
    covey_i_text_add_char(text, '\n');
    return NULL;
}

const covey_yaml *covey_i_hierarchy_lines(covey_text *text, const covey_yaml *node)
{
    const covey_yaml *wrong = node->kind != COVEY_YAML_LIST || node->n == 0 ? node : NULL;

    for (size_t i = 0; i < node->n && !wrong; i++)
        wrong = add_line(text, node->item[i]);
    return wrong;
}
