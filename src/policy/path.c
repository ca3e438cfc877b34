/* Paths in policies: relative to the policy's folder when read and when written. */
#include "policy/policy_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/source.h"

/* Bytes of the folder of a file, "/" at its end included; 0: here. */
static size_t folder_size(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;

    return slash ? (size_t)(slash - file) + 1 : 0;
}

const char *covey_i_policy_resolve(covey_policy *policy, const char *file, const char *path)
{
    size_t folder = folder_size(file), size = strlen(path);
    char *joined;

    if (path[0] == '/' || folder == 0)
        return covey_arena_strdup(&policy->own->arena, path);
    if (!(joined = covey_arena_array(&policy->own->arena, char, folder + size + 1)))
        return NULL;
    memcpy(joined, file, folder);
    memcpy(joined + folder, path, size + 1);
    return joined;
}

const char *covey_i_policy_resolve_source(covey_policy *policy, const char *file, const char *source)
{
    const size_t folder = folder_size(file);
    size_t size;
    const char *path = covey_i_source_path(source, &size);
    char *joined;

    if (path == source)
        return covey_i_policy_resolve(policy, file, source);
    if (!path || path[0] == '/' || folder == 0)
        return covey_arena_strdup(&policy->own->arena, source);
    if (!(joined = covey_arena_array(&policy->own->arena, char, folder + strlen(source) + 1)))
        return NULL;
    memcpy(joined, source, (size_t)(path - source));
    memcpy(joined + (path - source), file, folder);
    memcpy(joined + (path - source) + folder, path, strlen(path) + 1);
    return joined;
}

/* The real path of path[0 .. size-1], a folder ("": here), with "/" at its end; false if it is none. */
static bool real_folder(char out[PATH_MAX + 1], const char *path, size_t size)
{
    char copy[PATH_MAX];
    size_t n;

    if (size >= sizeof copy)
        return false;
    memcpy(copy, path, size);
    copy[size] = '\0';
    if (!realpath(size ? copy : ".", out))
        return false;
    n = strlen(out);
    if (out[n - 1] != '/') {
        out[n] = '/';
        out[n + 1] = '\0';
    }
    return true;
}

/* From folder `here` to folder `there`, both real: "../" as often as needed, then down. */
static void climb(covey_text *out, const char *here, const char *there)
{
    size_t common = 0;

    for (size_t i = 0; here[i] && here[i] == there[i]; i++)
        if (here[i] == '/')
            common = i + 1;
    for (const char *p = here + common; *p; p++)
        if (*p == '/')
            covey_i_text_add_string(out, "../");
    covey_i_text_add_string(out, there + common);
}

/* A source: the path within it. */
static bool relative_source(covey_text *out, const char *source, const char *folder)
{
    size_t size;
    const char *inner = covey_i_source_path(source, &size);
    covey_text path = COVEY_TEXT_INIT;

    if (inner) {
        covey_i_text_add(&path, inner, size);
        covey_i_text_add(out, source, (size_t)(inner - source));
        out->broken |= path.broken || !covey_i_policy_relative(out, path.bytes, folder);
        covey_i_text_add_string(out, inner + size);
        covey_i_text_free(&path);
    } else {
        covey_i_text_add_string(out, source);
    }
    return !out->broken;
}

bool covey_i_policy_relative(covey_text *out, const char *path, const char *folder)
{
    if (covey_i_source_kind(path) != COVEY_SOURCE_FILE)
        return relative_source(out, path, folder);

    size_t n = strlen(folder), own = folder_size(path);
    char here[PATH_MAX + 1], there[PATH_MAX + 1];

    if (path[0] == '/' || n == 0) {
        covey_i_text_add_string(out, path);
    } else if (strncmp(path, folder, n) == 0) {
        covey_i_text_add_string(out, path + n);
    } else if (real_folder(here, folder, n) && real_folder(there, path, own)) {
        climb(out, here, there);
        covey_i_text_add_string(out, path + own);
    } else if (real_folder(here, "", 0)) { /* its folder is not there (yet): no way to go but from the root */
        covey_i_text_add_string(out, here);
        covey_i_text_add_string(out, path);
    } else {
        covey_i_text_add_string(out, path);
    }
    return !out->broken;
}
