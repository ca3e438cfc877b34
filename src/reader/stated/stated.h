/* What a manifest states (docs/manifest.md), read and type-checked, not believed.  The audit and the utility measures
 * read releases through this; nothing here is shared with the code that writes manifests. */
#ifndef COVEY_READER_STATED_STATED_H
#define COVEY_READER_STATED_STATED_H

#include <covey/hierarchy.h>
#include <covey/model.h>

#include "base/arena.h"

struct json_t;
struct covey_reader_form;

/* A figure that is recomputed; present false: the manifest says null. */
typedef struct covey_stated_figure {
    bool present;
    double value;
} covey_stated_figure;

typedef enum covey_publish {
    COVEY_PUBLISH_RANGE, /* a number or [low, high] */
    COVEY_PUBLISH_LABEL, /* a label of the hierarchy */
    COVEY_PUBLISH_SET,   /* a category or {a, b} */
    COVEY_PUBLISH_VALUE  /* as it is */
} covey_publish;

/* Which rule of coding a preset claims for a column. */
typedef enum covey_safe_harbor {
    COVEY_SAFE_HARBOR_NONE = 0,
    COVEY_SAFE_HARBOR_AGE, /* ages from some year on are one category */
    COVEY_SAFE_HARBOR_ZIP  /* ZIP codes have three digits, small areas are 000 */
} covey_safe_harbor;

typedef struct covey_stated_column {
    const char *name;
    covey_role role; /* QUASI, SENSITIVE or INSENSITIVE */
    covey_type type;
    covey_type read_as;      /* of an insensitive text that was no text before; else as type */
    covey_publish publish;   /* VALUE: sensitive and insensitive columns, and all of a form that is exact */
    covey_ratio weight;      /* quasi-identifiers: >= 0 */
    covey_stated_figure ail; /* quasi-identifiers; present false: not given */
    const char *domain_low, *domain_high; /* RANGE: texts of the column's type, else NULL */
    const char *hierarchy;                /* file name, NULL: none; LABEL: never NULL */
    bool hierarchy_complete;
    const struct json_t *hierarchy_spec; /* NULL: none */
    size_t n_order;
    const char *const *order; /* n_order 0: none */
    bool has_missing;
    bool is_weight;                    /* insensitive: how many people of a population a row stands for */
    const char *label;                 /* what the input's file says that it is; NULL: nothing */
    const struct json_t *value_labels; /* text by published value; NULL: none */
    covey_recoding recoding;           /* how the original writes the column's values */
    covey_safe_harbor safe_harbor;
} covey_stated_column;

typedef struct covey_stated_promise {
    const char *model;
    const char *attribute; /* NULL: none */
    bool joint, holds;
    size_t n_params;
    const char *const *param_name, *const *param_text;
    const struct json_t *threshold, *achieved, *achieved_value; /* never NULL, may be JSON's null */
    covey_over_units units;                                     /* of a release with an entity */
} covey_stated_promise;

typedef struct covey_stated_prior {
    const char *attribute;
    size_t n;
    const char *const *value;
    const int64_t *count; /* counts >= 0, values all different */
} covey_stated_prior;

typedef struct covey_stated_joint {
    size_t n_attributes;
    const char *const *attribute; /* 0: no joint prior */
    size_t n_cells;
    const char *const *value; /* [n_cells * n_attributes] */
    const int64_t *count;     /* [n_cells] >= 0 */
} covey_stated_joint;

/* One of several files that a table stands in. */
typedef struct covey_stated_part {
    const char *name; /* "table-00001.csv" */
    int64_t n_rows, n_classes, size_bytes;
    const char *sha256;
} covey_stated_part;

/* A file, or a table in several: that is called as if it were one. */
typedef struct covey_stated_file {
    const char *name;           /* "table.csv" */
    int64_t n_rows, size_bytes; /* of a table in several files: of all of them */
    const char *sha256;         /* 64 hexadecimal digits, lower case; NULL: the table is in several files */
    size_t n_parts;             /* 0: one file */
    covey_stated_part *part;    /* [n_parts] in the order of the table */
} covey_stated_file;

typedef struct covey_stated {
    struct json_t *root; /* owns all texts */
    covey_arena arena;   /* owns all lists */
    const char *form, *method;
    const struct covey_reader_form *published_as; /* the form's entry in the registry, never NULL */
    bool is_piece; /* of a larger release, by whoever reads it: figures and suppressed rows are that one's */
    bool is_tight; /* cells hold nothing that no row of the class has (publish-boxes: tight) */
    int64_t n_rows, n_published, n_suppressed, n_dropped, n_classes;
    bool has_counterfeits;  /* published rows that are nobody's are counted: n_rows and they are n_published and ... */
    int64_t n_counterfeits; /* ... n_suppressed together */
    size_t n_missing;
    const char *const *missing; /* texts that meant missing in the original */
    bool trim;
    char delimiter; /* of the original, if it is a CSV file; 0: guessed */
    bool no_header; /* of the original: names [n_names] of all its columns, "" for those that are not published */
    size_t n_names;
    const char *const *names;
    size_t n_presets;
    const char *const *preset;
    size_t n_promises;
    covey_stated_promise *promise;
    size_t n_columns;
    covey_stated_column *column;
    size_t n_priors;
    covey_stated_prior *prior;
    covey_stated_joint joint;
    bool has_units;        /* rows belong to persons; else they stand for themselves */
    bool has_households;   /* which persons are parts of, and units are */
    int64_t n_units;       /* published */
    const char *objective; /* its name, NULL: none */
    covey_stated_figure objective_value, objective_lower_bound, objective_upper_bound; /* upper: of what is maximised */
    bool objective_is_optimal;
    covey_stated_figure ail, ncp, discernibility, average_class_size, largest_risk, mean_risk;
    size_t n_files;
    covey_stated_file *file;
} covey_stated;

/**
 * Reads folder/manifest.json.
 *
 * @return COVEY_ENOTFOUND (no such folder, no manifest in it), COVEY_EINVAL (a file), COVEY_EIO, COVEY_ENOMEM;
 * COVEY_EPARSE if it is not JSON, larger than 256 MiB, a required key is missing or has the wrong type, or a list names
 * something twice
 */
covey_status covey_i_stated_read(covey_stated **out, const char *folder, covey_error *err);

/* For queries and exports, to which rows in another order are the same: texts are what their source says they are. */
void covey_i_stated_take_read_types(covey_stated *stated);
void covey_i_stated_free(covey_stated *stated); /* NULL allowed */

/* Index of the column of that name, -1 if there is none. */
int covey_i_stated_column(const covey_stated *stated, const char *name);
/* Index of the prior of that attribute, -1 if there is none. */
int covey_i_stated_prior(const covey_stated *stated, const char *attribute);
/* Index of a file, or table, among the listed ones by its name, -1 if it is not. */
int covey_i_stated_file(const covey_stated *stated, const char *name);
/* Does the manifest list a file of this name, as it stands in the folder? */
bool covey_i_stated_lists(const covey_stated *stated, const char *name);

#endif
