/* YAML as a tree that knows its places: policies, flags with nested values, parameters that are trees.
 *
 * Scalars are texts and nothing else: `no`, `1.10` and `0x10` stay what was written, so that numbers can be read
 * exactly and a value called `no` stays a value.  Aliases share nodes; a merge key (`<<: *base`) gives the keys that
 * are not there yet. */
#ifndef COVEY_BASE_YAML_TREE_H
#define COVEY_BASE_YAML_TREE_H

#include <covey/base.h>

#include "base/arena.h"
#include "base/text.h"

typedef enum covey_yaml_kind { COVEY_YAML_SCALAR, COVEY_YAML_LIST, COVEY_YAML_MAP } covey_yaml_kind;

typedef struct covey_yaml covey_yaml;
struct covey_yaml {
    covey_yaml_kind kind;
    bool quoted;             /* SCALAR: written in quotes, so that an empty one is meant */
    const char *text;        /* SCALAR: NUL-terminated UTF-8 without NUL bytes; "" otherwise */
    size_t n;                /* LIST: items; MAP: pairs */
    const covey_yaml **key;  /* MAP: [n] scalars, all different */
    const covey_yaml **item; /* LIST, MAP: [n] */
    int height;              /* levels below it, aliases followed: 0 for scalars and empty ones */
    int64_t line, column;    /* place in its text, the first is 1 */
};

enum {
    COVEY_YAML_MAX_BYTES = 16 << 20, /* hierarchies with a line for each of many values take most of it */
    COVEY_YAML_MAX_NODES = 1 << 20,
    COVEY_YAML_MAX_DEPTH = 32,
    COVEY_YAML_MAX_PAIRS = 4096,
    COVEY_YAML_MAX_ANCHORS = 256,
    COVEY_YAML_MAX_PRINTED = 1 << 16
};

/**
 * Reads one YAML document.
 *
 * @param out   receives its root, which lives in the arena; NULL for an empty document
 * @param file  for the complaints, NULL: none (they then name line and column in words)
 * @return COVEY_EPARSE with the place: not YAML, not UTF-8, larger than 16 MiB, more than 1,048,576 values, nested
 * deeper than 32, more than 256 anchors, more than one document, a key twice, a key that is not a text, an alias inside
 * itself, a tag other than YAML's own
 */
covey_status covey_i_yaml_parse(const covey_yaml **out, const char *text, size_t size, const char *file,
                                covey_arena *arena, covey_error *err);

/* The same from a file; COVEY_ENOTFOUND, COVEY_EINVAL for a folder, COVEY_EIO. */
covey_status covey_i_yaml_read(const covey_yaml **out, const char *path, covey_arena *arena, covey_error *err);

/* The value of a key, NULL if there is none or node is not a MAP. */
const covey_yaml *covey_i_yaml_get(const covey_yaml *node, const char *key);

/* `key:` with nothing behind it. */
bool covey_i_yaml_is_nothing(const covey_yaml *node);

/* What a node is, for "expected ..., found %s": `"text"`, "a list", "a mapping", "nothing".  Returns out. */
const char *covey_i_yaml_found(char *out, size_t size, const covey_yaml *node);

/* Appends a node on one line (flow style), so that reading it again gives the same tree; false if it needs more than 64
 * KiB. */
bool covey_i_yaml_print(covey_text *out, const covey_yaml *node);
/* Appends a scalar, in quotes where YAML or a reader of YAML 1.1 would take it for something else. */
void covey_i_yaml_print_scalar(covey_text *out, const char *text);

#endif
