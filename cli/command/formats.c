/* covey formats: the files that are read and written, and the forms of releases. */
#include "args.h"
#include "print.h"

static json_t *json_formats(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < covey_format_count(); i++) {
        const covey_format *f = covey_format_at(i);

        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b, s:b, s:s, s:s?}", "name", f->name, "summary",
                                              f->summary, "reads", f->reads, "writes", f->writes, "built", f->is_built,
                                              "source", f->source, "needs", f->is_built ? NULL : f->needs));
    }
    return list;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes;
    if (call->json)
        return cli_print_json(json_pack("{s:o}", "formats", json_formats()), err);
    for (size_t i = 0; i < covey_format_count(); i++) {
        const covey_format *f = covey_format_at(i);
        char text[512];

        printf("%s\n    ", f->name);
        cli_print_folded(stdout, 4, 4, f->summary);
        snprintf(text, sizeof text, "%s%s%s; source: %s",
                 f->reads && f->writes ? "read and written"
                 : f->reads            ? "read"
                                       : "written",
                 f->is_built ? ""
                 : f->needs  ? " by the command of the Python package: "
                             : ", but not built in",
                 !f->is_built && f->needs ? f->needs : "", f->source);
        printf("    ");
        cli_print_folded(stdout, 4, 4, text);
    }
    return COVEY_OK;
}

const cli_command cli_command_formats = {
    .name = "formats",
    .summary = "lists the formats that are read and written",
    .operands = "",
    .description =
        "Lists the formats of tables, files and databases: of the data that is read, and of what is written.",
    .run = run,
};
