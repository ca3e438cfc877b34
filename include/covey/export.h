/* Export: a release as tables of a database, or as files of another format. */
#ifndef COVEY_EXPORT_H
#define COVEY_EXPORT_H

#include <covey/arrow.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_export_options {
    bool force;        /* an earlier export that is there already is replaced */
    bool safe_cells;   /* csv: what a spreadsheet would take for a formula gets an apostrophe in front */
    const char *table; /* of a release with several, which one goes into a single file; NULL: it has one */
} covey_export_options;

typedef struct covey_exported_table {
    const char *name;
    int64_t n_rows;
    size_t n_columns;
} covey_exported_table;

typedef struct covey_export_report {
    const char *target; /* without passwords */
    size_t n_tables;
    const covey_exported_table *table; /* [n_tables] */
    void *own;                         /* owns all of it */
} covey_export_report;

/**
 * Writes the tables of a release to a target, all of them or nothing.
 *
 * @param report  receives what was written; give it back with covey_export_report_clear.  NULL: nobody asks
 * @param target  sqlite:FILE; postgresql://USER@HOST/DATABASE, the schema with ?schema=S (it is made if it is not
 * there; the search path's where left out); jsonl:FOLDER, csv:FOLDER: a new folder with a file per table; a file of
 * another program, by its ending (.parquet, .sav, .dta, .xlsx ...), which whoever covey_foreign_set_writer
 * (covey/arrow.h) named writes: one table, with the labels of the input
 *
 * Tables are named after the CSV files, columns after their headers; hierarchies are tables hierarchy_NAME.  What the
 * tables mean, and what stands beside them for queries, is in docs/export.md.  Types come from the manifest.
 *
 * A new SQLite file is filled beside its target and renamed at the end; one that is there already, and a server, are
 * given everything in one transaction, in which what an earlier export made goes and everything else stays
 * (docs/export.md).
 *
 * @return COVEY_OK; COVEY_EEXIST if a file, folder or table of the name is there and options->force is not set, or is
 * none that covey may replace; COVEY_EPARSE, COVEY_ENOTFOUND for a release that cannot be read or is not as its
 * manifest says; COVEY_EINVAL for a target that cannot be understood or whose support is not built in, and for names
 * that it cannot tell apart; COVEY_EIO for a disk or server that fails; COVEY_ECANCELLED; COVEY_ENOMEM
 */
COVEY_API covey_status covey_export(covey_export_report *report, const char *release, const char *target,
                                    const covey_export_options *options, const covey_run *run, covey_error *err);
/* Gives back what a report points to, and zeroes it; one that is all zeros is allowed. */
COVEY_API void covey_export_report_clear(covey_export_report *report);

/**
 * Gives one table of a release as an Arrow stream: integers as int64, exact decimals as decimal128, figures as double,
 * dates as date32, everything else (labels, ranges, texts) as a dictionary of utf8.
 *
 * @param out    receives the stream, which needs neither the release nor anything else; whoever has it releases it
 * @param table  the file without .csv: "table", "quasi", "column-1"; "hierarchy_NAME" for a hierarchy
 * @return COVEY_OK; COVEY_ENOTFOUND for a release or table that is not there; COVEY_EPARSE if it cannot be read (hashes
 * are not checked: covey_verify does that); COVEY_EINVAL for a column whose different texts have more than 2 GiB;
 * COVEY_ENOMEM
 */
COVEY_API covey_status covey_export_stream(struct ArrowArrayStream *out, const char *release, const char *table,
                                           const covey_run *run, covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
