/* All memory passes through here, so that in the tests' build of it the n-th request can fail. */
#ifndef COVEY_BASE_ALLOC_H
#define COVEY_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

void *covey_i_malloc(size_t size);               /* size 0 gives a valid pointer */
void *covey_i_array(size_t n, size_t size);      /* n * size bytes, overflow-checked, not cleared */
void *covey_i_array_zero(size_t n, size_t size); /* the same, cleared */
/* The same, not cleared, for arrays that are filled as a whole.  Large ones get large pages where the system has them:
 * a new page of 4 KiB costs a processor as much as a thousand instructions, so that filling an array once costs more
 * for its pages than for what goes in. */
void *covey_i_array_full(size_t n, size_t size);
void *covey_i_realloc(void *p, size_t n, size_t size); /* on failure p stays as it was */
char *covey_i_strdup(const char *text);
char *covey_i_strndup(const char *text, size_t size);
void covey_i_free(void *p);

/* Bytes of memory that are free or can be made free on this machine; 0: not known. */
int64_t covey_i_free_memory(void);

/* The tests' build only: the n-th request from now (first = 1) and all after it fail; 0: none. */
void covey_i_alloc_fail_at(int64_t n);

#endif
