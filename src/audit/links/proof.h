/* What is known while promises over units are proven, and the steps of the proof. */
#ifndef COVEY_AUDIT_LINKS_PROOF_H
#define COVEY_AUDIT_LINKS_PROOF_H

#include "audit/steps.h"
#include "model/units.h"

/* A row of the original in the order in which it is judged. */
typedef struct covey_link_place {
    uint32_t class; /* published number, from 1; 0: in none */
    uint32_t whole, row;
} covey_link_place;

typedef struct covey_link_proof {
    covey_audit *audit;
    const covey_original *original;
    covey_problems *problems;
    uint32_t *class_of;      /* [original->n_rows] */
    covey_link_place *place; /* the same, sorted */
    uint32_t *order;         /* rows by unit and person */
    uint32_t *scratch[2];    /* as many */
    covey_units units;
    covey_promises promises;
    covey_arena arena;
    bool is_wrong; /* something was reported after which the rest makes no sense */
} covey_link_proof;

/* list.c: the class of each row, line by line. */
covey_status covey_i_links_read(covey_link_proof *p, covey_error *err);

/* rows.c: puts the rows in the order of class, unit and person; asks whether all rows of a unit are in one class, or in
 * none, and whether the rows that the list puts into a class show in these columns what those of the class show.  fits:
 * where a cell of the class stands for several values, does it hold the row's?  NULL: none does. */
covey_status covey_i_links_make_units(covey_link_proof *p, covey_error *err);
/* The same again, once class_of has changed. */
void covey_i_links_sort(covey_link_proof *p);
covey_status covey_i_links_check_whole(covey_link_proof *p, covey_error *err);
covey_status covey_i_links_check_rows(covey_link_proof *p, const uint32_t *column, size_t n_columns,
                                      bool (*fits)(const covey_link_proof *p, const covey_link_place *at),
                                      covey_error *err);

/* kinds.c: the kind of each row's unit, which may be set: units of a kind have as many rows and, where set numbers what
 * is known of rows beside sensitive values, as many of each number; households as many persons of each kind.  [rows of
 * the original] */
covey_status covey_i_links_number_kinds(uint32_t *kind, covey_link_proof *p, const uint32_t *set, covey_error *err);
/* Are some rows of a unit dropped for missing values, and others are not?  That is a problem. */
bool covey_i_links_are_torn(const covey_link_proof *p);
/* Are units of a kind published or suppressed together? */
covey_status covey_i_links_check_kinds(covey_link_proof *p, const uint32_t *kind, bool has_sets, covey_error *err);

/* judge.c: binds the promises over units to the values of the original, and judges each class.  all: none is left out.
 */
covey_status covey_i_links_bind(bool *all, covey_link_proof *p, covey_error *err);
covey_status covey_i_links_judge(covey_link_proof *p, covey_error *err);

#endif
