/* Reports: what a release promises, what it achieves and what it does not, for people who have to answer for it. */
#ifndef COVEY_REPORT_H
#define COVEY_REPORT_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum covey_report_format {
    COVEY_REPORT_HTML = 0, /* one page that needs no other file and no network */
    COVEY_REPORT_MARKDOWN,
    COVEY_REPORT_JSON
} covey_report_format;

typedef struct covey_report_options {
    const char *original; /* NULL, or the table the release was made from: the report is internal then, and says so */
    /* Each NULL, or with the original: */
    const char *links;  /* the publisher's list of the class of each row: proves promises over units */
    const char *entity; /* the column that names persons, where neither links nor the ledger do: what is proven over
                         * units without them; of a release by rows, how likely one is found */
    const char *within; /* beside entity: the column of what persons are part of */
    const char *weight; /* the column of sampling weights: the risk among all people for whom the rows stand */
    /* NULL, or the publisher's ledger of m-invariant releases, by which the release is compared with the original */
    const char *releases_ledger;
    covey_report_format format;
} covey_report_options;

typedef struct covey_report {
    char *text;
    size_t size; /* NUL-terminated behind size bytes; UTF-8 */
    bool holds;  /* does the release keep all its promises? */
} covey_report;

/**
 * Reads, verifies, measures and attacks a release, and writes down what that means.
 *
 * Without an original the report says nothing that the release does not contain.  Texts from data are inert in it:
 * markup, formulas, control characters and those that turn the direction of writing.
 *
 * @param out  receives the report; give it back with covey_report_clear
 * @return COVEY_OK, whether or not the release holds; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE if the release cannot be
 * read or is not in order; COVEY_EINVAL if the original is not the table that it was made from, or options do not go
 * together or with the release; COVEY_ECANCELLED; COVEY_ENOMEM
 */
COVEY_API covey_status covey_report_make(covey_report *out, const char *folder, const covey_report_options *options,
                                         const covey_run *run, covey_error *err);
/* Gives back what a report points to, and zeroes it; one that is all zeros is allowed. */
COVEY_API void covey_report_clear(covey_report *report);

/**
 * The same to a file, complete or not at all.  Whether it can be written is known before the work.
 *
 * @param holds  receives whether the release keeps all its promises
 * @param force  a report that is there already is replaced
 * @return as covey_report_make; COVEY_EEXIST for a file that may not be replaced; COVEY_ENOTFOUND, COVEY_EIO about the
 * place
 */
COVEY_API covey_status covey_report_write(bool *holds, const char *path, bool force, const char *folder,
                                          const covey_report_options *options, const covey_run *run, covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
