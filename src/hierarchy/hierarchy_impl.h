/* What a hierarchy is made of; between modules.
 *
 * Two trees live side by side.  The raw tree has the nodes as the file has them, one per (level, label); it knows the
 * file's levels and every alias.  The folded tree, covey_node, is what algorithms walk: chains are collapsed, nodes are
 * in pre-order. */
#ifndef COVEY_HIERARCHY_HIERARCHY_IMPL_H
#define COVEY_HIERARCHY_HIERARCHY_IMPL_H

#include <covey/hierarchy.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "table/table_impl.h"

#define COVEY_NO_NODE UINT32_MAX

enum { COVEY_MAX_LEVELS = 64, COVEY_MAX_LEAVES = 1 << 24 };

/* Nodes as the file has them.  A parent's number is always below its children's, the root is 0. */
typedef struct covey_raw_tree {
    const char *file; /* for messages; borrowed while lines are added; NULL if built without a file */
    int n_levels;
    uint32_t n, n_leaves, capacity;
    uint64_t *label;  /* [n] offsets into text */
    uint32_t *parent; /* [n] the root is its own */
    uint8_t *level;   /* [n] 0 for leaves */
    int64_t *line;    /* [n] line that names it first */
    covey_text text;  /* labels, a NUL behind each */
    uint32_t *slots;  /* [n_slots] open addressing from (level, label) to node */
    size_t n_slots;   /* a power of two */
} covey_raw_tree;

/* How the values of the data become leaves where that is not "by the same name". */
typedef struct covey_coarsening {
    covey_hierarchy_kind kind; /* ZIP3 and TOP coarsen, all others do not */
    int64_t top;               /* TOP */
    bool restricted[1000];     /* ZIP3: prefixes that become 000 */
} covey_coarsening;

struct covey_hierarchy {
    covey_hierarchy_kind kind;
    bool from_data;
    bool has_added_null;     /* the first leaf is that of missing cells, because the data have some */
    uint32_t added_namesake; /* the raw leaf of a value that the data added, and that a node above others is called
                                like; 0: there is none */
    char *file;              /* that it was read from, NULL if from none; for messages */
    uint32_t n_nodes, n_leaves;
    covey_node *node;    /* [n_nodes] pre-order */
    uint32_t *node_raw;  /* [n_nodes] the raw node whose label it bears */
    uint32_t *leaf_node; /* [n_leaves] */
    covey_raw_tree raw;  /* slots and line are gone */
    uint32_t *raw_node;  /* [raw.n] the node that it was folded into */
    uint32_t *slots;     /* [n_slots] open addressing from labels to raw nodes, see covey_hierarchy_find */
    size_t n_slots;
    covey_coarsening coarsening;
};

/* Starts a tree of that many levels, 2 .. COVEY_MAX_LEVELS.  Ends with _clear, which also takes a zeroed tree. */
covey_status covey_i_raw_init(covey_raw_tree *tree, int n_levels, const char *file, covey_error *err);
void covey_i_raw_clear(covey_raw_tree *tree);

/**
 * Adds a line: path[0] is the leaf, path[n_levels - 1] the root.  The leaf "" is stored as "null".
 *
 * @return COVEY_EPARSE (COVEY_EINVAL without a file) naming both lines for a leaf that is there already, levels that
 * are not nested, a second root; for an empty label of an inner node; for too many leaves
 */
covey_status covey_i_raw_add(covey_raw_tree *tree, const covey_label *path, int64_t line, covey_error *err);

/* Adds a leaf directly under the root (which becomes "*" if there is none yet). */
covey_status covey_i_raw_add_under_root(covey_raw_tree *tree, const char *label, size_t size, covey_error *err);

/* COVEY_NO_NODE if there is none. */
uint32_t covey_i_raw_find(const covey_raw_tree *tree, int level, const char *label, size_t size);

static inline const char *covey_i_raw_label(const covey_raw_tree *tree, uint32_t node)
{
    return tree->text.bytes + tree->label[node];
}

/* A line in the making: append a label's bytes to text, close it, and so on up to the root; then add it. */
typedef struct covey_path {
    covey_text text;
    size_t end[COVEY_MAX_LEVELS]; /* where each closed label ends in text */
    int n;
} covey_path;

void covey_i_hierarchy_path_close(covey_path *path);
covey_status covey_i_hierarchy_path_add(covey_raw_tree *tree, covey_path *path,
                                        covey_error *err); /* empties the path */

/**
 * Folds the raw tree.
 *
 * @param tree     taken over if COVEY_OK is returned, and zeroed
 * @param key      [tree->n] siblings stand in ascending order of their smallest leaf's key (only leaves' keys are
 * read), equal ones in order of appearance; NULL: in order of appearance
 * @param first    a leaf whose branches come first on every level, or COVEY_NO_NODE
 * @param partial  see covey_hierarchy_spec
 */
covey_status covey_i_hierarchy_fold(covey_hierarchy **out, covey_raw_tree *tree, const uint64_t *key, uint32_t first,
                                    bool partial, covey_error *err);

/**
 * The hierarchy of the leaves with keep[leaf], one at least, in their order: nodes without any are gone, the others
 * keep their labels, but for those of balanced hierarchies, which name the first and the last value that are left.
 *
 * @param keep  [n_leaves]
 * @return COVEY_OK; COVEY_ENOMEM; COVEY_EINVAL if labels of a balanced hierarchy are the same for different nodes
 * (values that contain "..")
 */
covey_status covey_i_hierarchy_restrict(covey_hierarchy **out, const covey_hierarchy *h, const bool *keep,
                                        covey_error *err);
/* Keeps a leaf of each node of a file that another node's label means: without it that label would seem to be clear. A
 * leaf under the root alone may be due to the data, and stays as it is.  keep: [n_leaves] */
void covey_i_hierarchy_keep_namesakes(bool *keep, const covey_hierarchy *h);

/* The node that a published cell means, COVEY_NO_NODE if none: * is the root wherever the root is called so, also above
 * a leaf of that name (which is published as {*}). */
uint32_t covey_i_hierarchy_find_cell(const covey_hierarchy *h, const char *cell);

/* The label of a node at a level of the file: of a collapsed chain that of its topmost node up to there that is told
 * from all others by its label; level 0: the node's own, the lowest.  Borrowed. */
const char *covey_i_hierarchy_label_at(const covey_hierarchy *h, uint32_t node, int level);

/* Would a label be read in a release as something else: the suppressed cell or a set? */
bool covey_i_hierarchy_label_is_misleading(const char *label);

/* covey_hierarchy_write of labels at a level.  is_terse: without levels on which every line repeats the one before. */
covey_status covey_i_hierarchy_write_level(const covey_hierarchy *h, const char *path, const bool *used, int level,
                                           bool is_terse, covey_error *err);

/* Builds h->slots. */
covey_status covey_i_hierarchy_index(covey_hierarchy *h, bool partial, covey_error *err);

/* Reads a hierarchy file, or spec->text, into a raw tree that is not initialised yet. */
covey_status covey_i_hierarchy_read(covey_raw_tree *tree, const covey_hierarchy_spec *spec, covey_error *err);

enum { COVEY_LINES_DELIMITER = ';' };

/* Adds the text that a file of these lines has, [[leaf, ancestor, ..., root], ...]; NULL, or what is no list of lines,
 * no line or no cell of one. */
const covey_yaml *covey_i_hierarchy_lines(covey_text *text, const covey_yaml *node);

/* The makers: each initialises the tree and adds a leaf for each value of the column but null.  The spec's own
 * parameters are checked here. */
typedef covey_status (*covey_hierarchy_maker)(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                              const covey_column *column, covey_coarsening *coarsening,
                                              covey_error *err);
covey_status covey_i_hierarchy_make_suppression(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                                const covey_column *column, covey_coarsening *coarsening,
                                                covey_error *err);
covey_status covey_i_hierarchy_make_balanced(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                             const covey_column *column, covey_coarsening *coarsening,
                                             covey_error *err);
covey_status covey_i_hierarchy_make_interval(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                             const covey_column *column, covey_coarsening *coarsening,
                                             covey_error *err);
covey_status covey_i_hierarchy_make_cuts(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err);
covey_status covey_i_hierarchy_make_mask(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err);
covey_status covey_i_hierarchy_make_date(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err);
covey_status covey_i_hierarchy_make_zip3(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                         const covey_column *column, covey_coarsening *coarsening, covey_error *err);
covey_status covey_i_hierarchy_make_top(covey_raw_tree *tree, const covey_hierarchy_spec *spec,
                                        const covey_column *column, covey_coarsening *coarsening, covey_error *err);

/* The list of areas that become 000 (spec.areas), for manifests, which must not name the publisher's files.  Lives in
 * the arena. */
covey_status covey_i_hierarchy_read_zip3_areas(const char *const **out, size_t *n_out, const char *path,
                                               covey_arena *arena, covey_error *err);

/* Does an interval hierarchy list all its integers, whatever the data hold? */
bool covey_i_interval_lists_all(const covey_hierarchy_spec *spec, const covey_column *column);

/* Leaves by name, for matching. */
typedef struct covey_leaves {
    uint32_t n;
    const char **label; /* [n] */
    int64_t *number;    /* [n] value * 10^scale, where is_number */
    bool *is_number;    /* [n] does the label read as a number of the column's type? */
    bool all_numbers;   /* all but the leaf "null", whose number is 0 */
    int scale;
    uint32_t null; /* the leaf "null", COVEY_NO_NODE if none */
} covey_leaves;

/* Reads the labels (label is taken over in every case) as numbers of the column's type, if it is one; none is one
 * otherwise. */
covey_status covey_i_leaves_init(covey_leaves *leaves, const char **label, uint32_t n, const covey_column *column,
                                 const covey_coarsening *coarsening, covey_error *err);
void covey_i_leaves_clear(covey_leaves *leaves);

/**
 * Finds the leaf of each value: numbers by value ("07" is 7), all others by label; null by the label "null".
 *
 * @param leaf_of_code  [column->n_values] receives leaves, COVEY_NO_NODE for a value without one
 * @param twice         [2] receives two leaves of the same number if COVEY_EINVAL is returned without a message; may be
 * NULL
 */
covey_status covey_i_leaves_match(uint32_t *leaf_of_code, const covey_leaves *leaves, const covey_column *column,
                                  const covey_coarsening *coarsening, uint32_t twice[2], covey_error *err);

/* Writes the leaf's label that a value is coarsened to (at most 64 bytes); false if the value cannot be: no ZIP code.
 */
bool covey_i_hierarchy_coarsen(char out[64], const covey_coarsening *coarsening, const covey_column *column,
                               uint32_t code);

/* COVEY_OK unless rows have values without a leaf; else COVEY_EINVAL with their number, up to five of them and the
 * hierarchy's file (NULL: it has none); err->row is the line of the first, err->file empty for the caller to fill in
 * (covey_i_error_place_line). */
covey_status covey_i_leaves_require(const uint32_t *leaf_of_code, const covey_column *column, const char *file,
                                    covey_error *err);

/* The leaf of each value of a column (leaf_of_code: [column->n_values]), COVEY_NO_NODE for a value without one.
 * COVEY_EINVAL if the hierarchy lists a number twice. */
covey_status covey_i_hierarchy_find_leaves(uint32_t *leaf_of_code, const covey_column *column, const covey_hierarchy *h,
                                           covey_error *err);

/**
 * A column recoded so that codes are leaf numbers and the dictionary is all leaves, also those that do not occur.
 *
 * The type stays if all leaves are numbers of it (number[] is then filled, but ascends only where the tree keeps the
 * numbers together), otherwise it becomes text.  Several values may share a leaf (ZIP3, TOP; "7" and "7.0").  The leaf
 * "null" stands for missing cells; has_null says that it is code 0.
 *
 * @return COVEY_EINVAL as covey_hierarchy_build for values without a leaf
 */
covey_status covey_i_hierarchy_align(covey_column **out, const covey_column *column, const covey_hierarchy *h,
                                     covey_error *err);

#endif
