/* Files of other programs, read by the package's Python (covey/_files). */
#ifndef COVEY_PYTHON_FOREIGN_H
#define COVEY_PYTHON_FOREIGN_H

#include <covey/covey.h>

/* A covey_foreign_reader for any thread; it waits for the interpreter. */
covey_status covey_python_read_foreign(struct ArrowArrayStream *out, const char *path, const covey_run *run,
                                       covey_error *err);

/* A covey_foreign_writer, likewise. */
covey_status covey_python_write_foreign(struct ArrowArrayStream *table, const char *release, const char *path,
                                        bool force, const covey_run *run, covey_error *err);

#endif
