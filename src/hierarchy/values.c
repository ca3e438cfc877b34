/* Labels of values and of ranges, and the order of numbers, for all makers of hierarchies. */
#include "hierarchy/values.h"

void covey_i_hierarchy_add_number(covey_text *out, covey_type type, int64_t number, int scale)
{
    char text[64];

    for (; type == COVEY_TYPE_DECIMAL && scale > 0 && number % 10 == 0; scale--)
        number /= 10;
    covey_i_text_add(out, text, covey_i_typing_format_number(text, sizeof text, type, number, scale));
}

void covey_i_hierarchy_path_range(covey_path *path, covey_type type, int64_t low, int64_t high, int scale)
{
    covey_text *out = &path->text;

    if (type == COVEY_TYPE_DECIMAL) {
        covey_i_text_add_char(out, '[');
        covey_i_hierarchy_add_number(out, type, low, scale);
        covey_i_text_add_char(out, ',');
        covey_i_hierarchy_add_number(out, type, high, scale);
        covey_i_text_add_char(out, ')');
    } else {
        covey_i_hierarchy_add_number(out, type, low, scale);
        if (high - 1 > low) {
            covey_i_text_add_string(out, type == COVEY_TYPE_DATE || low < 0 ? ".." : "-");
            covey_i_hierarchy_add_number(out, type, high - 1, scale);
        }
    }
    covey_i_hierarchy_path_close(path);
}

void covey_i_hierarchy_path_end(covey_path *path, const char *sign, covey_type type, int64_t number, int scale)
{
    covey_i_text_add_string(&path->text, sign);
    covey_i_hierarchy_add_number(&path->text, type, number, scale);
    covey_i_hierarchy_path_close(path);
}

bool covey_i_hierarchy_rescale(int64_t *number, int from, int to)
{
    if (from < to)
        return covey_i_typing_rescale_number(number, from, to);
    for (; from > to; from--) {
        if (*number % 10 != 0)
            return false;
        *number /= 10;
    }
    return true;
}
