/* covey export: a release as tables of a database, or as files of another format. */
#include "args.h"
#include "print.h"
#include "progress.h"

static json_t *json_export(const covey_export_report *report)
{
    json_t *tables = json_array();

    for (size_t i = 0; i < report->n_tables; i++) {
        const covey_exported_table *t = &report->table[i];

        json_array_append_new(tables, json_pack("{s:o, s:I, s:I}", "name", cli_json_text(t->name), "rows",
                                                (json_int_t)t->n_rows, "columns", (json_int_t)t->n_columns));
    }
    return json_pack("{s:o, s:o}", "target", cli_json_text(report->target), "tables", tables);
}

static covey_status print_export(const covey_export_report *report, const char *release, covey_error *err)
{
    cli_table *table = cli_table_new("lrr");

    printf("%s is in %s:\n\n", cli_shown(release), cli_shown(report->target));
    cli_table_add(table, "table");
    cli_table_add(table, "rows");
    cli_table_add(table, "columns");
    for (size_t i = 0; i < report->n_tables; i++) {
        char rows[CLI_COUNT_SIZE];

        cli_table_add(table, "%s", report->table[i].name);
        cli_table_add(table, "%s", cli_count(rows, report->table[i].n_rows));
        cli_table_add(table, "%zu", report->table[i].n_columns);
    }
    return cli_table_print(table, 2, err);
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const char *target = cli_value(call, "to");
    const covey_export_options options = {.force = cli_is_given(call, "force"),
                                          .safe_cells = cli_is_given(call, "safe-cells"),
                                          .table = cli_value(call, "table")};
    covey_export_report report = {0};
    covey_status status;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL,
                          "export needs --to TARGET: sqlite:FILE, postgresql://USER@HOST/DATABASE, jsonl:FOLDER, "
                          "csv:FOLDER, or a file "
                          "of another program (.parquet, .feather, .sav, .dta, .xpt, .xlsx, .ods)");
    status = covey_export(&report, call->operand[0], target, &options, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK && call->json)
        status = cli_print_json(json_export(&report), err);
    else if (status == COVEY_OK && !call->quiet)
        status = print_export(&report, call->operand[0], err);
    covey_export_report_clear(&report);
    return status;
}

static const cli_option options[] = {
    {.name = "to",
     .argument = "TARGET",
     .words = CLI_FILE,
     .help = "sqlite:FILE; postgresql://USER@HOST/DATABASE, the schema with ?schema=NAME; jsonl:FOLDER or csv:FOLDER; "
             "with the command of the Python package also FILE.parquet, .feather, .sav, .dta, .xpt, .xlsx, .ods"},
    {.name = "table", .argument = "NAME", .help = "the one that goes into such a file, of a release with several"},
    {.name = "force",
     .letter = 'f',
     .help = "replace an earlier export: its tables in a database, where others stay, or its folder, if that holds "
             "nothing else"},
    {.name = "safe-cells",
     .help = "to csv: an apostrophe before cells that a spreadsheet would run as formulas (= + - @, and no number)"},
};

const cli_command cli_command_export = {
    .name = "export",
    .summary = "writes a release into a database, or as files of other programs",
    .operands = "RELEASE",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FOLDER,
    .description =
        "Writes every table of a release to a database: tables are named after the CSV files, columns after their "
        "headers, hierarchies "
        "hierarchy_NAME, with types from the manifest, indexes and views. A release whose files are not as its "
        "manifest says is not "
        "exported.\n\n"
        "  covey export release --to sqlite:release.db\n"
        "  covey export release --to 'postgresql://me@host/db?schema=survey'\n"
        "  covey export release --to jsonl:folder\n"
        "  covey export release --to survey.sav\n\n"
        "A file of SPSS, Stata, SAS, Excel, OpenDocument, Parquet or Arrow holds one table, with the labels that the "
        "input had. The command of the Python package writes them (pip install \".[files]\" in the sources of "
        "covey).\n\n"
        "All of it appears or nothing: a new database file is filled beside its target and renamed at the end; one "
        "that is there already, and a "
        "server, are given everything in one transaction. A password is best left to PGPASSWORD or ~/.pgpass.",
    CLI_OPTIONS(options),
    .run = run,
};
