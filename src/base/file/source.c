/* Telling addresses of databases from paths. */
#include "base/file/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

covey_source_kind covey_i_source_kind(const char *source)
{
    if (begins(source, "sqlite:"))
        return COVEY_SOURCE_SQLITE;
    if (begins(source, "arrow:") && source[6] && source[6 + strspn(source + 6, "0123456789")] == '\0')
        return COVEY_SOURCE_ARROW;
    return begins(source, "postgresql:") || begins(source, "postgres:") ? COVEY_SOURCE_POSTGRESQL : COVEY_SOURCE_FILE;
}

/* The "?" before the keys, or the end: the last one, because a file's name may hold others. */
static const char *keys_of(const char *source)
{
    const char *mark = strrchr(source, '?');

    return mark ? mark : source + strlen(source);
}

const char *covey_i_source_path(const char *source, size_t *size)
{
    const covey_source_kind kind = covey_i_source_kind(source);

    if (kind == COVEY_SOURCE_POSTGRESQL || kind == COVEY_SOURCE_ARROW)
        return NULL;
    if (kind == COVEY_SOURCE_FILE) {
        *size = strlen(source);
        return source;
    }
    source += strlen("sqlite:");
    *size = (size_t)(keys_of(source) - source);
    return source;
}

/* ---- addresses of servers ---- */

/* Where user and password begin, behind "//"; NULL if the address has no such part. */
static const char *credentials_of(const char *source)
{
    const char *slashes = strstr(source, "://");

    return slashes ? slashes + 3 : NULL;
}

/* The "@" that ends user and password, NULL if there are none.  A password that should have been encoded may hold "/",
 * "?" and "@": what may be one is taken for one, so that it is not shown. */
static const char *credentials_end(const char *start)
{
    const char *slash = start + strcspn(start, "/"), *keys = keys_of(start), *at = NULL;
    const size_t before_value = strcspn(keys, "=@");

    if (keys[before_value] == '@') /* no keys after all */
        keys += strlen(keys);
    for (const char *c = start; *c; c++)
        if (*c == '@' && (c < slash || (c < keys && memchr(start, ':', (size_t)(c - start)))))
            at = c;
    return at;
}

static bool is_secret_key(const char *key, size_t size)
{
    return (size == 8 && memcmp(key, "password", 8) == 0) || (size == 11 && memcmp(key, "sslpassword", 11) == 0);
}

/* Appends "key=value" pairs; those that are secret or, if wanted, ours are left out. */
static void add_keys(covey_text *out, const char *keys, bool with_secrets, bool with_ours)
{
    char mark = '?';

    while (*keys) {
        const size_t size = strcspn(keys, "&"), name = strcspn(keys, "=&");
        const bool ours = (name == 5 && memcmp(keys, "table", 5) == 0) || (name == 6 && memcmp(keys, "schema", 6) == 0);

        if ((with_secrets || !is_secret_key(keys, name)) && (with_ours || !ours)) {
            covey_i_text_add_char(out, mark);
            covey_i_text_add(out, keys, size);
            mark = '&';
        }
        keys += size + (keys[size] == '&');
    }
}

void covey_i_source_show(covey_text *out, const char *source)
{
    const char *start, *at, *keys;

    if (covey_i_source_kind(source) != COVEY_SOURCE_POSTGRESQL) {
        covey_i_text_add_string(out, source);
        return;
    }
    start = credentials_of(source);
    at = start ? credentials_end(start) : NULL;
    if (at) {
        const char *colon = memchr(start, ':', (size_t)(at - start));

        covey_i_text_add(out, source, (size_t)((colon ? colon : at) - source));
        source = at;
    }
    keys = keys_of(source);
    covey_i_text_add(out, source, (size_t)(keys - source));
    if (*keys)
        add_keys(out, keys + 1, false, true);
}

char *covey_i_source_shown(const char *source, covey_arena *arena)
{
    covey_text shown = COVEY_TEXT_INIT;

    covey_i_source_show(&shown, source);
    return covey_i_text_keep(&shown, arena);
}

/* ---- taking one apart ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Undoes %XX; NULL without memory or, with *broken set, if one is no byte. */
static char *decode(const char *text, size_t size, bool *broken)
{
    char *out = covey_i_malloc(size + 1);
    size_t n = 0;

    *broken = false;
    for (size_t i = 0; out && i < size; i++) {
        const int high = text[i] == '%' && i + 2 < size ? hex_digit(text[i + 1]) : -1,
                  low = high >= 0 ? hex_digit(text[i + 2]) : -1;

        if (text[i] == '%' && (low < 0 || high * 16 + low == 0)) {
            *broken = true;
            covey_i_free(out);
            return NULL;
        }
        out[n++] = text[i] == '%' ? (char)(high * 16 + low) : text[i];
        i += text[i] == '%' ? 2 : 0;
    }
    if (out)
        out[n] = '\0';
    return out;
}

static covey_status fail_memory(const char *what, covey_error *err)
{
    return covey_i_no_memory(err);
}

/* Reads table and schema. */
static covey_status read_keys(covey_database *d, const char *keys, const char *what, covey_error *err)
{
    while (*keys) {
        const size_t size = strcspn(keys, "&"), name = strcspn(keys, "=&");
        const bool is_table = name == 5 && memcmp(keys, "table", 5) == 0;
        const bool is_schema = d->kind == COVEY_SOURCE_POSTGRESQL && name == 6 && memcmp(keys, "schema", 6) == 0;
        char **value = is_table ? &d->table : is_schema ? &d->schema : NULL;
        bool broken;

        if (!value && d->kind == COVEY_SOURCE_SQLITE)
            return covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0,
                                 "%s: unknown key \"%.*s\"; sqlite:FILE takes ?table=NAME", what, (int)name, keys);
        if (value && *value)
            return covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0, "%s: %s is given twice", what,
                                 is_table ? "table" : "schema");
        if (value && name + 1 >= size)
            return covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0, "%s: %s= needs a name", what,
                                 is_table ? "table" : "schema");
        if (value && !(*value = decode(keys + name + 1, size - name - 1, &broken)))
            return !broken ? fail_memory(what, err)
                           : covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0,
                                           "%s: a %% in the name of a table or schema must be written %%25, other "
                                           "bytes as %% and two hexadecimal digits",
                                           what);
        keys += size + (keys[size] == '&');
    }
    return COVEY_OK;
}

/* libpq would take a part of such a password for the host and put it into its messages. */
static covey_status check_address(const covey_database *d, const char *source, const char *what, covey_error *err)
{
    const char *start = credentials_of(source), *at = start ? credentials_end(start) : NULL;

    if (!start)
        return covey_fail_at(
            err, COVEY_EINVAL, d->shown, 0, NULL, 0,
            "%s: the address of a server begins with postgresql://, as in postgresql://USER@HOST/DATABASE", what);
    for (const char *c = start; at && c < at; c++)
        if (strchr("/?@", *c))
            return covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0,
                                 "%s: / ? and @ in a user's name or password must be written %%2F, %%3F and %%40",
                                 what);
    return COVEY_OK;
}

static covey_status take_apart(covey_database *d, const char *source, const char *what, covey_error *err)
{
    covey_text shown = COVEY_TEXT_INIT, place = COVEY_TEXT_INIT;
    const char *keys = keys_of(source);
    size_t size = 0;
    const char *path;

    d->kind = covey_i_source_kind(source);
    covey_i_source_show(&shown, source);
    d->shown = shown.bytes;
    if (shown.broken)
        return fail_memory(what, err);
    if (d->kind == COVEY_SOURCE_POSTGRESQL)
        COVEY_TRY(check_address(d, source, what, err));
    COVEY_TRY(read_keys(d, *keys ? keys + 1 : keys, what, err));
    if ((path = covey_i_source_path(source, &size))) {
        covey_i_text_add(&place, path, size);
    } else {
        covey_i_text_add(&place, source, (size_t)(keys - source));
        add_keys(&place, *keys ? keys + 1 : keys, true, false);
    }
    d->place = place.bytes;
    if (place.broken)
        return fail_memory(what, err);
    if (path && size == 0)
        return covey_fail_at(err, COVEY_EINVAL, d->shown, 0, NULL, 0, "%s: the file is missing; write sqlite:FILE",
                             what);
    return COVEY_OK;
}

covey_status covey_i_database_parse(covey_database *out, const char *source, const char *what, covey_error *err)
{
    covey_database d = {0};
    const covey_status status = take_apart(&d, source, what, err);

    if (status == COVEY_OK)
        *out = d;
    else
        covey_i_database_clear(&d);
    return status;
}

void covey_i_database_clear(covey_database *database)
{
    covey_i_free(database->place);
    covey_i_free(database->table);
    covey_i_free(database->schema);
    covey_i_free(database->shown);
    *database = (covey_database){0};
}
