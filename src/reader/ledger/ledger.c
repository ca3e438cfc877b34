/* Reading a ledger: whatever does not hold of one that covey wrote is refused. */
#include "reader/ledger/ledger.h"

#include <covey/io.h>

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/hash.h"
#include "reader/contents.h"
#include "table/table_impl.h"

enum { N_OWN_COLUMNS = 3 }; /* entity, value, signature; then releases, and the seal */

/* --- the seal --- */

const char *covey_i_ledger_find_seal(const char *bytes, size_t size)
{
    static const char mark[] = "," COVEY_LEDGER_SEAL;
    const char *line = memchr(bytes, '\n', size), *at = bytes;

    while (line && (at = memmem(at, (size_t)(line - at), mark, sizeof mark - 1))) {
        at += sizeof mark - 1;
        if (line - at == COVEY_LEDGER_HEX)
            return at;
    }
    return NULL;
}

covey_status covey_i_ledger_seal(char hex[COVEY_LEDGER_HEX + 1], const char *bytes, size_t size, covey_error *err)
{
    const char *seal = covey_i_ledger_find_seal(bytes, size);
    char *copy = covey_i_array_full(size, 1);
    unsigned char hash[32];

    if (!copy)
        return covey_i_no_memory(err);
    memcpy(copy, bytes, size);
    if (seal)
        memset(copy + (seal - bytes), '0', COVEY_LEDGER_HEX);
    covey_i_hash_sha256(hash, copy, size);
    covey_i_hash_hex(hex, hash);
    covey_i_free(copy);
    return COVEY_OK;
}

static covey_status check_seal(const covey_ledger *l, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    char hex[COVEY_LEDGER_HEX + 1];
    const char *seal;
    covey_status status;

    COVEY_TRY(covey_i_infile_open(&file, l->path, err));
    seal = covey_i_ledger_find_seal(file.bytes, file.size);
    if (!seal)
        status = covey_i_ledger_wrong(l, 1, err, "its first line does not end with a seal");
    else if ((status = covey_i_ledger_seal(hex, file.bytes, file.size, err)) == COVEY_OK &&
             memcmp(hex, seal, COVEY_LEDGER_HEX) != 0)
        status =
            covey_fail_at(err, COVEY_EPARSE, l->path, 0, NULL, 0,
                          "the ledger was changed since covey wrote it: its seal does not fit; take a copy that was "
                          "not");
    covey_i_infile_close(&file);
    return status;
}

/* --- the header --- */

static bool is_hex(const char *text)
{
    return strlen(text) == COVEY_LEDGER_HEX && strspn(text, "0123456789abcdef") == COVEY_LEDGER_HEX;
}

/* What follows the prefix in a column's name; NULL: it does not begin so. */
static const char *name_behind(const covey_ledger *l, size_t column, const char *prefix)
{
    const covey_column *c = covey_table_column(l->table, column);
    const size_t n = strlen(prefix);

    return c && strncmp(c->name, prefix, n) == 0 ? c->name + n : NULL;
}

static covey_status read_header(covey_ledger *l, covey_error *err)
{
    const size_t n = covey_table_n_columns(l->table);

    if (n < N_OWN_COLUMNS + 2 || !(l->entity = name_behind(l, 0, COVEY_LEDGER_ENTITY)) ||
        !(l->sensitive = name_behind(l, 1, COVEY_LEDGER_SENSITIVE)) ||
        strcmp(covey_table_column(l->table, 2)->name, COVEY_LEDGER_SIGNATURE) != 0 ||
        !name_behind(l, n - 1, COVEY_LEDGER_SEAL))
        return covey_i_ledger_wrong(l, 1, err, "its columns are not those of one");
    l->n_releases = n - N_OWN_COLUMNS - 1;
    l->manifest = covey_arena_array(&l->arena, const char *, l->n_releases);
    l->class_of = covey_arena_array_zero(&l->arena, uint32_t *, l->n_releases);
    if (!l->manifest || !l->class_of)
        return covey_i_no_memory(err);
    for (size_t r = 0; r < l->n_releases; r++) {
        l->manifest[r] = name_behind(l, N_OWN_COLUMNS + r, COVEY_LEDGER_RELEASE);
        if (!l->manifest[r] || !is_hex(l->manifest[r]))
            return covey_i_ledger_wrong(l, 1, err, "a release goes by the SHA-256 of its manifest");
    }
    return COVEY_OK;
}

/* --- units --- */

/* A number without leading zeros; empty: 0. */
static bool parse_number(uint32_t *out, const char *text, uint32_t most)
{
    uint64_t n = 0;

    *out = 0;
    if (*text == '0')
        return false;
    for (; *text; text++)
        if (*text < '0' || *text > '9' || (n = 10 * n + (uint64_t)(*text - '0')) > most)
            return false;
    *out = (uint32_t)n;
    return true;
}

/* The numbers of a column's units, each distinct cell parsed once. */
static covey_status read_numbers(uint32_t **out, covey_ledger *l, size_t column, uint32_t least, uint32_t most,
                                 covey_error *err)
{
    const covey_column *c = covey_table_column(l->table, column);
    uint32_t *of_unit = covey_arena_array(&l->arena, uint32_t, l->n_units);
    uint32_t *number = covey_arena_array(&l->arena, uint32_t, c->n_values);

    if (!of_unit || !number)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < c->n_values; v++)
        if (!parse_number(&number[v], covey_column_label(c, v), most))
            number[v] = UINT32_MAX;
    for (uint32_t u = 0; u < l->n_units; u++) {
        of_unit[u] = number[covey_i_code(c, (int64_t)l->n_signatures + u)];
        if (of_unit[u] < least || of_unit[u] == UINT32_MAX)
            return covey_i_ledger_wrong(l, (int64_t)l->n_signatures + u + 2, err, "a cell is to be a number");
    }
    *out = of_unit;
    return COVEY_OK;
}

static covey_status check_units(const covey_ledger *l, covey_error *err)
{
    const covey_column *unit = covey_table_column(l->table, 0);

    for (uint32_t u = 0; u < l->n_units; u++) {
        const int64_t row = (int64_t)l->n_signatures + u;
        bool is_in_any = false;

        if (!*covey_i_ledger_unit(l, u) || (u > 0 && covey_i_code(unit, row - 1) >= covey_i_code(unit, row)))
            return covey_i_ledger_wrong(l, row + 2, err, "entities stand in the order of their bytes, each once");
        if (!covey_i_ledger_has_value(l, l->signature_of[u], covey_i_ledger_value(l, u)))
            return covey_i_ledger_wrong(l, row + 2, err, "an entity's value is not in its signature");
        for (size_t r = 0; r < l->n_releases; r++)
            is_in_any |= l->class_of[r][u] > 0;
        if (!is_in_any)
            return covey_i_ledger_wrong(l, row + 2, err, "an entity is in no release");
    }
    return COVEY_OK;
}

static covey_status read_units(covey_ledger *l, covey_error *err)
{
    COVEY_TRY(read_numbers(&l->signature_of, l, 2, 1, l->n_signatures, err));
    for (uint32_t u = 0; u < l->n_units; u++)
        l->signature_of[u]--;
    for (size_t r = 0; r < l->n_releases; r++)
        COVEY_TRY(read_numbers(&l->class_of[r], l, N_OWN_COLUMNS + r, 0, UINT32_MAX - 1, err));
    return check_units(l, err);
}

/* --- all of it --- */

static covey_status read_all(covey_ledger *l, const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {NULL};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;

    options.delimiter = ',';
    options.null = nothing; /* none: an empty cell is an empty text, and "null" may be somebody's name */
    COVEY_TRY(check_seal(l, err));
    COVEY_TRY(covey_csv_read(&l->table, l->path, &options, run, err));
    COVEY_TRY(read_header(l, err));
    COVEY_TRY(covey_i_ledger_read_signatures(l, err));
    return read_units(l, err);
}

covey_status covey_i_ledger_read(covey_ledger **out, const char *path, const covey_run *run, covey_error *err)
{
    covey_ledger *l = covey_i_array_zero(1, sizeof *l);
    covey_status status;

    if (!l)
        return covey_i_no_memory(err);
    l->path = path;
    if ((status = read_all(l, run, err)) == COVEY_OK)
        *out = l;
    else
        covey_i_ledger_free(l);
    return status;
}

void covey_i_ledger_free(covey_ledger *l)
{
    if (!l)
        return;
    covey_table_free(l->table);
    covey_arena_free(&l->arena);
    covey_i_free(l);
}

const char *covey_i_ledger_unit(const covey_ledger *l, uint32_t unit)
{
    const covey_column *c = covey_table_column(l->table, 0);

    return covey_column_label(c, covey_i_code(c, (int64_t)l->n_signatures + unit));
}

const char *covey_i_ledger_value(const covey_ledger *l, uint32_t unit)
{
    const covey_column *c = covey_table_column(l->table, 1);

    return covey_column_label(c, covey_i_code(c, (int64_t)l->n_signatures + unit));
}

covey_status covey_i_ledger_find_release(size_t *out, const covey_ledger *ledger, const char *folder, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const char *path = covey_i_contents_path(&arena, folder, "manifest.json");
    unsigned char hash[32];
    uint64_t size;
    char hex[COVEY_LEDGER_HEX + 1];
    covey_status status = path ? covey_i_hash_sha256_file(hash, &size, path, err) : covey_i_no_memory(err);

    covey_arena_free(&arena);
    if (status != COVEY_OK)
        return status;
    covey_i_hash_hex(hex, hash);
    *out = 0;
    while (*out < ledger->n_releases && strcmp(ledger->manifest[*out], hex) != 0)
        ++*out;
    if (*out == ledger->n_releases)
        *out = SIZE_MAX;
    return COVEY_OK;
}
