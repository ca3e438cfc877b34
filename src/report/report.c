/* A report from a release: facts first, then the page that tells them, as HTML or Markdown. */
#include <covey/report.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/newfile.h"
#include "base/threads.h"
#include "report/facts.h"
#include "report/page.h"

static covey_status write_page(covey_text *out, const covey_facts *facts, covey_report_format format, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_page page = {.arena = &arena};
    covey_status status = COVEY_OK;

    covey_i_facts_tell(&page, facts);
    if (page.broken)
        status = covey_i_no_memory(err);
    else
        (format == COVEY_REPORT_MARKDOWN ? covey_i_page_markdown : covey_i_page_html)(out, &page);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_report_make(covey_report *out, const char *folder, const covey_report_options *options,
                               const covey_run *run, covey_error *err)
{
    static const covey_report_options usual = {0};
    covey_text text = COVEY_TEXT_INIT;
    covey_facts facts = {0};
    covey_status status;

    if (!options)
        options = &usual;
    covey_i_threads_crew_begin();
    if ((status = covey_i_facts_gather(&facts, folder, options, run, err)) == COVEY_OK)
        status = options->format == COVEY_REPORT_JSON ? covey_i_facts_json(&text, &facts, err)
                                                      : write_page(&text, &facts, options->format, err);
    if (status == COVEY_OK && text.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK) {
        *out = (covey_report){.text = text.bytes, .size = text.size, .holds = facts.verdict->holds};
        text = (covey_text)COVEY_TEXT_INIT;
    }
    covey_i_text_free(&text);
    covey_i_facts_clear(&facts);
    covey_i_threads_crew_end();
    return status;
}

void covey_report_clear(covey_report *report)
{
    covey_i_free(report->text);
    *report = (covey_report){0};
}

/* All formats of it: a report that is written as HTML may stand in the place of one that was Markdown. */
static const covey_beginning beginnings[] = {
    {"<!DOCTYPE html>\n<html lang=\"en\">", "<title>Report on an anonymized release"},
    {"# Report on an anonymized release", NULL},
    {"{\n  \"internal\": ", "\"promises\": ["},
};

static const covey_product product = {.noun = "report of covey", COVEY_BEGINNINGS(beginnings)};

covey_status covey_report_write(bool *holds, const char *path, bool force, const char *folder,
                                const covey_report_options *options, const covey_run *run, covey_error *err)
{
    covey_report report = {0};
    covey_newfile *file;
    covey_status status;

    COVEY_TRY(covey_i_newfile_begin(&file, path, force ? &product : NULL, err));
    status = covey_report_make(&report, folder, options, run, err);
    if (status == COVEY_OK) {
        *holds = report.holds;
        covey_i_outfile_write(covey_i_newfile_stream(file), report.text, report.size);
        status = covey_i_newfile_commit(file, err);
    } else {
        covey_i_newfile_abort(file);
    }
    covey_report_clear(&report);
    return status;
}
