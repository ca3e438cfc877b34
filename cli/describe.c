/* What a model's or method's parameters are, for people and programs. */
#include "print.h"

#include <string.h>

static const char *type_name(covey_param_type type)
{
    static const char *const names[] = {
        [COVEY_PARAM_INTEGER] = "integer", [COVEY_PARAM_RATIO] = "number", [COVEY_PARAM_BOOL] = "boolean",
        [COVEY_PARAM_CHOICE] = "choice",   [COVEY_PARAM_TEXT] = "text",    [COVEY_PARAM_TREE] = "yaml"};

    return names[type];
}

static json_t *json_choices(const char *const *choices)
{
    json_t *list = json_array();

    if (!choices) {
        json_decref(list);
        return json_null();
    }
    for (; *choices; choices++)
        json_array_append_new(list, cli_json_text(*choices));
    return list;
}

static json_t *json_param(const covey_param *param)
{
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:b, s:o, s:o, s:s}", "name", param->name, "type",
                     type_name(param->type), "required", param->required, "default",
                     cli_json_text_or_null(param->fallback), "minimum", cli_json_text_or_null(param->minimum),
                     "minimum_excluded", param->minimum_open, "maximum", cli_json_text_or_null(param->maximum),
                     "choices", json_choices(param->type == COVEY_PARAM_CHOICE ? param->choices : NULL), "help",
                     param->help);
}

json_t *cli_json_params(const covey_param *list, size_t n)
{
    json_t *params = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(params, json_param(&list[i]));
    return params;
}

static void print_bounds(const covey_param *param)
{
    switch (param->type) {
    case COVEY_PARAM_INTEGER:
        fputs("whole number", stdout);
        break;
    case COVEY_PARAM_RATIO:
        fputs("decimal or fraction", stdout);
        break;
    case COVEY_PARAM_BOOL:
        fputs("true or false", stdout);
        break;
    case COVEY_PARAM_CHOICE:
        for (size_t i = 0; param->choices[i]; i++)
            printf("%s%s", i == 0 ? "" : param->choices[i + 1] ? ", " : " or ", param->choices[i]);
        break;
    case COVEY_PARAM_TEXT:
        fputs("text", stdout);
        break;
    case COVEY_PARAM_TREE:
        fputs("YAML", stdout);
        break;
    }
    if (param->minimum)
        printf(param->minimum_open ? ", greater than %s" : ", at least %s", param->minimum);
    if (param->maximum)
        printf(", at most %s", param->maximum);
    if (param->required)
        fputs(", required", stdout);
    else if (param->fallback)
        printf(", default %s", param->fallback);
}

void cli_print_params(const covey_param *list, size_t n)
{
    const int indent = 4;

    for (size_t i = 0; i < n; i++) {
        /* A short name is not followed by more blanks than one. */
        const int written = printf("%*s%s: ", indent, "", list[i].name);

        cli_print_folded(stdout, indent + 4, written > indent + 4 ? written : indent + 4, list[i].help);
        printf("%*s", indent + 4, "");
        print_bounds(&list[i]);
        putchar('\n');
    }
}
