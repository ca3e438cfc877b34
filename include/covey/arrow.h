/* Tables in memory: anything that speaks the Arrow C data interface goes in and comes out without a file.
 *
 *     covey_arrow_data *data = NULL;
 *     covey_arrow_data_new(&data, &stream, NULL, &err);                takes the stream over
 *     covey_policy_set(policy, "input", covey_arrow_data_source(data), &err);
 *     covey_anonymize(...);                                            reads it like a file of that name
 *     covey_arrow_data_free(data);
 *
 * Wherever a table is named (the input of a policy, an original, covey_table_read, covey_inspect), the source of such
 * data stands for it while it lives.  It is the same table as the CSV file of the same values.  Source: Apache Arrow,
 * "The Arrow C data interface" and "The Arrow C stream interface", whose structs follow as they are given there. */
#ifndef COVEY_ARROW_H
#define COVEY_ARROW_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* A table in memory that can be read as often as wanted, by several threads at once. */
typedef struct covey_arrow_data covey_arrow_data;

/**
 * Takes a stream of record batches over: all of it is fetched, and the stream is released, on failure too.
 *
 * Values are not looked at before the table is read, and never copied but into codes.  Understood are integers of all
 * widths, floats (NaN is a missing value; written with as few digits as tell them from their neighbours), decimals,
 * booleans (true, false), dates (YYYY-MM-DD), times, timestamps (YYYY-MM-DD if all of a column are midnights without a
 * time zone, else YYYY-MM-DD HH:MM:SS with the fraction that the column needs, those of a time zone in UTC and with
 * +00:00 behind), texts (string, large_string, string_view), dictionaries and runs (run-end encoded) of these, and
 * columns of nulls.  A column of another type is an error only when a table is read that needs it.
 *
 * @param out  receives the data; give them back with covey_arrow_data_free
 * @return COVEY_OK; COVEY_EINVAL for a stream whose items are no record batches; COVEY_EIO with what the stream says
 * when it fails; COVEY_ECANCELLED; COVEY_ENOMEM
 */
COVEY_API covey_status covey_arrow_data_new(covey_arrow_data **out, struct ArrowArrayStream *stream,
                                            const covey_run *run, covey_error *err);
/* Gives data back; calls that are reading it go on. NULL allowed. */
COVEY_API void covey_arrow_data_free(covey_arrow_data *data);
/* What the data are called where a path is taken: "arrow:1", unique in the process; borrowed while the data live. */
COVEY_API const char *covey_arrow_data_source(const covey_arrow_data *data);
/* Rows of all batches. */
COVEY_API int64_t covey_arrow_data_n_rows(const covey_arrow_data *data);
/* Columns, whatever their types. */
COVEY_API size_t covey_arrow_data_n_columns(const covey_arrow_data *data);

/* Reads a file of another program as a stream, with run's progress function asked now and then; COVEY_ECANCELLED if
 * that says so, COVEY_EINVAL with the file for one that cannot be read. */
typedef covey_status (*covey_foreign_reader)(struct ArrowArrayStream *out, const char *path, const covey_run *run,
                                             covey_error *err);

/**
 * Says who reads files of other programs (SPSS, Stata, SAS, Excel, OpenDocument, Parquet, Arrow) in this process, from
 * any thread: covey_table_read knows them by their first bytes and calls it.
 *
 * @param reader  NULL: nobody, as at the start; such a file is COVEY_EINVAL then, with what to install
 */
COVEY_API void covey_foreign_set_reader(covey_foreign_reader reader);

/* Writes a table of a release as a file of another program, whose ending says which; manifest.json in the folder of the
 * release has its labels.  The stream is the writer's.  COVEY_EEXIST or COVEY_EINVAL for a file that is there, unless
 * force is set; COVEY_EINVAL for what the format cannot hold; COVEY_EIO. */
typedef covey_status (*covey_foreign_writer)(struct ArrowArrayStream *table, const char *release, const char *path,
                                             bool force, const covey_run *run, covey_error *err);

/**
 * Says who writes files of other programs in this process, from any thread: covey_export knows them by their ending.
 *
 * @param writer  NULL: nobody, as at the start; such a target is COVEY_EINVAL then, with what to install
 */
COVEY_API void covey_foreign_set_writer(covey_foreign_writer writer);

#ifdef __cplusplus
}
#endif
#endif
