/* What is wrong with a release: one line each, the first 50 in the order in which they were found, and how many more
 * there were. */
#ifndef COVEY_READER_PROBLEMS_H
#define COVEY_READER_PROBLEMS_H

#include <covey/base.h>

enum { COVEY_MOST_PROBLEMS = 50 };

typedef struct covey_problems {
    size_t n;                            /* kept lines */
    int64_t n_found;                     /* all of them */
    char *line[COVEY_MOST_PROBLEMS + 1]; /* covey_i_malloc */
    bool broken;                         /* a line could not be stored: no memory */
} covey_problems;

#define COVEY_PROBLEMS_INIT                                                                                            \
    {                                                                                                                  \
        .n = 0                                                                                                         \
    }

/* Adds a line (made one line, cut at 400 bytes).  Says which class and which column, never a sensitive value. */
void covey_i_problem(covey_problems *problems, const char *fmt, ...) COVEY_PRINTF(2, 3);
/* Moves the lines of from, which becomes empty, behind those of into. */
void covey_i_problems_move(covey_problems *into, covey_problems *from);
/* Adds "and N more" where lines were left out; nothing may be added afterwards. */
void covey_i_problems_close(covey_problems *problems);
void covey_i_problems_clear(covey_problems *problems);

#endif
