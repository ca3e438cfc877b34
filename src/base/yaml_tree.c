/* From YAML to a tree with places.  libyaml's documents are turned into nodes of ours, which can be made from flags too
 * and know no library. */
#include "base/yaml_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yaml.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"

enum {
    MAX_MERGED = 10000,  /* pairs that merge keys may add: a bound on what a small file can blow up to */
    LEAST_ROOM = 1 << 16 /* to read a file: some file systems say of each that it has no bytes */
};

typedef struct builder {
    yaml_document_t *document;
    const covey_yaml **made; /* [nodes + 1] by libyaml's number; NULL: not yet */
    bool *open;              /* [nodes + 1] being made: an alias to it would contain itself */
    size_t n_merged;
    const char *file;
    covey_arena *arena;
    covey_error *err;
} builder;

static covey_status fail_place(const char *file, int64_t line, int64_t column, const char *what, const char *detail,
                               covey_error *err)
{
    if (file)
        return covey_fail_at(err, COVEY_EPARSE, file, line, NULL, column, "%s%s", what, detail);
    return covey_fail(err, COVEY_EPARSE, "%s%s (line %" PRId64 ", column %" PRId64 ")", what, detail, line, column);
}

static covey_status fail_node(const builder *b, const yaml_node_t *node, const char *what, const char *detail)
{
    return fail_place(b->file, (int64_t)node->start_mark.line + 1, (int64_t)node->start_mark.column + 1, what, detail,
                      b->err);
}

static bool is_plain_tag(const yaml_node_t *node)
{
    static const char own[] = "tag:yaml.org,2002:";
    static const char *const known[] = {"str", "int", "float", "bool", "null", "timestamp", "seq", "map", "merge"};
    const char *tag = (const char *)node->tag;

    if (!tag)
        return true;
    if (strncmp(tag, own, sizeof own - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(tag + sizeof own - 1, known[i]) == 0)
            return true;
    return false;
}

static covey_status make_scalar(const builder *b, covey_yaml *node, const yaml_node_t *from)
{
    const char *value = (const char *)from->data.scalar.value;
    size_t size = from->data.scalar.length;

    if (memchr(value, '\0', size))
        return fail_node(b, from, "a text may not contain a NUL character", "");
    node->quoted = from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = covey_arena_strndup(b->arena, value, size);
    return node->text ? COVEY_OK : covey_i_no_memory(b->err);
}

static covey_status make_node(builder *b, const covey_yaml **out, int number);

static covey_status make_list(builder *b, covey_yaml *node, const yaml_node_t *from)
{
    size_t n = (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);

    if (!(node->item = covey_arena_array_zero(b->arena, const covey_yaml *, n)))
        return covey_i_no_memory(b->err);
    for (; node->n < n; node->n++)
        COVEY_TRY(make_node(b, &node->item[node->n], from->data.sequence.items.start[node->n]));
    return COVEY_OK;
}

static bool is_merge_key(const covey_yaml *key)
{
    return !key->quoted && strcmp(key->text, "<<") == 0;
}

static covey_status add_pair(builder *b, covey_yaml *node, const covey_yaml *key, const covey_yaml *item)
{
    if (covey_i_yaml_get(node, key->text)) {
        char first[64];

        for (size_t i = 0; i < node->n; i++)
            if (strcmp(node->key[i]->text, key->text) == 0)
                snprintf(first, sizeof first, "\" stands here twice, first in line %" PRId64, node->key[i]->line);
        if (b->file)
            return covey_fail_at(b->err, COVEY_EPARSE, b->file, key->line, NULL, key->column, "the key \"%.80s%s",
                                 key->text, first);
        return covey_fail(b->err, COVEY_EPARSE, "the key \"%.80s%s", key->text, first);
    }
    node->key[node->n] = key;
    node->item[node->n++] = item;
    return COVEY_OK;
}

/* Pairs of a mapping, merge keys left aside; *n_merges counts them. */
static covey_status make_pairs(builder *b, covey_yaml *node, const yaml_node_t *from, const covey_yaml **merges,
                               size_t *n_merges)
{
    for (yaml_node_pair_t *pair = from->data.mapping.pairs.start; pair < from->data.mapping.pairs.top; pair++) {
        const covey_yaml *key, *item;

        COVEY_TRY(make_node(b, &key, pair->key));
        if (key->kind != COVEY_YAML_SCALAR)
            return fail_node(b, yaml_document_get_node(b->document, pair->key),
                             "a key must be a text, not a list or a mapping", "");
        COVEY_TRY(make_node(b, &item, pair->value));
        if (is_merge_key(key))
            merges[(*n_merges)++] = item;
        else
            COVEY_TRY(add_pair(b, node, key, item));
    }
    return COVEY_OK;
}

/* YAML 1.1's merge key: pairs of other mappings, where the key is not there yet. */
static covey_status merge(builder *b, covey_yaml *node, const covey_yaml *other, const yaml_node_t *from)
{
    const covey_yaml **key, **item;

    if (other->kind == COVEY_YAML_LIST) {
        for (size_t i = 0; i < other->n; i++) {
            if (other->item[i]->kind != COVEY_YAML_MAP)
                return fail_node(b, from, "the merge key \"<<\" wants a mapping or a list of mappings", "");
            COVEY_TRY(merge(b, node, other->item[i], from));
        }
        return COVEY_OK;
    }
    if (other->kind != COVEY_YAML_MAP)
        return fail_node(b, from, "the merge key \"<<\" wants a mapping or a list of mappings", "");
    b->n_merged += other->n + 1;
    if (b->n_merged > MAX_MERGED || node->n + other->n > COVEY_YAML_MAX_PAIRS)
        return fail_node(b, from, "merge keys make this file too large", "");
    key = covey_arena_array_zero(b->arena, const covey_yaml *, node->n + other->n);
    item = covey_arena_array_zero(b->arena, const covey_yaml *, node->n + other->n);
    if (!key || !item)
        return covey_i_no_memory(b->err);
    if (node->n) {
        memcpy(key, node->key, node->n * sizeof *key);
        memcpy(item, node->item, node->n * sizeof *item);
    }
    node->key = key;
    node->item = item;
    for (size_t i = 0; i < other->n; i++)
        if (!covey_i_yaml_get(node, other->key[i]->text)) {
            node->key[node->n] = other->key[i];
            node->item[node->n++] = other->item[i];
        }
    return COVEY_OK;
}

static covey_status make_map(builder *b, covey_yaml *node, const yaml_node_t *from)
{
    size_t n = (size_t)(from->data.mapping.pairs.top - from->data.mapping.pairs.start), n_merges = 0;
    const covey_yaml **merges;

    if (n > COVEY_YAML_MAX_PAIRS)
        return fail_node(b, from, "a mapping may have 4,096 keys at most", "");
    node->key = covey_arena_array_zero(b->arena, const covey_yaml *, n);
    node->item = covey_arena_array_zero(b->arena, const covey_yaml *, n);
    merges = covey_arena_array_zero(b->arena, const covey_yaml *, n);
    if (!node->key || !node->item || !merges)
        return covey_i_no_memory(b->err);
    COVEY_TRY(make_pairs(b, node, from, merges, &n_merges));
    for (size_t i = 0; i < n_merges; i++)
        COVEY_TRY(merge(b, node, merges[i], from));
    return COVEY_OK;
}

static void measure(covey_yaml *node)
{
    for (size_t i = 0; i < node->n; i++)
        if (node->item[i]->height >= node->height)
            node->height = node->item[i]->height + 1;
}

static covey_status make_node(builder *b, const covey_yaml **out, int number)
{
    const yaml_node_t *from = yaml_document_get_node(b->document, number);
    covey_status status = COVEY_OK;
    covey_yaml *node;

    if (b->made[number]) {
        *out = b->made[number];
        return COVEY_OK;
    }
    if (b->open[number])
        return fail_node(b, from, "an alias stands inside the very thing that it stands for", "");
    if (!is_plain_tag(from))
        return fail_node(b, from, "tags have no meaning here: leave out ", (const char *)from->tag);
    if (!(node = covey_arena_array_zero(b->arena, covey_yaml, 1)))
        return covey_i_no_memory(b->err);
    node->line = (int64_t)from->start_mark.line + 1;
    node->column = (int64_t)from->start_mark.column + 1;
    node->text = "";
    b->open[number] = true;
    if (from->type == YAML_SCALAR_NODE) {
        node->kind = COVEY_YAML_SCALAR;
        status = make_scalar(b, node, from);
    } else if (from->type == YAML_SEQUENCE_NODE) {
        node->kind = COVEY_YAML_LIST;
        status = make_list(b, node, from);
    } else {
        node->kind = COVEY_YAML_MAP;
        status = make_map(b, node, from);
    }
    b->open[number] = false;
    COVEY_TRY(status);
    measure(node);
    if (node->height > COVEY_YAML_MAX_DEPTH)
        return fail_node(b, from, "nested deeper than 32 levels, with its aliases", "");
    *out = b->made[number] = node;
    return COVEY_OK;
}

static covey_status build(const covey_yaml **out, yaml_document_t *document, const char *file, covey_arena *arena,
                          covey_error *err)
{
    size_t n = (size_t)(document->nodes.top - document->nodes.start);
    builder b = {.document = document, .file = file, .arena = arena, .err = err};

    if (n == 0) {
        *out = NULL;
        return COVEY_OK;
    }
    b.made = covey_arena_array_zero(arena, const covey_yaml *, n + 1);
    b.open = covey_arena_array_zero(arena, bool, n + 1);
    if (!b.made || !b.open)
        return covey_i_no_memory(err);
    return make_node(&b, out, 1); /* libyaml's root is node 1 */
}

/* Line and column of a byte, for faults of the encoding, which libyaml places by offset only. */
static void place_of(int64_t *line, int64_t *column, const char *text, size_t size, size_t offset)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < size; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

/* What to do about a problem that libyaml has; at: the text where it was found. */
static const char *remedy(const yaml_parser_t *parser, const char *at)
{
    static const struct {
        const char *problem, *remedy;
    } remedies[] = {
        {"found unexpected end of stream", ": a quote is not closed"},
        {"cannot start any token", ": put the text in quotes"},
        {"found a tab character", ": indent with blanks"},
        {"mapping values are not allowed",
         ": begin a new line below the key in front of it, or put a text with a colon in quotes"},
        {"did not find expected ',' or ']'", ": is the list closed with ]? Texts with , : ? [ ] { } stand in quotes"},
        {"did not find expected ',' or '}'",
         ": is the mapping closed with }? Texts with , : ? [ ] { } stand in quotes"},
        {"did not find expected '-' indicator",
         ": what belongs together begins in the same column, each entry of a list with a dash"},
        {"did not find expected key",
         ": what belongs together begins in the same column; what is part of it, further in"},
        {"expected alphabetic or numeric character", ": texts that begin with * or & stand in quotes"},
        {"found undefined alias", ": texts that begin with * stand in quotes"},
        {"could not find expected ':'", ": a key has a colon and a blank behind it"},
        {"found unexpected ':'", ": a key has a colon and a blank behind it"},
        {"did not find expected <document start>", ": a policy is one mapping of keys such as `version: 1`"},
    };

    if (parser->problem && strstr(parser->problem, "cannot start any token") && *at == '\t')
        return ": a tab stands here; indent with blanks";
    for (size_t i = 0; parser->problem && i < sizeof remedies / sizeof *remedies; i++)
        if (strstr(parser->problem, remedies[i].problem))
            return remedies[i].remedy;
    return "";
}

/* The text at a line and column, "" if there is none. */
static const char *text_at(const char *text, size_t size, int64_t line, int64_t column)
{
    const char *at = text, *end = text + size;

    for (; line > 1 && at < end; at++)
        line -= *at == '\n';
    return end - at >= column && column > 0 ? at + column - 1 : "";
}

static covey_status fail_parser(const yaml_parser_t *parser, const char *text, size_t size, const char *file,
                                covey_error *err)
{
    int64_t line = (int64_t)parser->problem_mark.line + 1, column = (int64_t)parser->problem_mark.column + 1;
    const char *problem = parser->problem ? parser->problem : "unknown problem";
    char detail[320];

    if (parser->error == YAML_MEMORY_ERROR)
        return covey_i_no_memory(err);
    if (parser->error == YAML_READER_ERROR) {
        place_of(&line, &column, text, size, parser->problem_offset);
        if (parser->problem_value >= 0)
            snprintf(detail, sizeof detail, "%s (0x%02X): a policy is UTF-8 text", problem,
                     (unsigned)parser->problem_value);
        else
            snprintf(detail, sizeof detail, "%s: a policy is UTF-8 text", problem);
        return fail_place(file, line, column, "not YAML: ", detail, err);
    }
    snprintf(detail, sizeof detail, "%s%s%s%s", problem, parser->context ? ", " : "",
             parser->context ? parser->context : "", remedy(parser, text_at(text, size, line, column)));
    return fail_place(file, line, column, "not YAML: ", detail, err);
}

static covey_status fail_event(const yaml_event_t *event, const char *file, const char *what, covey_error *err)
{
    return fail_place(file, (int64_t)event->start_mark.line + 1, (int64_t)event->start_mark.column + 1, what, "", err);
}

static bool has_anchor(const yaml_event_t *event)
{
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.anchor) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor);
}

static bool is_node(const yaml_event_t *event)
{
    return event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
           event->type == YAML_MAPPING_START_EVENT;
}

/* Goes through the whole text once before libyaml builds anything: its time grows with the squares of depth and
 * anchors. */
static covey_status check_shape(const char *text, size_t size, const char *file, covey_error *err)
{
    int depth = 0, n_documents = 0, n_anchors = 0, n_nodes = 0;
    covey_status status = COVEY_OK;
    yaml_parser_t parser;
    yaml_event_t event;
    bool ends = false;

    if (!yaml_parser_initialize(&parser))
        return covey_i_no_memory(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (status == COVEY_OK && !ends) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_parser(&parser, text, size, file, err);
            break;
        }
        ends = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && ++n_documents > 1)
            status = fail_event(&event, file, "a second YAML document begins here: one is expected", err);
        else if ((event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT) &&
                 ++depth > COVEY_YAML_MAX_DEPTH)
            status = fail_event(&event, file, "nested deeper than 32 levels", err);
        else if (has_anchor(&event) && ++n_anchors > COVEY_YAML_MAX_ANCHORS)
            status = fail_event(&event, file, "more than 256 anchors", err);
        else if (is_node(&event) && ++n_nodes > COVEY_YAML_MAX_NODES)
            status = fail_event(&event, file, "more than 1,048,576 values, lists and mappings", err);
        else if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT)
            depth--;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

covey_status covey_i_yaml_parse(const covey_yaml **out, const char *text, size_t size, const char *file,
                                covey_arena *arena, covey_error *err)
{
    yaml_parser_t parser;
    yaml_document_t document;
    const covey_yaml *root = NULL;
    covey_status status;

    if (size > COVEY_YAML_MAX_BYTES)
        return file ? covey_fail_at(err, COVEY_EPARSE, file, 0, NULL, 0, "larger than 16 MiB: this is no policy")
                    : covey_fail(err, COVEY_EPARSE, "larger than 16 MiB");
    COVEY_TRY(check_shape(text, size, file, err));
    if (!yaml_parser_initialize(&parser))
        return covey_i_no_memory(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (!yaml_parser_load(&parser, &document)) {
        status = fail_parser(&parser, text, size, file, err);
    } else {
        status = build(&root, &document, file, arena, err);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    if (status == COVEY_OK)
        *out = root;
    return status;
}

covey_status covey_i_yaml_read(const covey_yaml **out, const char *path, covey_arena *arena, covey_error *err)
{
    struct stat facts;
    char *text = NULL;
    covey_status status;
    size_t size, room;
    FILE *file;
    int fd;

    COVEY_TRY(covey_i_infile_open_regular(&fd, &facts, path, err));
    room = facts.st_size < COVEY_YAML_MAX_BYTES ? (size_t)facts.st_size : COVEY_YAML_MAX_BYTES;
    room = (room > LEAST_ROOM ? room : LEAST_ROOM) + 1; /* by one byte more it is seen to be too large */
    if (!(file = fdopen(fd, "rb"))) {
        close(fd);
        return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be opened: %s", strerror(errno));
    }
    if (!(text = covey_i_malloc(room))) {
        status = covey_i_no_memory(err);
    } else {
        size = fread(text, 1, room, file);
        if (ferror(file))
            status = covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "cannot be read: %s", strerror(errno));
        else
            status = covey_i_yaml_parse(out, text, size, path, arena, err);
    }
    covey_i_free(text);
    fclose(file);
    return status;
}

const covey_yaml *covey_i_yaml_get(const covey_yaml *node, const char *key)
{
    if (!node || node->kind != COVEY_YAML_MAP)
        return NULL;
    for (size_t i = 0; i < node->n; i++)
        if (strcmp(node->key[i]->text, key) == 0)
            return node->item[i];
    return NULL;
}

bool covey_i_yaml_is_nothing(const covey_yaml *node)
{
    return node->kind == COVEY_YAML_SCALAR && !node->quoted && node->text[0] == '\0';
}

const char *covey_i_yaml_found(char *out, size_t size, const covey_yaml *node)
{
    enum { LONGEST = 60 };
    size_t n;

    if (node->kind != COVEY_YAML_SCALAR) {
        snprintf(out, size, "%s", node->kind == COVEY_YAML_LIST ? "a list" : "a mapping");
    } else if (covey_i_yaml_is_nothing(node)) {
        snprintf(out, size, "nothing");
    } else if ((n = strlen(node->text)) <= LONGEST) {
        snprintf(out, size, "\"%s\"", node->text);
    } else {
        for (n = LONGEST; n > 0 && ((unsigned char)node->text[n] & 0xC0) == 0x80; n--)
            continue;
        snprintf(out, size, "\"%.*s...\"", (int)n, node->text);
    }
    return out;
}
