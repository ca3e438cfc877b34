/* What labels stand for in a hierarchy that was built from the data by a rule: a mask, runs of sorted values, areas of
 * ZIP codes.
 *
 * A release has only those of its labels that are published, and which others the hierarchy had depends on values that
 * it does not tell. So the rule alone decides: a text that the rule could make is a label, and stands for all values
 * that the rule would put under it, whether or not a cell shows it, and also where a value of the data is spelled like
 * it. */
#ifndef COVEY_QUERY_LABEL_RULE_H
#define COVEY_QUERY_LABEL_RULE_H

#include <covey/hierarchy.h>

#include "base/arena.h"
#include "query/label.h"

struct json_t;

typedef enum covey_rule_kind {
    COVEY_RULE_NONE = 0, /* the labels are those of a tree that is known, or there are none */
    COVEY_RULE_MASK,     /* 123**: what begins with 123 */
    COVEY_RULE_RUNS,     /* a..f: from a to f in the order of bytes */
    COVEY_RULE_AREAS,    /* 123, 12*, 1**, 000: ZIP codes */
    COVEY_RULE_VALUES,   /* nothing but single values and * */
    COVEY_RULE_UNKNOWN   /* the release does not say which */
} covey_rule_kind;

typedef struct covey_label_rule {
    covey_rule_kind kind;
    int64_t n;      /* MASK: so many characters are masked at most */
    int64_t length; /* MASK: characters of every value and label; 0: not known, because nothing but * is published */
    bool restricted[1000]; /* AREAS: those that became 000 */
    bool no_empty;         /* RUNS: no value is an empty text, because empty cells are missing ones */
} covey_label_rule;

/* Values in a row: texts in the order of bytes, or numbers. */
typedef struct covey_value_run {
    bool is_text;
    const char *low, *high; /* texts; NULL: no end on this side */
    bool high_open;         /* texts: high itself does not belong to it */
    covey_number_label number;
} covey_value_run;

/* The rule of a specification in a manifest; NULL: UNKNOWN. */
covey_status covey_i_label_rule(covey_label_rule *out, const struct json_t *spec, covey_arena *arena, covey_error *err);

/* Learns from a label that is published. */
void covey_i_label_rule_learn(covey_label_rule *rule, const char *label);

/**
 * The values of a column that a label stands for.
 *
 * @param n        receives how many runs there are; 0: it is no label, but a single value
 * @param is_either  receives whether each run is another reading of the label (a..b..c), of which only one is meant;
 * also whether 12** may be no label, where how many characters values have is not known
 * @param type     TEXT and INTEGER columns have all their rule's labels; for others a label is not understood (n = 0)
 * but for *
 */
covey_status covey_i_label_runs(uint32_t *n, covey_value_run **run, bool *is_either, const covey_label_rule *rule,
                                covey_type type, const char *label, covey_arena *arena, covey_error *err);

/* Can a text that lies behind before and before behind (NULL: no end), or is both, be of the run? */
bool covey_i_label_run_reaches(const covey_value_run *run, const char *before, const char *behind);

#endif
