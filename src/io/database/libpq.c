/* Loading libpq and finding its functions. */
#ifdef COVEY_HAS_POSTGRESQL

#include "io/database/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char file[] = "libpq.so.5";

covey_libpq covey_i_pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256]; /* why it could not be loaded; empty: it is there */

static void load(void)
{
    static const struct {
        const char *name;
        void *function; /* where its address goes */
    } functions[] = {
#define ENTRY(name) {"PQ" #name, &covey_i_pq.name},
        COVEY_LIBPQ_FUNCTIONS(ENTRY)
#undef ENTRY
    };
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *said = library ? NULL : dlerror();

    for (size_t i = 0; library && !said && i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);

        memcpy(functions[i].function, &found, sizeof found);
        said = found ? NULL : dlerror();
    }
    if (said)
        snprintf(reason, sizeof reason, "%s", said);
}

covey_status covey_i_libpq_load(const char *shown, covey_error *err)
{
    pthread_once(&once, load);
    if (*reason)
        return covey_fail_at(err, COVEY_EIO, shown, 0, NULL, 0,
                             "PostgreSQL's client library is needed and cannot be loaded: %s; install libpq5", reason);
    return COVEY_OK;
}

#else
typedef int covey_libpq_is_not_built;
#endif
