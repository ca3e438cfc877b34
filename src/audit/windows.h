/* The walk through a release that is verified without being in memory: windows of neighbouring classes, or rows.
 *
 * A form's callbacks say what its tables are, and look at a window with the code that looks at whole tables; the last
 * class of the window before stands in front, so that neighbours can be compared.  Classes are numbered and judged by
 * the steps below: a survey reads the tables first (survey.h).  What is wrong is kept apart by the question that found
 * it: in the end the verdict is that of the tables read at once. */
#ifndef COVEY_AUDIT_WINDOWS_H
#define COVEY_AUDIT_WINDOWS_H

#include "audit/steps.h"
#include "audit/survey.h"
#include "reader/losses.h"

/* Where the walk is. */
typedef struct covey_windows {
    const struct covey_windows_form *form;
    covey_audit *audit; /* its problems: of this walk alone */
    covey_opened *o;
    size_t size;                       /* bytes of a window, about */
    covey_streamed_table rows, values; /* values: of a form that has a table of its own for them */
    bool refused;                      /* has to be read at once */
    bool any;                          /* window was there */
    void *own;                         /* what the form knows beside this; in the arena */
    covey_arena arena, window;         /* for the whole walk; and for a window of it */
    covey_survey survey;
    covey_arena_mark *kept;    /* [n_columns] what columns know for good */
    covey_problems *of_column; /* [n_columns] */
    covey_problems of_order, of_promises;
    /* Of classes: */
    uint32_t n_rows, n_classes; /* of the whole */
    uint32_t last_size;         /* of the last class of the window before */
    covey_column *text;         /* [n_columns] whole columns with the lines of a window */
    covey_audit_sides sides;
    covey_judging judging;
    covey_losses_so_far losses;
} covey_windows;

typedef struct covey_windows_form {
    const char *phase; /* of progress: each window */
    /* Right in one direction only: what is wrong, or written in an unusual way, is refused without a word, and who
     * reads all at once says what it is. */
    bool accepts;
    bool if_asked; /* windows take much longer: only where a limit is asked for */
    /* Opens the tables, of which it knows what is expected; w->o is new. */
    covey_status (*open)(covey_windows *w, covey_error *err);
    /* Before the first window: finds out whether w->o is usable, and all that is needed then. */
    covey_status (*begin)(covey_windows *w, covey_error *err);
    /* Reads the next window's rows, as covey_i_csv_stream_next. */
    covey_status (*next)(covey_table **out, covey_csv_stream *stream, covey_error *err);
    covey_status (*check)(covey_windows *w, covey_error *err);
    /* Behind the last window. */
    covey_status (*end)(covey_windows *w, covey_error *err);
    void (*clear)(covey_windows *w); /* what own holds outside of arenas; NULL: nothing */
} covey_windows_form;

/* *done false: the tables are not to be read so, and nothing has happened. */
covey_status covey_i_windows_check(bool *done, covey_audit *audit, const covey_windows_form *form, size_t size,
                                   covey_error *err);

/* Is there anything that the walk is over for? */
bool covey_i_windows_is_refused(const covey_windows *w);

/* Step of open: one table, which is refused if it is not there, or has no rows.  As covey_i_opened_stream. */
covey_status covey_i_windows_open(covey_streamed_table *out, covey_windows *w, const char *file, const char *number,
                                  covey_error *err);

/* --- steps of forms that publish classes, in their order --- */

/* begin: surveys the tables, and understands what is known in advance. */
covey_status covey_i_windows_begin_classes(covey_windows *w, covey_error *err);
/* check: finds the classes of the window's lines, first those of w->rows; then those of w->values, if that is another
 * table, whose lines are entries of w->o->groups, but for their counts. */
covey_status covey_i_windows_find_classes(covey_windows *w, covey_error *err);
covey_status covey_i_windows_find_values(covey_windows *w, covey_error *err);
/* check: understands the columns; then judges the classes. */
covey_status covey_i_windows_read_columns(covey_windows *w, covey_error *err);
covey_status covey_i_windows_judge(covey_windows *w, covey_error *err);
/* end: the verdict. */
covey_status covey_i_windows_end_classes(covey_windows *w, covey_error *err);

#endif
