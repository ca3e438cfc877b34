/* Reading hierarchy files: CSV without a header, one line per leaf, leaf first, root last: the convention of ARX. */
#include "hierarchy/hierarchy_impl.h"

#include <inttypes.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/file/infile.h"
#include "base/plural.h"

/* How often a delimiter occurs in the lines of a file: the same number in all that are not blank, or not. */
typedef struct tally {
    bool any_line, differs, anywhere;
    uint64_t first, here;
} tally;

static void end_of_line(tally *t)
{
    if (t->any_line && t->here != t->first)
        t->differs = true;
    if (!t->any_line)
        t->first = t->here;
    t->any_line = true;
    t->anywhere |= t->here > 0;
    t->here = 0;
}

static bool is_steady(const tally *t)
{
    return t->any_line && !t->differs && t->first > 0;
}

/* The delimiter that occurs equally often, and at least once, in all lines outside quotes; ';' wins ties.  If neither
 * does: the one of the first line, so that the complaint is about the line that differs from it; '\0' if there is none
 * anywhere. */
static char detect_delimiter(const char *bytes, size_t size)
{
    tally semicolon = {0}, comma = {0};
    bool quoted = false, blank = true;

    for (size_t i = 0; i <= size; i++) {
        const char c = i < size ? bytes[i] : '\n';

        if (c == '"')
            quoted = !quoted;
        if ((c == '\n' && !quoted) || i == size) {
            if (!blank) {
                end_of_line(&semicolon);
                end_of_line(&comma);
            }
            blank = true;
        } else {
            blank = blank && c == '\r';
            semicolon.here += !quoted && c == ';';
            comma.here += !quoted && c == ',';
        }
    }
    if (is_steady(&semicolon) || is_steady(&comma))
        return is_steady(&semicolon) ? ';' : ',';
    if (semicolon.first > 0 || comma.first > 0)
        return semicolon.first > 0 ? ';' : ',';
    return semicolon.anywhere ? ';' : comma.anywhere ? ',' : '\0';
}

/* What a line must look like, given the first one. */
static covey_status check_shape(const covey_csv_parser *parser, size_t n_fields, int64_t first_line, const char *path,
                                covey_error *err)
{
    if (parser->n_fields != n_fields)
        return covey_fail_at(err, COVEY_EPARSE, path, parser->record_line, NULL, 0,
                             "%zu field%s, but line %" PRId64
                             " has %zu; every line needs the value, its ancestors level by level and the root",
                             parser->n_fields, covey_i_plural(parser->n_fields), first_line, n_fields);
    if (n_fields < 2)
        return covey_fail_at(
            err, COVEY_EPARSE, path, parser->record_line, NULL, 0,
            "one field only; a line holds the value, its ancestors level by level and the root, with '%c' between them",
            parser->delimiter);
    if (n_fields > COVEY_MAX_LEVELS)
        return covey_fail_at(err, COVEY_EPARSE, path, parser->record_line, NULL, 0,
                             "%zu levels; a hierarchy can have %d at most", n_fields, COVEY_MAX_LEVELS);
    return COVEY_OK;
}

static covey_status add_record(covey_raw_tree *tree, const covey_csv_parser *parser, covey_error *err)
{
    covey_label label[COVEY_MAX_LEVELS];

    for (size_t i = 0; i < parser->n_fields; i++)
        label[i] = (covey_label){covey_i_csv_field(parser, i), covey_i_csv_field_size(parser, i)};
    return covey_i_raw_add(tree, label, parser->record_line, err);
}

static covey_status add_records(covey_raw_tree *tree, covey_csv_parser *parser, const char *path, covey_error *err)
{
    size_t n_fields = 0;
    int64_t first_line = 0;
    bool more;

    for (;;) {
        COVEY_TRY(covey_i_csv_parser_next(&more, parser, path, err));
        if (!more)
            break;
        if (parser->blank)
            continue;
        if (n_fields == 0) {
            n_fields = parser->n_fields;
            first_line = parser->record_line;
        }
        COVEY_TRY(check_shape(parser, n_fields, first_line, path, err));
        if (tree->n_levels == 0)
            COVEY_TRY(covey_i_raw_init(tree, (int)n_fields, path, err));
        COVEY_TRY(add_record(tree, parser, err));
    }
    if (n_fields == 0)
        return covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0,
                             "the file is empty; expected one line per value, such as Private;Employee;*");
    return COVEY_OK;
}

static covey_status read_bytes(covey_raw_tree *tree, const char *bytes, size_t size, char delimiter, const char *name,
                               covey_error *err)
{
    covey_csv_parser parser;
    covey_status status;

    COVEY_TRY(covey_i_csv_check_delimiter(delimiter, err));
    if (delimiter == '\0')
        delimiter = detect_delimiter(bytes, size);
    covey_i_csv_parser_init(&parser, bytes, size, delimiter ? delimiter : ';');
    status = add_records(tree, &parser, name, err);
    covey_i_csv_parser_clear(&parser);
    return status;
}

covey_status covey_i_hierarchy_read(covey_raw_tree *tree, const covey_hierarchy_spec *spec, covey_error *err)
{
    covey_infile file = COVEY_INFILE_INIT;
    covey_status status;

    *tree = (covey_raw_tree){0};
    if (!spec->path)
        return read_bytes(tree, spec->text, strlen(spec->text), spec->delimiter, NULL, err);
    if ((status = covey_i_infile_open(&file, spec->path, err)) == COVEY_OK)
        status = read_bytes(tree, file.bytes, file.size, spec->delimiter, spec->path, err);
    covey_i_infile_close(&file);
    return status;
}
