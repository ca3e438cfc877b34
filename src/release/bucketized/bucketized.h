/* The form "bucketized" between modules: how a method makes such a release, and what it holds. */
#ifndef COVEY_RELEASE_BUCKETIZED_BUCKETIZED_H
#define COVEY_RELEASE_BUCKETIZED_BUCKETIZED_H

#include "base/codes.h"
#include "release/bucketized/members.h"

/* How groups are numbered.  Either way the number says nothing but what is published. */
typedef enum covey_group_order {
    COVEY_GROUPS_BY_CONTENT,     /* row by row of quasi.csv, then line by line of sensitive.csv */
    COVEY_GROUPS_BY_VALUES,      /* by smallest and largest sensitive value, then by size; ties at random */
    COVEY_GROUPS_BY_VALUES_DRAWN /* the same, where the map's numbers say how ties were drawn already */
} covey_group_order;

/* form_data of a bucketized release: the lines of sensitive.csv, and what rows publish. */
typedef struct covey_bucketized {
    size_t field;         /* the sensitive one */
    uint32_t *line_start; /* [n_classes + 1] first line of each group */
    int width;            /* of a code in bytes: 1, 2 or 4 */
    void *code;           /* [n_lines] value, ascending inside a group */
    uint32_t *count;      /* [n_lines] > 0; NULL: 1 each */
    uint32_t *content; /* [n_published] of each row, the packed number of covey_i_bucketized_contents_keys; NULL: these
                          do not fit */
    bool is_by_values; /* the order of the groups; else by content */
} covey_bucketized;

static inline uint32_t covey_i_bucketized_code(const covey_bucketized *data, uint32_t line)
{
    return covey_i_codes_get(data->code, data->width, line);
}

static inline uint32_t covey_i_bucketized_count(const covey_bucketized *data, uint32_t line)
{
    return data->count ? data->count[line] : 1;
}

/* Sum and largest of the groups' ranges, in units of the column's last digit; its values are numbers. */
void covey_i_bucketized_ranges(covey_i128 *sum, covey_i128 *largest, const covey_release *release,
                               const covey_column *column);

/**
 * Makes a bucketized release from a row -> group map: drops empty groups, numbers groups and sorts rows canonically,
 * sets the objective "ail" (which is the share of suppressed rows).
 *
 * @param group_of_row  [n_rows] group numbers below n_groups, or COVEY_CLASS_SUPPRESSED; stays the caller's
 * @return COVEY_OK; COVEY_EINVAL if the problem has not exactly one sensitive attribute; COVEY_EIO if ties need the
 * kernel's random numbers and it gives none; COVEY_ENOMEM
 *
 * What is published depends on which rows are together, on nothing else; ties at random follow run's seed.
 */
covey_status covey_i_release_of_groups(covey_release **out, const covey_problem *problem, const uint32_t *group_of_row,
                                       uint32_t n_groups, covey_group_order order, const covey_run *run,
                                       covey_error *err);

/* The same from the rows of groups, which are given back as soon as they are not needed any more, also if this fails.
 * Ties that the map's numbers say are those of the groups here. */
covey_status covey_i_release_of_members(covey_release **out, const covey_problem *problem, covey_members *members,
                                        covey_group_order order, const covey_run *run, covey_error *err);

/* Index of the only sensitive field; COVEY_EINVAL saying what the form needs where there is none or several. */
covey_status covey_i_bucketized_field(size_t *out, const covey_problem *problem, covey_error *err);

#endif
