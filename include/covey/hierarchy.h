/* Value generalization hierarchies: a tree over an attribute's values.
 *
 * Leaves are numbered in pre-order (siblings in file order; over numbers by smallest leaf), so that every node covers a
 * range of leaves.  Nodes are numbered in pre-order too, the root is node 0.  One-child nodes are collapsed on load,
 * keeping the lowest label; heights still count them, and their labels still resolve.  A label that repeats the root's
 * from some level up to the root is the root itself: the line `x;*;*` puts x directly under it. */
#ifndef COVEY_HIERARCHY_H
#define COVEY_HIERARCHY_H

#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_node {
    uint32_t parent;     /* the root is its own parent */
    uint32_t first_leaf; /* leaves first_leaf .. first_leaf + n_leaves - 1 lie below (a leaf: itself) */
    uint32_t n_leaves;
    uint32_t n_children; /* 0 for a leaf */
    int32_t
        height; /* leaf 0, inner 1 + largest child's, chain nodes counted; collapsed chain: that of its lowest node */
    int32_t depth; /* root 0, collapsed nodes not counted */
    uint32_t leaf; /* a leaf's number, UINT32_MAX for inner nodes */
} covey_node;

typedef struct covey_hierarchy covey_hierarchy;

typedef enum covey_hierarchy_kind {
    COVEY_HIERARCHY_NONE = 0,
    COVEY_HIERARCHY_FILE,
    COVEY_HIERARCHY_BALANCED,
    COVEY_HIERARCHY_INTERVAL,
    COVEY_HIERARCHY_CUTS,
    COVEY_HIERARCHY_MASK,
    COVEY_HIERARCHY_DATE,
    COVEY_HIERARCHY_SUPPRESSION, /* value -> * */
    /* The next two publish nothing finer than their leaves, and several values of the data share a leaf. */
    COVEY_HIERARCHY_ZIP3, /* leaves are the first three digits of ZIP codes, 000 for the areas listed in a file; then
                             12*, 1**, * */
    COVEY_HIERARCHY_TOP   /* numbers of at least n are one leaf, "90+"; below it the values that occur */
} covey_hierarchy_kind;

/* How to make a hierarchy, as a policy says it.  Texts and lists are borrowed. */
typedef struct covey_hierarchy_spec {
    covey_hierarchy_kind kind;
    const char *path; /* FILE; ZIP3: the list, one prefix of three digits a line */
    const char *const *areas;
    size_t n_areas;         /* ZIP3 without path: the prefixes themselves */
    const char *text;       /* FILE without path: what would be in the file */
    char delimiter;         /* FILE: 0 = detect */
    bool partial;           /* FILE: written with `used`, see covey_hierarchy_write; for reading releases back */
    bool missing_leaf_root; /* FILE: values without a leaf go under the root instead of being an error */
    int64_t n; /* BALANCED: arity >= 2; MASK: characters masked at most, >= 1; TOP: the least number of the top leaf */
    const char *from, *to; /* INTERVAL: exact decimals, both belong to it; TOP: from where widths count, default 0 */
    const char *const *widths;
    size_t n_widths; /* INTERVAL, at least one; TOP, may be none: each a multiple of the one before */
    bool clamp;      /* INTERVAL: values outside go into end classes */
    const char *const *const
        *cuts; /* CUTS: [n_levels][n_cuts[level]] decimals (or dates), ascending, each a subset of the level before */
    const size_t *n_cuts;
    size_t n_levels;
    const char *const *units;
    size_t n_units;   /* DATE: of day, month, quarter, year, decade, ascending */
    bool is_declared; /* the column's values are a list that the policy gives (order): the leaves tell nothing of the
                         data */
    bool
        by_code; /* siblings go by the codes of the column's texts, its declared order, not as they stand in the file */
} covey_hierarchy_spec;

#define COVEY_HIERARCHY_SPEC_INIT                                                                                      \
    {                                                                                                                  \
        .kind = COVEY_HIERARCHY_NONE                                                                                   \
    }

/**
 * Makes a hierarchy.
 *
 * @param column  the attribute's typed column; FILE: may be NULL (only the file is checked), the others need it.  A
 * null value of the column becomes a leaf "null" directly under the root, the first leaf, unless the file lists it.
 * @param note    [256] receives a remark ("edu.csv: the root is called \"any\", not \"*\""), "" if none; may be NULL
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO for spec->path; COVEY_EPARSE with file and line for every fault of a
 *   file (unequal field counts, duplicate leaf, not nested, two roots); COVEY_EINVAL for impossible parameters or a
 *   data value without a leaf (the message counts rows and shows up to five values); COVEY_ENOMEM
 *
 * Needs spec and column during the call only.
 */
COVEY_API covey_status covey_hierarchy_build(covey_hierarchy **out, const covey_hierarchy_spec *spec,
                                             const covey_column *column, char *note, covey_error *err);
/* Gives a hierarchy back; NULL allowed.  What was borrowed from it ends. */
COVEY_API void covey_hierarchy_free(covey_hierarchy *h);
/* What it was made as, never COVEY_HIERARCHY_NONE. */
COVEY_API covey_hierarchy_kind covey_hierarchy_get_kind(const covey_hierarchy *h);
/* Would the leaves tell which values the data hold (also those of a file that missing_leaf_root added to)?  Then a
 * release may show only the labels that it publishes. */
COVEY_API bool covey_hierarchy_is_from_data(const covey_hierarchy *h);

/* Leaves: the values at the bottom. */
COVEY_API uint32_t covey_hierarchy_n_leaves(const covey_hierarchy *h);
/* Nodes, leaves and root included, collapsed ones not. */
COVEY_API uint32_t covey_hierarchy_n_nodes(const covey_hierarchy *h);
/* Levels of the file, which are its height + 1: at least 2. */
COVEY_API int covey_hierarchy_n_levels(const covey_hierarchy *h);
/* All nodes: [n_nodes], borrowed while the hierarchy lives. */
COVEY_API const covey_node *covey_hierarchy_nodes(const covey_hierarchy *h);
/* The label that a node is published with, borrowed while the hierarchy lives; NULL for a node that there is not. */
COVEY_API const char *covey_hierarchy_label(const covey_hierarchy *h, uint32_t node);
/* The node that is a leaf; UINT32_MAX for a leaf that there is not. */
COVEY_API uint32_t covey_hierarchy_leaf_node(const covey_hierarchy *h, uint32_t leaf);
/* The node a leaf is generalized to at a level of the file: 0 is the leaf, n_levels - 1 the root.  A leaf that the file
 * does not list (missing cells) stands under the root alone.  UINT32_MAX for a leaf or level that there is not.
 * O(level). */
COVEY_API uint32_t covey_hierarchy_ancestor(const covey_hierarchy *h, uint32_t leaf, int level);
/* The smallest node over both leaves, low_leaf <= high_leaf; UINT32_MAX if low_leaf is larger, or for a leaf that
 * there is not.  O(depth). */
COVEY_API uint32_t covey_hierarchy_lca(const covey_hierarchy *h, uint32_t low_leaf, uint32_t high_leaf);
/* The node a label means: the lowest if it names several (a leaf before an inner node); UINT32_MAX if none.  Labels of
 * collapsed nodes count where no node bears the label itself. */
COVEY_API uint32_t covey_hierarchy_find(const covey_hierarchy *h, const char *label);

/**
 * Writes the format that COVEY_HIERARCHY_FILE reads: a line per leaf, the labels from the leaf to the root with ';'
 * between them.
 *
 * @param used  [n_nodes] or NULL: NULL writes all of the hierarchy, so that reading it gives the same.  Otherwise no
 * label of an unused node is written (for hierarchies built from data: nothing that is not published).  Each used node
 * that used nodes below do not cover wholly gets a line, which begins with its own label on all levels down to the
 * leaf's.  A used node whose label means a lower node (covey_hierarchy_find) counts as its leaves, as releases publish
 * it.
 *
 * What `used` left is read back with spec.partial: then such a placeholder (a leaf that bears its parent's label)
 * stands for the rest of the node, and the label means the node.
 *
 * @return COVEY_OK; COVEY_EEXIST if there is a file of that name; COVEY_EIO, COVEY_ENOMEM (then no file is left)
 */
COVEY_API covey_status covey_hierarchy_write(const covey_hierarchy *h, const char *path, const bool *used,
                                             covey_error *err);

/**
 * Writes all of a hierarchy as a file for people to edit, which appears complete or not at all.
 *
 * @param force  replace a hierarchy that is there; any other file stays
 * @return COVEY_OK; COVEY_EEXIST for a file that is there, unless it is a hierarchy and force is set; COVEY_EIO;
 *   COVEY_ENOMEM
 */
COVEY_API covey_status covey_hierarchy_save(const covey_hierarchy *h, const char *path, bool force, covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
