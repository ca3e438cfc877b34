/* The files of a release folder: are exactly the listed ones there, and are they what the manifest says? */
#ifndef COVEY_READER_CONTENTS_H
#define COVEY_READER_CONTENTS_H

#include "base/file/infile.h"
#include "reader/problems.h"
#include "reader/stated/stated.h"

/* A whole file as NUL-terminated bytes (covey_i_free); COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE if it is larger than
 * limit. */
covey_status covey_i_contents_read_file(char **out, size_t *size_bytes, const char *path, size_t limit,
                                        covey_error *err);

/* "folder/name" in the arena, NULL if there is no memory. */
char *covey_i_contents_path(covey_arena *arena, const char *folder, const char *name);

/**
 * Checks names (the form's tables, `hierarchies/NAME.csv`, nothing that could leave the folder), that each listed file
 * is a regular file of the listed size, that no other file is there, and that the files of a table have the listed rows
 * and classes, none of which is in two of them.
 *
 * @param present  [stated->n_files] receives whether the file may be opened
 */
covey_status covey_i_contents_check(bool *present, covey_problems *problems, const char *folder,
                                    const covey_stated *stated, covey_error *err);

/* Memory that the text of a table in several files may take, by default. */
#define COVEY_CONTENTS_MOST ((size_t)256 << 20)

/* Opens a listed file, or the files of a table as one text, which is put on disk if it is longer than most_bytes
 * (io/csv/join.h).  As covey_i_csv_join. */
covey_status covey_i_contents_open(covey_infile *out, const char *folder, const covey_stated_file *file,
                                   size_t most_bytes, covey_error *err);

/* Compares the SHA-256 of each present file. */
covey_status covey_i_contents_hash(covey_problems *problems, const char *folder, const covey_stated *stated,
                                   const bool *present, covey_error *err);

#endif
