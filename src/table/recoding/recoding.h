/* What is done to the values of a column before anything else looks at them: numbers and dates that are written in
 * another way than covey writes them, and values that are to be coarser. */
#ifndef COVEY_TABLE_RECODING_RECODING_H
#define COVEY_TABLE_RECODING_RECODING_H

#include <covey/table.h>

/* Is it a way to write a day: YYYY or YY, M or MM, D or DD once each, with or without characters between them? */
bool covey_i_recoding_is_date_format(const char *format);

/* Does it say how values are written? */
static inline bool covey_i_recoding_has_form(const covey_recoding *recoding)
{
    return recoding->decimal || recoding->date_format;
}

/* Does it make numbers of the values, or take them for numbers? */
static inline bool covey_i_recoding_is_of_numbers(const covey_recoding *recoding)
{
    return recoding->top || recoding->bottom || recoding->round;
}

/* Does it make values coarser? */
static inline bool covey_i_recoding_is_coarser(const covey_recoding *recoding)
{
    return recoding->age_at || covey_i_recoding_is_of_numbers(recoding) || recoding->first || recoding->rare;
}

/* Does it change nothing? */
static inline bool covey_i_recoding_is_nothing(const covey_recoding *recoding)
{
    return !covey_i_recoding_has_form(recoding) && !covey_i_recoding_is_coarser(recoding);
}

enum { COVEY_RECODING_MOST_CHARACTERS = 60 };

/* What is wrong with how it makes values coarser, "top must be a number"; NULL: nothing. */
const char *covey_i_recoding_fault(const covey_recoding *recoding);

/**
 * A text column with its values as covey writes them: 1.234,50 becomes 1234.50, and 31.12.1960 becomes 1960-12-31.
 * Then they are made coarser.  Texts that come to the same are joined; the order is that of bytes, missing first.
 *
 * @param count     [raw->n_rows] for how many rows each row stands; NULL: one
 * @param type      what the column is declared to be: decides between a number and a date; of a guess it is what all
 *                  values are
 * Numbers and days of a column that is_typed stay as they are, and count as done where a file would have others.
 *
 * @param is_asked  of this column: a value that is not so written is COVEY_EPARSE, naming its row.  Else the column
 *                  stays as it is written.  What cannot be made coarser is an error in any case
 * @param done      receives what was done, so that nothing is done to a column that needs none; NULL: not asked
 */
covey_status covey_i_recoding_apply(covey_column **out, covey_recoding *done, const covey_column *raw,
                                    const int64_t *count, const covey_recoding *recoding, covey_type type,
                                    bool is_asked, const char *file, covey_error *err);

/* What the texts of a column seem to be. */
typedef struct covey_recoding_guess {
    char decimal;            /* ',': numbers with a decimal comma; '.': with marks between thousands; 0: neither */
    char other_decimal;      /* '.': fits as well, and no value tells; 0: it does not */
    const char *date_format; /* "D.M.YYYY"; NULL: no dates */
    const char *other;       /* the same with day and month exchanged, if nothing in the column tells; NULL: it does */
} covey_recoding_guess;

/* Looks at every value of a text column.  What has one form that covey reads without being told is not looked for. */
void covey_i_recoding_guess(covey_recoding_guess *out, const covey_column *raw);

#endif
