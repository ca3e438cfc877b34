/* Which units may go to which classes, and what adds up; and the steps of answering that. */
#ifndef COVEY_AUDIT_WHOLE_QUESTION_H
#define COVEY_AUDIT_WHOLE_QUESTION_H

#include "audit/links/proof.h"

enum { COVEY_WHOLE_MOST_KINDS = 2 };

/* A class has to get so many rows of a kind. */
typedef struct covey_whole_need {
    uint32_t kind, n_rows;
} covey_whole_need;

/* A row of a unit, by what it says of itself. */
typedef struct covey_whole_row {
    uint32_t unit, person, kind[COVEY_WHOLE_MOST_KINDS], row;
} covey_whole_row;

typedef struct covey_whole_question {
    covey_link_proof *proof; /* with its units, and places in their order */
    covey_arena *arena;
    /* What the form says (covey_whole_ask). */
    bool are_alike; /* units of a class have as many rows as are stated of the largest, and the last kind in all */
    size_t n_each;  /* kinds that a row has, 1 .. COVEY_WHOLE_MOST_KINDS */
    uint32_t *kind; /* [rows of the original * n_each] below n_kinds; a number belongs to one of them only */
    uint32_t n_kinds;
    uint32_t *wanted_class, *wanted_kind; /* [n_wanted] a class, from 1, has to get a row of the kind; in any order */
    int64_t *wanted_rows;                 /* [n_wanted] so many of them */
    size_t n_wanted;
    uint32_t n_points;
    const uint32_t *point_start, *point_row; /* rows of the original that may stand in the same classes */
    /* Calls see with each point whose rows may stand in the class, from 1. */
    void (*visit)(const struct covey_whole_question *question, uint32_t class,
                  void (*see)(void *context, uint32_t point), void *context);
    void *of_form;
    /* Classes, from 1; 0 is what was suppressed.  question.c */
    uint32_t *need_start;           /* [n_classes + 2] */
    covey_whole_need *need;         /* by kind */
    int64_t *units_of, *persons_of; /* [n_classes + 1] */
    bool is_wrong;                  /* sums cannot be right, which has been reported */
    /* Units.  question.c */
    uint32_t n_units;
    uint32_t *unit_start; /* [n_units + 1] in row */
    covey_whole_row *row; /* [rows of the original] of a unit one after another, in these of a person, by kinds */
    uint32_t *n_persons;  /* [n_units] */
    /* Where they may go.  candidates.c */
    bool gave_up;           /* there are too many ways to look at */
    uint32_t *choice_start; /* [n_units + 1] */
    uint32_t *choice;       /* classes, ascending */
    /* Units that nothing tells apart.  types.c */
    uint32_t n_types;
    uint32_t *type_start; /* [n_types + 1] in unit */
    uint32_t *unit;       /* [n_units] type by type */
} covey_whole_question;

typedef enum covey_whole_answer {
    COVEY_WHOLE_UNDECIDED,
    COVEY_WHOLE_NONE, /* no way at all: proven */
    COVEY_WHOLE_SOME, /* a way was found */
    COVEY_WHOLE_ONLY  /* the only one, but for units that nothing tells apart */
} covey_whole_answer;

/* question.c: sums up what classes need, and puts the rows of units into order. */
covey_status covey_i_whole_question(covey_whole_question *q, covey_error *err);

/* candidates.c: classes whose cells and needs hold all rows of a unit.  types.c: units with the same rows and classes.
 */
covey_status covey_i_whole_candidates(covey_whole_question *q, covey_error *err);
covey_status covey_i_whole_types(covey_whole_question *q, covey_error *err);

/* search.c: class_of_unit [n_units] receives the way. */
covey_status covey_i_whole_search(covey_whole_answer *out, uint32_t *class_of_unit, covey_whole_question *q,
                                  covey_error *err);

/* Has a class enough of each kind for a unit?  count: [n_kinds] zeros, before and after; need: [n_kinds] of the class.
 */
bool covey_i_whole_has_room(const covey_whole_question *q, uint32_t unit, const uint32_t *need, uint32_t *count);

/* What a class needs of a kind, as a number of q->need; UINT32_MAX: nothing. */
uint32_t covey_i_whole_find_need(const covey_whole_question *q, uint32_t class, uint32_t kind);

#endif
