/* The rows of groups, on their way into a release in two tables.
 *
 * What is published of a row beside the sensitive value, its content, is one number, so that rows move together with
 * all that is to be known of them: the table's columns, where neighbours of a group stand far from each other, are
 * looked at as seldom as possible. */
#ifndef COVEY_RELEASE_BUCKETIZED_MEMBERS_H
#define COVEY_RELEASE_BUCKETIZED_MEMBERS_H

#include "base/codes.h"
#include "release/release_impl.h"

typedef struct covey_members {
    uint32_t n, n_groups;
    uint32_t *start; /* [n_groups + 1] into row and code; every group has rows */
    uint64_t *row;   /* [n] group by group: content << 32 | row; inside a group in any order */
    void *
        code; /* [n] the sensitive values of a group, of their column's width, in any order; NULL: they are looked up */
    bool has_contents; /* as covey_i_bucketized_contents_keys has them; else they are still 0 */

    /* Afterwards: */
    bool is_packed;      /* contents have digits; else they are places among all that are different */
    uint64_t n_contents; /* all are below */
    uint32_t *n_lines;   /* [n_groups] different values */
} covey_members;

/* The columns of quasi.csv as keys, the first most significant; key: [n_axes + n_fields]. */
size_t covey_i_bucketized_contents_keys(covey_sort_key *key, const covey_problem *problem);
/* May the keys' packed number be the content?  Then all are below *n_contents, which is below 2^32. */
bool covey_i_bucketized_contents_fit(uint64_t *n_contents, const covey_sort_key *key, size_t n_keys);

/* Room for so many rows and groups, and their values; code: NULL if width is 0. */
covey_status covey_i_members_new(covey_members *members, uint32_t n_rows, uint32_t n_groups, int width,
                                 covey_error *err);
void covey_i_members_clear(covey_members *members); /* all zeros allowed */

/* Finds what is not known yet, and puts rows and values of each group in their order. */
covey_status covey_i_members_sort(covey_members *members, const covey_problem *problem, const covey_column *sensitive,
                                  const covey_run *run, covey_error *err);

static inline uint32_t covey_i_members_content(const covey_members *members, uint32_t at)
{
    return (uint32_t)(members->row[at] >> 32);
}

static inline uint32_t covey_i_members_code(const covey_members *members, int width, uint32_t at)
{
    return covey_i_codes_get(members->code, width, at);
}

#endif
