/* Files of statistics programs, spreadsheets and columnar formats. The library knows them by their first bytes and
 * reads none: parsers of such formats are large and crash on hostile files, so they belong into a process of their own,
 * which the Python package starts. */
#include "io/foreign.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/arrow/data.h"
#include "io/arrow/table.h"

enum { HEAD_SIZE = 128, ZIP_NAME = 30 };

static const struct mark {
    const char *bytes;
    size_t size;
    const char *title;
} marks[] = {
#define MARK(text, title)                                                                                              \
    {                                                                                                                  \
        text, sizeof text - 1, title                                                                                   \
    }
    MARK("$FL2", "an SPSS file"),
    MARK("$FL3", "an SPSS file"),
    MARK("<stata_dta>", "a Stata file"),
    MARK("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS data set"),
    MARK("HEADER RECORD*******LIB", "a SAS transport file"),
    MARK("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file"),
    MARK("PAR1", "a Parquet file"),
    MARK("ARROW1", "an Arrow file"),
    MARK("FEA1", "a Feather file"),
#undef MARK
};

static _Atomic(covey_foreign_reader) foreign_reader;
static _Atomic(covey_foreign_writer) foreign_writer;

void covey_foreign_set_reader(covey_foreign_reader reader)
{
    atomic_store(&foreign_reader, reader);
}

void covey_foreign_set_writer(covey_foreign_writer writer)
{
    atomic_store(&foreign_writer, writer);
}

covey_foreign_writer covey_i_foreign_writer(void)
{
    return atomic_load(&foreign_writer);
}

/* Reads the beginning; 0 for what is no regular file: a pipe's bytes come once. */
static size_t read_head(unsigned char head[HEAD_SIZE], const char *path)
{
    struct stat facts;
    ssize_t n = 0;
    int fd;

    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return 0;
    n = read(fd, head, HEAD_SIZE);
    close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* Stata's releases 104 to 115 begin with number, byte order, and 1. */
static bool is_old_stata(const unsigned char *head, size_t n)
{
    return n > 3 && head[0] >= 104 && head[0] <= 115 && (head[1] == 1 || head[1] == 2) && head[2] == 1 && head[3] == 0;
}

const char *covey_i_foreign_title(const char *path)
{
    static const char ods[] = "mimetypeapplication/vnd.oasis.opendocument.spreadsheet";
    unsigned char head[HEAD_SIZE];
    const size_t n = read_head(head, path);

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n >= marks[i].size && memcmp(head, marks[i].bytes, marks[i].size) == 0)
            return marks[i].title;
    if (n >= ZIP_NAME && memcmp(head, "PK\3\4", 4) == 0)
        return n >= ZIP_NAME + sizeof ods - 1 && memcmp(head + ZIP_NAME, ods, sizeof ods - 1) == 0
                   ? "an OpenDocument spreadsheet"
                   : "an Excel file";
    return is_old_stata(head, n) ? "a Stata file" : NULL;
}

covey_status covey_i_foreign_table(covey_table **out, const char *path, const char *title,
                                   const covey_csv_options *options, const covey_run *run, covey_error *err)
{
    const covey_foreign_reader reader = atomic_load(&foreign_reader);
    struct ArrowArrayStream stream = {0};
    covey_arrow_data *data = NULL;
    covey_status status;

    if (!reader)
        return covey_fail_at(
            err, COVEY_EINVAL, path, 0, NULL, 0,
            "is %s, which the command of the Python package reads: " COVEY_FOREIGN_NEEDS "; or save it as CSV", title);
    COVEY_TRY(reader(&stream, path, run, err));
    COVEY_TRY(covey_arrow_data_new(&data, &stream, run, err));
    data->shown = path;
    status = covey_i_arrow_table(out, data->source, options, run, err);
    covey_arrow_data_free(data);
    return status;
}

/* ---- for lists ---- */

/* name, title, summary, source, is it written, endings of what is written */
#define KINDS(K)                                                                                                       \
    K("parquet", "a Parquet file", "Parquet files (.parquet)", "Apache Parquet", true, ".parquet", ".pq")              \
    K("feather", "an Arrow file", "Arrow and Feather files (.arrow, .feather)", "Apache Arrow, the IPC file format",   \
      true, ".feather", ".arrow", ".ipc")                                                                              \
    K("sav", "an SPSS file", "SPSS files (.sav, .zsav), with labels, missing codes and formats", "ReadStat", true,     \
      ".sav", ".zsav")                                                                                                 \
    K("dta", "a Stata file", "Stata files (.dta), with labels, missing codes and formats", "ReadStat", true, ".dta")   \
    K("sas7bdat", "a SAS data set", "SAS data sets (.sas7bdat)", "ReadStat", false, NULL)                              \
    K("xpt", "a SAS transport file", "SAS transport files (.xpt), with labels of columns", "ReadStat, SAS TS-140",     \
      true, ".xpt", ".xport")                                                                                          \
    K("xlsx", "an Excel file", "Excel files (.xlsx)", "ECMA-376", true, ".xlsx")                                       \
    K("xls", "an Excel file", "Excel files of 2003 or before (.xls)", "MS-XLS", false, NULL)                           \
    K("ods", "an OpenDocument spreadsheet", "OpenDocument spreadsheets (.ods)", "ISO/IEC 26300", true, ".ods")

enum { MOST_ENDINGS = 4 };

static const struct kind {
    const char *title;
    const char *ending[MOST_ENDINGS];
} kinds[] = {
#define K(name_, title_, summary_, source_, writes_, ...) {title_, {__VA_ARGS__}},
    KINDS(K)
#undef K
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

#define K(name_, title_, summary_, source_, writes_, ...)                                                              \
    {.name = name_,                                                                                                    \
     .summary = summary_,                                                                                              \
     .source = source_,                                                                                                \
     .reads = true,                                                                                                    \
     .writes = writes_,                                                                                                \
     .is_built = IS_BUILT,                                                                                             \
     .needs = COVEY_FOREIGN_NEEDS},
#define IS_BUILT true
static const covey_format offered[] = {KINDS(K)};
#undef IS_BUILT
#define IS_BUILT false
static const covey_format known[] = {KINDS(K)};
#undef IS_BUILT
#undef K

const covey_format *covey_i_foreign_format(size_t index)
{
    const covey_format *formats = atomic_load(&foreign_reader) ? offered : known;

    return index < N_KINDS ? &formats[index] : NULL;
}

const char *covey_i_foreign_target(const char *path)
{
    const size_t size = strlen(path);

    for (size_t i = 0; i < N_KINDS; i++)
        for (size_t e = 0; e < MOST_ENDINGS && kinds[i].ending[e]; e++) {
            const size_t n = strlen(kinds[i].ending[e]);

            if (size > n && strcasecmp(path + size - n, kinds[i].ending[e]) == 0)
                return kinds[i].title;
        }
    return NULL;
}
