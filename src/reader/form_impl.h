/* The published forms as their reader knows them: what can be said of a form without judging a release of it, and how
 * its tables are opened.  A form is a folder whose door ends in a const struct, and a line in form_list.h. */
#ifndef COVEY_READER_FORM_IMPL_H
#define COVEY_READER_FORM_IMPL_H

#include "reader/opened.h"

typedef struct covey_reader_form {
    const char *name;
    bool units_alike;        /* where rows have units, those of a set have as many rows each */
    bool counts_unit_values; /* and one value each, which the entries of a set count */
    const char *word;        /* what a set of rows that is judged is called: "class", "group" */
    bool is_exact;           /* quasi-identifiers are published as they are; else every one is a range, label or set */
    bool may_recode;  /* but some of them may be ranges, labels or sets, which differ from line to line of a set */
    bool hides_prior; /* says nothing of the whole table: what compares with it takes the original */
    /* Do the lines of all quasi-identifiers belong together, row by row?  NULL: yes. */
    bool (*keeps_rows)(const covey_opened *opened);
    bool is_random; /* sensitive values are at random in part: a prior need not count them */
    /* Is this the name of one of its tables?  "table.csv"; hierarchies and the manifest are everybody's. */
    bool (*has_table)(const char *name);
    /* Reads the tables.  What is wrong with them goes to problems; opened->usable says whether the rest makes sense. */
    covey_status (*open)(covey_opened *opened, const bool *present, covey_problems *problems, const covey_run *run,
                         covey_error *err);
} covey_reader_form;

const covey_reader_form *covey_i_reader_form_find(const char *name); /* NULL if there is none */
size_t covey_i_reader_form_count(void);
const covey_reader_form *covey_i_reader_form_at(size_t index);

#define COVEY_READER_FORM(name) extern const covey_reader_form covey_reader_form_##name;
#include "reader/form_list.h"
#undef COVEY_READER_FORM

#endif
