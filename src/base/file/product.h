/* What an earlier run made: the only thing that --force may replace.  Every command that writes a file or a folder says
 * what kind of thing it makes, and what stands in its place goes only if it is one of the same kind.  An empty file is
 * no loss; an empty folder may be there for somebody else. */
#ifndef COVEY_BASE_FILE_PRODUCT_H
#define COVEY_BASE_FILE_PRODUCT_H

#include <covey/base.h>

#include <sys/stat.h>

/* How a file of a kind begins. */
typedef struct covey_beginning {
    const char *first; /* its first bytes */
    const char *then;  /* a text that follows within the first COVEY_PRODUCT_HEAD bytes; NULL: whatever */
} covey_beginning;

enum { COVEY_PRODUCT_HEAD = 1 << 16 };

typedef struct covey_product {
    const char *noun; /* "release": "holds no manifest.json", "is no report of covey" */
    /* Of folders: the file that lists all others, as "files": [{"name": ...}]. */
    const char *listing;
    const char *kind; /* what stands there as "kind", and the listing is written by covey_i_product_list; NULL: it has a
                         "form", as manifests have */
    /* Of files: one of these, or what is_one says of the first bytes, unpacked. */
    const covey_beginning *beginning;
    size_t n_beginnings;
    bool (*is_one)(const char *head, size_t size);
} covey_product;

#define COVEY_BEGINNINGS(list) .beginning = (list), .n_beginnings = sizeof(list) / sizeof *(list)

extern const covey_product covey_i_product_release;
extern const covey_product covey_i_product_hierarchy; /* a file of one */

/* "a pipe", "a socket" or "a device"; NULL for what may be replaced at all. */
const char *covey_i_product_never(mode_t mode);

/* Is one of the folders that the path stands in that of a release?  False where they are not there. */
bool covey_i_product_is_in_release(const char *path);

/* COVEY_EINVAL for a path in the folder of a release, which one more file would break. */
covey_status covey_i_product_spare_release(const char *path, covey_error *err);

/* COVEY_EEXIST, saying why, unless what is at path, by lstat, may be replaced by such a product; COVEY_EIO;
 * COVEY_ENOMEM. */
covey_status covey_i_product_spare(const char *path, const struct stat *facts, const covey_product *product,
                                   covey_error *err);

/* Writes the listing of a folder that is complete but for it. */
covey_status covey_i_product_list(const char *folder, const covey_product *product, covey_error *err);

#endif
