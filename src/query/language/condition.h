/* Conditions on published cells: is a row surely, possibly or not selected, and how likely is it?
 *
 * A condition is brought to the form where NOT stands at single tests only.  A missing value passes no test but IS
 * NULL, so that from there on nothing is ever unknown in SQL's sense: true counts, everything else does not.
 *
 * Tests that speak of one attribute are then put together as far as AND and OR allow (parts).  The values of an
 * attribute fall into atoms: values on which all its parts agree.  A published cell is a set of atoms, and a class's
 * cells are a box of them.  The condition over the box is
 *
 * - evaluated part by part where every attribute has one part: that is exact, because attributes are independent of
 * each other in a box;
 * - evaluated over all combinations of atoms, at most COVEY_CONDITION_MOST_COMBINATIONS, which is exact too;
 * - beyond that evaluated part by part with Kleene's rules: still valid, but it may call possible what is sure. */
#ifndef COVEY_QUERY_LANGUAGE_CONDITION_H
#define COVEY_QUERY_LANGUAGE_CONDITION_H

#include "query/column.h"
#include "query/language/sql.h"

enum {
    COVEY_CONDITION_MOST_PARTS = 64,
    COVEY_CONDITION_MOST_COMBINATIONS = 1 << 14,
    COVEY_CONDITION_MOST_TRUTH = 1 << 20
};

typedef enum covey_test_kind {
    COVEY_TEST_NEVER = 0,
    COVEY_TEST_NULL,
    COVEY_TEST_RANGE,
    COVEY_TEST_ITEMS
} covey_test_kind;

typedef enum covey_node_kind { COVEY_NODE_AND = 0, COVEY_NODE_OR, COVEY_NODE_TEST } covey_node_kind;

/* A node of a condition.  Constants of an attribute are sorted; position 2i + 1 is the i-th itself, 2i what lies
 * between it and the one before. */
typedef struct covey_condition_node {
    covey_node_kind kind;
    int attribute; /* which all tests below speak of; -1: several */
    int part;      /* its number among the attribute's parts; -1: it is none, but lies above or below one */
    struct covey_condition_node *child, *next;
    covey_test_kind test;
    bool is_negated;                     /* true for what is not missing and fails the test */
    uint32_t low, high;                  /* RANGE: positions; ITEMS: first and last item, or an unnamed text */
    int64_t low_constant, high_constant; /* RANGE while constants are collected: which, -1: no end */
    bool low_open, high_open;            /* the constant itself does not belong to it */
} covey_condition_node;

/* An end of ranges: a number, or a text. */
typedef struct covey_constant {
    __int128 number;  /* at the attribute's scale */
    const char *text; /* NULL: a number */
} covey_constant;

/* Part of a cell: the share of the cell's values that are of an atom; NaN: not known. */
typedef struct covey_atom_share {
    uint32_t atom;
    double share;
} covey_atom_share;

typedef struct covey_condition_attribute {
    const covey_query_column *column;
    uint32_t index; /* of the column in the release */
    size_t at;      /* where the query names it first */
    int scale;      /* of the constants; not below the column's */
    uint32_t n_constants, n_room;
    covey_constant *constant;
    int64_t *above;
    bool *on_grid; /* [n_constants] as the column's numbers see them */
    uint32_t n_tests;
    bool has_item_tests;
    uint32_t n_unnamed, unnamed_room;
    const char **unnamed; /* texts of tests for equality whose places in the column's order only suppressed rows know */
    int n_parts;
    covey_condition_node *part[COVEY_CONDITION_MOST_PARTS];
    uint32_t n_atoms;
    uint64_t *passes; /* [n_atoms] bit p: its values pass part p */
    uint32_t *start;
    covey_atom_share *share; /* [n_cells + 1], the atoms of each cell */
    uint32_t n_any;
    covey_atom_share *any;   /* what a row without cells may have; shares NaN */
    size_t stride;           /* in truth */
    uint32_t null_atom;      /* of the missing value; UINT32_MAX: the column has none */
    uint32_t *position_atom; /* [2 * n_constants + 1] numbers; UINT32_MAX where no value of the column can lie */
    uint32_t *item_start;
    uint32_t *item_atom; /* [n_items + 1] atoms of each item */
} covey_condition_attribute;

/* A text that is no published value and no label of the column that it is compared with. */
typedef struct covey_unknown_value {
    const char *column, *text, *nearest; /* nearest: a text that is one; NULL: none is near */
    const struct covey_unknown_value *next;
} covey_unknown_value;

typedef struct covey_condition {
    covey_condition_node *root; /* NULL: every row */
    uint32_t n_attributes;
    covey_condition_attribute *attribute;
    bool is_read_once;                  /* every attribute has one part */
    uint8_t *truth;                     /* per combination of atoms: is it true?  NULL: too many */
    const covey_unknown_value *unknown; /* the last first */
} covey_condition;

typedef struct covey_outcome {
    bool can_be_true, can_be_false;
    double p; /* that a value drawn evenly from the box makes it true; NaN: not known */
} covey_outcome;

/* The atoms of one attribute in a box. */
typedef struct covey_atom_list {
    const covey_atom_share *share;
    uint32_t n;
} covey_atom_list;

/**
 * Understands a condition over the columns.  Columns are found by name: covey_i_query_find.
 *
 * @param where  NULL: every row
 * @return COVEY_EINVAL with the place in the query for unknown columns, values that a column cannot have, too much
 */
covey_status covey_i_condition_make(covey_condition *out, const covey_sql_query *query,
                                    const covey_query_column *columns, size_t n_columns, covey_arena *arena,
                                    covey_error *err);

/* Steps of it: the tree of tests with its constants; the atoms. */
covey_status covey_i_condition_bind(covey_condition *out, const covey_sql_query *query,
                                    const covey_query_column *columns, size_t n_columns, covey_arena *arena,
                                    covey_error *err);
covey_status covey_i_condition_settle(covey_condition *condition, covey_arena *arena, covey_error *err);

/* Does a value of these atoms, one per attribute, make the condition true? */
bool covey_i_condition_holds(const covey_condition *condition, const uint32_t *atom);
/* The same for a part of it: a node that is not below a part. */
bool covey_i_condition_node_holds(const covey_condition_node *node, const covey_condition *condition,
                                  const uint32_t *atom);

/* What the condition is over a box; list: [n_attributes]. */
void covey_i_condition_outcome(covey_outcome *out, const covey_condition *condition, const covey_atom_list *list);

/* Can the condition be true over the box?  Costs less, but may say yes where it cannot; shares do not matter. */
bool covey_i_condition_may_hold(const covey_condition *condition, const covey_atom_list *list);

static inline covey_atom_list covey_i_condition_list(const covey_condition_attribute *attribute, uint32_t cell)
{
    return (covey_atom_list){attribute->share + attribute->start[cell],
                             attribute->start[cell + 1] - attribute->start[cell]};
}

/* The atoms of a value in a condition; room: [2 * n_constants + 1] or 1 where the value is not an open item. */
covey_atom_list covey_i_condition_value(const covey_condition_attribute *attribute, const covey_query_value *value,
                                        covey_atom_share *room);

/* Index of the column that a name of the query means: by its letters, else by its letters in any case if only one is
 * meant. COVEY_EINVAL names the nearest. */
covey_status covey_i_query_find(uint32_t *out, const covey_sql_query *query, const covey_sql_name *name,
                                const covey_query_column *columns, size_t n_columns, covey_error *err);

#endif
