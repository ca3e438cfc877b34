/* The publisher's list of the class of each row, and the description beside it. */
#include <covey/io.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "audit/links/links.h"
#include "audit/links/proof.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/hash.h"
#include "base/plural.h"
#include "table/table_impl.h"

static bool parse_number(int64_t *out, const char *text)
{
    *out = 0;
    if (text[0] < '1' || text[0] > '9')
        return false;
    for (; *text >= '0' && *text <= '9' && *out <= UINT32_MAX; text++)
        *out = 10 * *out + (*text - '0');
    return *text == '\0' && *out <= UINT32_MAX;
}

static covey_status wrong_line(const covey_link_proof *p, int64_t row, const char *expected, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, p->audit->links, row + 2, NULL, 0, "%s is expected", expected);
}

/* Line by line: `row,class`, rows 1, 2, ...; the class of those that took part goes to class_of. */
static covey_status read_lines(covey_link_proof *p, const covey_table *table, covey_error *err)
{
    const covey_stated *stated = p->audit->stated;
    const covey_column *number = covey_table_column(table, 0), *class = covey_table_column(table, 1);
    const int64_t n = stated->n_rows + stated->n_dropped;
    int64_t next = 0;

    if (covey_table_n_columns(table) != 2 || strcmp(number->name, "row") != 0 || strcmp(class->name, "class") != 0)
        return covey_fail_at(err, COVEY_EPARSE, p->audit->links, 1, NULL, 0,
                             "the columns row and class are expected, as anonymize --links writes them");
    if (covey_table_n_rows(table) != n) {
        covey_i_problem(p->problems, "the links are of %" PRId64 " row%s, but the release was made from %" PRId64,
                        covey_table_n_rows(table), covey_i_plural(covey_table_n_rows(table)), n);
        p->is_wrong = true;
        return COVEY_OK;
    }
    for (int64_t row = 0; row < n; row++) {
        const bool is_none = class->has_null && covey_i_code(class, row) == 0;
        const bool took_part = !p->original->row_of || (next < p->original->n_rows && p->original->row_of[next] == row);
        int64_t of_row, of_class = 0;

        if (!parse_number(&of_row, covey_column_label(number, covey_i_code(number, row))) || of_row != row + 1)
            return wrong_line(p, row, "the number of the row, one more than that of the line before,", err);
        if (!is_none && (!parse_number(&of_class, covey_column_label(class, covey_i_code(class, row))) ||
                         of_class > p->audit->opened->n_classes))
            return wrong_line(p, row, "the number of a class, or nothing,", err);
        if (took_part)
            p->class_of[next++] = (uint32_t)of_class;
        else if (!is_none) {
            covey_i_problem(p->problems,
                            "the links put row %" PRId64 " into a class, which was dropped for a missing value",
                            row + 1);
            p->is_wrong = true;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_links_read(covey_link_proof *p, covey_error *err)
{
    static const char *const empty[] = {""};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_table *table = NULL;
    covey_status status;

    options.delimiter = ',';
    options.null = empty;
    options.n_null = 1;
    if (!(p->class_of = covey_arena_array_zero(&p->arena, uint32_t, p->original->n_rows)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_csv_read(&table, p->audit->links, &options, p->audit->run, err));
    status = read_lines(p, table, err);
    covey_table_free(table);
    return status;
}

static covey_status compare_hash(covey_audit *audit, const json_t *facts, const char *key, const char *path,
                                 const char *what, covey_error *err)
{
    const char *stated = json_string_value(json_object_get(facts, key));
    unsigned char hash[32];
    uint64_t size;
    char hex[65];

    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(hex, hash);
    if (!stated || strcmp(stated, hex) != 0)
        covey_i_problem(&audit->of_original, "the links are those of another %s: its SHA-256 differs", what);
    return COVEY_OK;
}

static covey_status keep_name(const char **out, covey_audit *audit, const json_t *facts, const char *key,
                              covey_error *err)
{
    const char *name = json_string_value(json_object_get(facts, key));

    *out = NULL;
    return name && !(*out = covey_arena_strdup(&audit->arena, name)) ? covey_i_no_memory(err) : COVEY_OK;
}

/* The description says which release and which table the list is of, and which columns name units. */
static covey_status read_facts(covey_audit *audit, const json_t *facts, covey_text *path, covey_error *err)
{
    covey_i_text_clear(path);
    covey_i_text_add_format(path, "%s/manifest.json", audit->folder);
    if (path->broken)
        return covey_i_no_memory(err);
    COVEY_TRY(compare_hash(audit, facts, "manifest_sha256", path->bytes, "release", err));
    if (covey_i_source_kind(audit->original) == COVEY_SOURCE_FILE)
        COVEY_TRY(compare_hash(audit, facts, "input_sha256", audit->original, "table", err));
    COVEY_TRY(keep_name(&audit->entity, audit, facts, "entity", err));
    COVEY_TRY(keep_name(&audit->within, audit, facts, "within", err));
    audit->missing_is_own = json_is_true(json_object_get(facts, "missing_is_own"));
    if (!audit->entity || !audit->within == audit->stated->has_households) {
        covey_i_problem(&audit->of_original, "the description of the links does not name the columns of the units");
        audit->entity = audit->within = NULL;
    }
    return COVEY_OK;
}

/* A name that was mistyped says nothing of the release. */
static covey_status find_file(const char *path, covey_error *err)
{
    return access(path, F_OK) == 0 || errno != ENOENT
               ? COVEY_OK
               : covey_fail_at(err, COVEY_ENOTFOUND, path, 0, NULL, 0, "there is no such file");
}

covey_status covey_i_audit_links_open(covey_audit *audit, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    json_t *facts = NULL;
    json_error_t why;
    covey_status status = COVEY_OK;

    if (!audit->links)
        return COVEY_OK;
    if (!audit->stated->has_units)
        return covey_fail(err, COVEY_EINVAL,
                          "--links goes with releases whose rows are persons' (role entity), and %s is none",
                          audit->folder);
    covey_i_text_add_format(&path, "%s.json", audit->links);
    if (path.broken)
        status = covey_i_no_memory(err);
    else if ((status = find_file(audit->links, err)) == COVEY_OK)
        status = find_file(path.bytes, err);
    if (status == COVEY_OK && (!(facts = json_load_file(path.bytes, 0, &why)) || !json_is_object(facts)))
        covey_i_problem(&audit->of_original,
                        "the description of the links, with .json behind their name, cannot be read");
    else if (status == COVEY_OK)
        status = read_facts(audit, facts, &path, err);
    json_decref(facts);
    covey_i_text_free(&path);
    return status;
}
