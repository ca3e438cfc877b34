/* What a folder of experiments keeps for a later run: results.json says what each experiment found, and with what. */
#ifndef COVEY_REPRODUCE_KEPT_H
#define COVEY_REPRODUCE_KEPT_H

#include "reproduce/experiment_impl.h"

/* What makes two runs of an experiment alike: version, options and tables, in the arena; "": it cannot be told, because
 * a table is not there. */
covey_status covey_i_kept_key(const char **out, const covey_experiment *experiment,
                              const covey_reproduce_options *options, const covey_run *run, covey_arena *arena,
                              covey_error *err);

/* Writes results.json of those that are done. */
covey_status covey_i_kept_write(const covey_reproduced *all, const char *const *key, const bool *done, size_t n,
                                const char *folder, covey_error *err);

/* Fills in what the folder has of the same experiments with the same keys; done: [n].  Nothing, if it is none. */
covey_status covey_i_kept_read(covey_reproduced *all, const char *const *key, bool *done, size_t n, const char *folder,
                               covey_arena *arena, covey_error *err);

/* Copies the files of an experiment from one folder to another. */
covey_status covey_i_kept_copy(const covey_experiment *experiment, const char *from, const char *to, covey_arena *arena,
                               covey_error *err);

#endif
