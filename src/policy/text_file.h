/* A text as a file. */
#ifndef COVEY_TEXT_FILE_H
#define COVEY_TEXT_FILE_H

#include "base/text.h"

/* Writes text as a file, replacing one that is there; COVEY_ENOMEM if it is broken, COVEY_EIO. */
covey_status covey_i_text_write(const covey_text *text, const char *path, covey_error *err);

#endif
