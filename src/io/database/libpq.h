/* The functions of libpq that covey calls, found when the first address of a server is opened: libpq brings more than
 * twenty libraries along, and every start of a program that links it waits for them.  Only where COVEY_HAS_POSTGRESQL
 * is defined. */
#ifndef COVEY_IO_DATABASE_LIBPQ_H
#define COVEY_IO_DATABASE_LIBPQ_H

#ifdef COVEY_HAS_POSTGRESQL

#include <libpq-fe.h>

#include "covey/base.h"

#define COVEY_LIBPQ_FUNCTIONS(F)                                                                                       \
    F(clear)                                                                                                           \
    F(conndefaults)                                                                                                    \
    F(connectdbParams)                                                                                                 \
    F(conninfoFree)                                                                                                    \
    F(conninfoParse)                                                                                                   \
    F(errorMessage)                                                                                                    \
    F(exec)                                                                                                            \
    F(execParams)                                                                                                      \
    F(finish)                                                                                                          \
    F(fname)                                                                                                           \
    F(freemem)                                                                                                         \
    F(ftype)                                                                                                           \
    F(getCopyData)                                                                                                     \
    F(getResult)                                                                                                       \
    F(getisnull)                                                                                                       \
    F(getvalue)                                                                                                        \
    F(nfields)                                                                                                         \
    F(ntuples)                                                                                                         \
    F(putCopyData)                                                                                                     \
    F(putCopyEnd)                                                                                                      \
    F(resultErrorField)                                                                                                \
    F(resultErrorMessage)                                                                                              \
    F(resultStatus)                                                                                                    \
    F(setNoticeProcessor)                                                                                              \
    F(status)

#define COVEY_LIBPQ_MEMBER(name) __typeof__(&PQ##name) name;
typedef struct covey_libpq { /* all NULL before covey_i_libpq_load */
    COVEY_LIBPQ_FUNCTIONS(COVEY_LIBPQ_MEMBER)
} covey_libpq;
#undef COVEY_LIBPQ_MEMBER

extern covey_libpq covey_i_pq; /* covey_i_pq.clear is PQclear, and so on */

/* Loads the library once for all threads; it stays.  COVEY_EIO with the linker's reason where it is not installed;
 * shown: the address. */
covey_status covey_i_libpq_load(const char *shown, covey_error *err);

#endif
#endif
