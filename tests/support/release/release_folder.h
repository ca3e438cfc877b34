/* Release folders written by hand, and forged: whatever is changed, the hashes in the manifest are right again. */
#ifndef COVEY_TESTS_RELEASE_FOLDER_H
#define COVEY_TESTS_RELEASE_FOLDER_H

#include <covey/audit.h>

#include <jansson.h>

typedef struct release_folder {
    char path[256];
    json_t *manifest;   /* what release_write writes; NULL before release_state */
    char original[300]; /* path of the file that release_original wrote, "" before */
} release_folder;

void release_begin(release_folder *r); /* a new folder */
void release_end(release_folder *r);   /* removes it */

/* Writes a file of the release ("table.csv", "hierarchies/zip.csv"), or removes it (NULL). */
void release_put(const release_folder *r, const char *name, const char *text);
char *release_get(const release_folder *r, const char *name); /* free with free */
/* Changes the first occurrence of a text in a file of the release; the test fails if there is none. */
void release_replace(const release_folder *r, const char *name, const char *from, const char *to);
/* Writes the original beside the release. */
void release_original(release_folder *r, const char *text);

/* Sets the manifest from JSON in which ' stands for "; "files" is filled in by release_write. */
void release_state(release_folder *r, const char *json);
/* Sets one value of the manifest: path as in "utility.ail" or "promises.0.achieved"; json as above, NULL removes the
 * key. */
void release_set(release_folder *r, const char *path, const char *json);
json_t *release_at(const release_folder *r, const char *path); /* borrowed; NULL if there is none */
/* Reads a manifest that a program wrote. */
void release_read(release_folder *r);
/* Writes the manifest with the rows, bytes and hashes of the files that are there; those listed in it before keep their
 * order. */
void release_write(const release_folder *r);

/* Verifies; the test fails if that is an error.  original: also compare with it. */
covey_verdict *release_verify(const release_folder *r, bool original);
/* Verifies once as a whole and once in windows of about so many bytes: both must say the same, to the letter.
 * release_verify does it, too. */
void release_assert_windows_agree(const release_folder *r, int window);
void release_assert_holds(const release_folder *r, bool original);
/* The verdict must be no, and one of its problems contain the text. */
void release_assert_refused(const release_folder *r, bool original, const char *problem);

#endif
