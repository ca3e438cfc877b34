/* Folders and files in the making, by name, so that a signal handler can remove them: see covey_discard_unfinished. */
#ifndef COVEY_BASE_FILE_UNFINISHED_H
#define COVEY_BASE_FILE_UNFINISHED_H

#include <covey/base.h>

/* From now on the folder or file goes with covey_discard_unfinished.  Paths that are too long and what is beyond the
 * eighth are not remembered: as after a crash, the next run for the same target removes folders. */
void covey_i_unfinished_add(const char *path);
/* The folder is done, or gone. */
void covey_i_unfinished_remove(const char *path);

#endif
