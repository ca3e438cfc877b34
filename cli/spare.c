/* Files that commands write: not over what they read. */
#include "spare.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

covey_status cli_spare_input(const char *target, const char *input, covey_error *err)
{
    struct stat there, read;

    if (input && stat(target, &there) == 0 && S_ISREG(there.st_mode) && stat(input, &read) == 0 &&
        is_same(&there, &read))
        return covey_fail(err, COVEY_EINVAL, "%s: is what is read, and is not replaced; choose another name", target);
    return COVEY_OK;
}

/* Is the folder that target names a file in the one at path? */
static bool stands_in(const char *target, const char *path)
{
    const char *slash = strrchr(target, '/');
    struct stat folder, release;
    char *parent = slash ? strndup(target, slash == target ? 1 : (size_t)(slash - target)) : strdup(".");
    const bool yes = parent && stat(parent, &folder) == 0 && stat(path, &release) == 0 && is_same(&folder, &release);

    free(parent);
    return yes;
}

covey_status cli_spare_release(const char *target, const char *release, covey_error *err)
{
    if (stands_in(target, release))
        return covey_fail(
            err, COVEY_EINVAL,
            "%s: is in the release's own folder, which its manifest names all files of; choose another place", target);
    return COVEY_OK;
}
