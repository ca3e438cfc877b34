/* covey formats: the files that are read and written, and the forms of releases. */
#include "args.h"
#include "print.h"

static const struct format {
    const char *name, *summary, *source;
    bool reads, writes;
} formats[] = {
    {"csv", "comma-separated values in UTF-8; reading guesses among , ; TAB and |", "RFC 4180", true, true},
    {"csv.gz", "the same, compressed with gzip; reading tells it from the content, not from the name", "RFC 1952", true, true},
    {"csv.zst", "the same, compressed with Zstandard; reading tells it from the content, not from the name", "RFC 8878", true, true},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static json_t *json_formats(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < N_FORMATS; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b, s:s}", "name", formats[i].name, "summary", formats[i].summary, "reads",
                                              formats[i].reads, "writes", formats[i].writes, "source", formats[i].source));
    return list;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes;
    if (call->json)
        return cli_print_json(json_pack("{s:o}", "formats", json_formats()), err);
    for (size_t i = 0; i < N_FORMATS; i++) {
        const struct format *f = &formats[i];

        printf("%s\n    ", f->name);
        cli_print_folded(stdout, 4, 4, f->summary);
        printf("    %s; source: %s\n", f->reads && f->writes ? "read and written" : f->reads ? "read" : "written", f->source);
    }
    return COVEY_OK;
}

const cli_command cli_command_formats = {
    .name = "formats",
    .summary = "lists the file formats that are read and written",
    .operands = "",
    .description = "Lists the formats of tables: of the data that is read, and of what is written.",
    .run = run,
};
