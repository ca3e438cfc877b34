/* Tables from texts and to texts, and folders for files. */
#include "test.h"

#include <dirent.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "support/csvs.h"
#include "io/csv/read.h"

static char folder[256];

covey_infile csv_of_bytes(const char *bytes, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + COVEY_INFILE_PADDING + page - 1) / page * page;
    const size_t start = whole - COVEY_INFILE_PADDING - size;
    const int fd = memfd_create("csv", MFD_CLOEXEC);
    char *mapping = mmap(NULL, whole + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(fd >= 0 && mapping != MAP_FAILED);
    assert_int_equal(ftruncate(fd, (off_t)whole), 0);
    assert_int_equal(pwrite(fd, bytes, size, (off_t)start), size);
    assert_true(mmap(mapping, whole, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == mapping);
    assert_int_equal(close(fd), 0);
    return (covey_infile){.bytes = mapping + start, .size = size, .mapping = mapping, .mapping_size = whole + page};
}

covey_status csv_read_text(covey_table **out, const char *text, const covey_csv_options *options, size_t chunk_size,
                           covey_error *err)
{
    covey_infile file = csv_of_bytes(text, strlen(text));
    const covey_run run = {.n_threads = 3};
    const covey_status status = covey_i_csv_read_file(out, &file, "t.csv", options, chunk_size, &run, err);

    covey_i_infile_close(&file);
    return status;
}

covey_table *csv_table(const char *text)
{
    covey_table *table = NULL;
    covey_error err;

    if (csv_read_text(&table, text, NULL, 0, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return table;
}

covey_table *csv_read_file(const char *name)
{
    covey_table *table = NULL;
    covey_error err;

    if (covey_csv_read(&table, csv_path(name), NULL, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", name, err.message);
    return table;
}

const char *csv_cell(const covey_table *table, size_t column, int64_t row)
{
    const covey_column *c = covey_table_column(table, column);

    return covey_column_label(c, covey_column_code(c, row));
}

static bool columns_agree(const covey_column *a, const covey_column *b)
{
    if (strcmp(a->name, b->name) || a->type != b->type || a->n_rows != b->n_rows || a->n_values != b->n_values ||
        a->width != b->width || a->has_null != b->has_null)
        return false;
    for (uint32_t v = 0; v < a->n_values; v++)
        if (covey_column_label_size(a, v) != covey_column_label_size(b, v) ||
            memcmp(covey_column_label(a, v), covey_column_label(b, v), covey_column_label_size(a, v)))
            return false;
    return a->n_rows == 0 || memcmp(a->codes, b->codes, (size_t)a->n_rows * (size_t)a->width) == 0;
}

bool csv_tables_agree(const covey_table *a, const covey_table *b)
{
    if (covey_table_n_rows(a) != covey_table_n_rows(b) || covey_table_n_columns(a) != covey_table_n_columns(b))
        return false;
    for (size_t c = 0; c < covey_table_n_columns(a); c++)
        if (!columns_agree(covey_table_column(a, c), covey_table_column(b, c)))
            return false;
    return true;
}

const char *csv_folder(void)
{
    assert_true(test_folder(folder, sizeof folder, "test"));
    return folder;
}

void csv_folder_remove(void)
{
    assert_int_equal(covey_i_folder_remove(folder, NULL), COVEY_OK);
}

const char *csv_path(const char *name)
{
    static char path[4][512];
    static int next;

    next = (next + 1) % 4; /* a test may hold several */
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

void csv_put_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *csv_get_file(size_t *size, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;

    *size = 0;
    if (!file)
        return NULL;
    do {
        bytes = realloc(bytes, *size + 65537);
        assert_non_null(bytes);
        *size += fread(bytes + *size, 1, 65536, file);
    } while (!feof(file) && !ferror(file));
    fclose(file);
    bytes[*size] = '\0';
    return bytes;
}

char *csv_get_folder(const char *where)
{
    struct dirent **entry;
    const int n = scandir(where, &entry, NULL, alphasort);
    covey_text out = COVEY_TEXT_INIT;

    assert_true(n >= 0);
    for (int i = 0; i < n; i++) {
        char path[1024], *bytes = NULL;
        struct stat facts;
        size_t size;

        snprintf(path, sizeof path, "%s/%s", where, entry[i]->d_name);
        assert_int_equal(stat(path, &facts), 0);
        if (entry[i]->d_name[0] != '.') {
            bytes = S_ISDIR(facts.st_mode) ? csv_get_folder(path) : csv_get_file(&size, path);
            covey_i_text_add_format(&out, "%s\n%s\n", entry[i]->d_name, bytes);
        }
        free(bytes);
        free(entry[i]);
    }
    free(entry);
    assert_false(out.broken);
    return out.bytes ? out.bytes : strdup("");
}
