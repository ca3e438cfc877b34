/* Exports to a file of another program. */
#ifndef COVEY_EXPORT_FILE_TARGET_H
#define COVEY_EXPORT_FILE_TARGET_H

#include <covey/export.h>

#include "export/sheets.h"

/* One table of a release to a file, by whoever writes such files (io/foreign.h).  *sheets, all zeros, receives the
 * table. title: what the file is. */
covey_status covey_i_file_target_write(covey_sheets *sheets, const covey_stated *stated, const char *release,
                                       const char *path, const char *title, const covey_export_options *options,
                                       const covey_run *run, covey_error *err);

#endif
