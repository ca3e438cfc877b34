/* The list of files of a manifest.  Files of one table ("table-00001.csv" ...) follow each other, and are one entry. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/foreign.h"
#include "reader/form_impl.h"
#include "reader/stated/keys.h"

enum { DIGITS = 5 };

static bool is_sha256(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

/* The table that a file is a part of, and its number; *table NULL: it is none. */
static covey_status find_table(const char **table, uint32_t *number, covey_manifest_reader *r, const char *name)
{
    static const char ending[] = ".csv";
    const size_t size = strlen(name), tail = 1 + DIGITS + strlen(ending);
    const char *digits = name + size - tail + 1;
    char *own;

    *table = NULL;
    if (size <= tail || digits[-1] != '-' || strspn(digits, "0123456789") != DIGITS ||
        strcmp(digits + DIGITS, ending) != 0)
        return COVEY_OK;
    if (!(own = covey_arena_array(&r->s->arena, char, size)))
        return covey_i_no_memory(r->err);
    snprintf(own, size, "%.*s%s", (int)(size - tail), name, ending);
    if (!r->s->published_as->has_table(own))
        return COVEY_OK;
    *number = 0;
    for (int i = 0; i < DIGITS; i++)
        *number = *number * 10 + (uint32_t)(digits[i] - '0');
    *table = own;
    return COVEY_OK;
}

static covey_status fail_order(covey_manifest_reader *r, const char *table, size_t number)
{
    char expected[256];

    snprintf(expected, sizeof expected, "\"%.*s-%05zu.csv\": the files of a table are listed one after another from 1",
             (int)strlen(table) - (int)strlen(".csv"), table, number);
    return covey_i_key_wrong(r, "name", expected);
}

static covey_status add_part(covey_manifest_reader *r, const covey_stated_part *part, const char *table,
                             uint32_t number, size_t most)
{
    covey_stated *s = r->s;
    covey_stated_file *file = s->n_files > 0 ? &s->file[s->n_files - 1] : NULL;

    if (!file || file->n_parts == 0 || strcmp(file->name, table) != 0) {
        if (number != 1)
            return fail_order(r, table, 1);
        file = &s->file[s->n_files++];
        file->name = table;
        if (!(file->part = covey_arena_array(&s->arena, covey_stated_part, most)))
            return covey_i_no_memory(r->err);
    }
    if (number != file->n_parts + 1)
        return fail_order(r, table, file->n_parts + 1);
    file->part[file->n_parts++] = *part;
    file->n_rows += part->n_rows;
    file->size_bytes += part->size_bytes;
    return COVEY_OK;
}

static covey_status read_file(covey_manifest_reader *r, const json_t *object, size_t n_left)
{
    covey_stated *s = r->s;
    covey_stated_part one;
    const char *table;
    uint32_t number;

    COVEY_TRY(covey_i_key_text(&one.name, r, object, "name", true));
    COVEY_TRY(covey_i_key_count(&one.n_rows, r, object, "rows"));
    COVEY_TRY(covey_i_key_size(&one.size_bytes, r, object, "bytes"));
    COVEY_TRY(covey_i_key_text(&one.sha256, r, object, "sha256", true));
    if (!is_sha256(one.sha256))
        return covey_i_key_wrong(r, "sha256", "64 hexadecimal digits in lower case");
    if (strlen(one.name) > strlen(".parquet") &&
        strcmp(one.name + strlen(one.name) - strlen(".parquet"), ".parquet") == 0)
        return covey_fail_at(
            r->err, COVEY_EINVAL, r->path, 0, NULL, 0,
            "the release's tables are Parquet files, which the Python package reads: " COVEY_FOREIGN_NEEDS
            " brings it, with a covey that takes this folder");
    COVEY_TRY(find_table(&table, &number, r, one.name));
    if (table) {
        COVEY_TRY(covey_i_key_count(&one.n_classes, r, object, "classes"));
        return add_part(r, &one, table, number, n_left);
    }
    s->file[s->n_files++] =
        (covey_stated_file){.name = one.name, .n_rows = one.n_rows, .size_bytes = one.size_bytes, .sha256 = one.sha256};
    return COVEY_OK;
}

covey_status covey_i_stated_read_files(covey_manifest_reader *r, const json_t *root)
{
    covey_stated *s = r->s;
    const json_t *list;

    COVEY_TRY(covey_i_key_short_list(&list, r, root, "files"));
    if (!(s->file = covey_arena_array_zero(&s->arena, covey_stated_file, json_array_size(list))))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const size_t before = s->n_files;

        covey_i_key_go_to(r, "\"files\"[%zu]: ", i);
        COVEY_TRY(read_file(r, json_array_get(list, i), json_array_size(list) - i));
        for (size_t j = 0; j < before && s->n_files > before; j++)
            if (strcmp(s->file[j].name, s->file[before].name) == 0)
                return covey_i_key_wrong(r, "name", "different from the names of all other files");
    }
    covey_i_key_go_to(r, "%s", "");
    return COVEY_OK;
}
