/* Scratch memory that is given back by rewinding.  Nothing allocated in an arena outlives the call that received it;
 * what must live is copied into an object.  Not thread-safe: one arena per thread. */
#ifndef COVEY_BASE_ARENA_H
#define COVEY_BASE_ARENA_H

#include <covey/base.h>

typedef struct covey_arena_block covey_arena_block;

typedef struct covey_arena {
    covey_arena_block *block; /* newest */
    covey_arena_block *spare; /* rewound, of an arena that keeps its blocks */
    size_t first;             /* bytes of the first block, and large ones in large pages; 0: few, and none */
    bool keeps; /* rewinding keeps blocks for the next time: for a loop whose every round takes about the same memory,
                   which the system would clear page by page each time */
} covey_arena;

#define COVEY_ARENA_INIT                                                                                               \
    {                                                                                                                  \
        NULL, NULL, 0, false                                                                                           \
    }

typedef struct covey_arena_mark {
    covey_arena_block *block;
    size_t used;
} covey_arena_mark;

/* Uninitialised / cleared memory for n things, aligned for any type; NULL if there is none left or n * size overflows.
 */
void *covey_arena_alloc(covey_arena *arena, size_t n, size_t size);
void *covey_arena_alloc_zero(covey_arena *arena, size_t n, size_t size);
#define covey_arena_array(arena, type, n) ((type *)covey_arena_alloc((arena), (n), sizeof(type)))
#define covey_arena_array_zero(arena, type, n) ((type *)covey_arena_alloc_zero((arena), (n), sizeof(type)))

char *covey_arena_strdup(covey_arena *arena, const char *text);
char *covey_arena_strndup(covey_arena *arena, const char *text, size_t size);

covey_arena_mark covey_arena_save(const covey_arena *arena);
void covey_arena_rewind(covey_arena *arena, covey_arena_mark mark); /* gives back everything since the mark */
void covey_arena_free(covey_arena *arena); /* gives back everything; the arena can be used again */

#endif
