/* Blocks of scratch memory.  Blocks double in size up to 4 MiB; a request for more is a block of its own, with large
 * pages.  With COVEY_ARENA_MALLOCS every request is one, so that the sanitizers see its bounds. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"

struct covey_arena_block {
    covey_arena_block *previous;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
};

enum { SMALLEST_BLOCK = 4096, LARGEST_BLOCK = 4 << 20 };

/* Takes the first spare block that is large enough; NULL if there is none. */
static covey_arena_block *take_spare(covey_arena *arena, size_t least)
{
    covey_arena_block **at = &arena->spare, *block;

    while (*at && (*at)->size < least)
        at = &(*at)->previous;
    if ((block = *at))
        *at = block->previous;
    return block;
}

static covey_arena_block *add_block(covey_arena *arena, size_t least)
{
    size_t size = arena->block ? arena->block->size * 2 : arena->first > 0 ? arena->first : SMALLEST_BLOCK;
    covey_arena_block *block = take_spare(arena, least);

    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
#ifdef COVEY_ARENA_MALLOCS
    size = least;
#endif
    if (size < least)
        size = least;
    if (!block) {
        if (size > SIZE_MAX - sizeof *block ||
            !(block = size > LARGEST_BLOCK || arena->first > 0 ? covey_i_array_full(1, sizeof *block + size)
                                                               : covey_i_malloc(sizeof *block + size)))
            return NULL;
        block->size = size;
    }
    block->previous = arena->block;
    block->used = 0;
    arena->block = block;
    return block;
}

void *covey_arena_alloc(covey_arena *arena, size_t n, size_t size)
{
    const size_t align = alignof(max_align_t);
    covey_arena_block *block = arena->block;
    size_t bytes;
    void *p;

    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - align)
        return NULL;
#ifndef COVEY_ARENA_MALLOCS
    bytes = (bytes + align - 1) / align * align;
#endif
    if (!bytes)
        bytes = 1;
    if (!block || block->size - block->used < bytes || (block->used & (align - 1)))
        if (!(block = add_block(arena, bytes)))
            return NULL;
    p = block->bytes + block->used;
    block->used += bytes;
    return p;
}

void *covey_arena_alloc_zero(covey_arena *arena, size_t n, size_t size)
{
    void *p = covey_arena_alloc(arena, n, size);

    if (p)
        memset(p, 0, n * size);
    return p;
}

char *covey_arena_strndup(covey_arena *arena, const char *text, size_t size)
{
    char *copy = covey_arena_array(arena, char, size + 1);

    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

char *covey_arena_strdup(covey_arena *arena, const char *text)
{
    return covey_arena_strndup(arena, text, strlen(text));
}

covey_arena_mark covey_arena_save(const covey_arena *arena)
{
    covey_arena_mark mark = {arena->block, arena->block ? arena->block->used : 0};

    return mark;
}

static void give_back(covey_arena *arena, covey_arena_block *block)
{
#ifndef COVEY_ARENA_MALLOCS
    if (arena->keeps) {
        block->previous = arena->spare;
        arena->spare = block;
        return;
    }
#else
    (void)arena;
#endif
    covey_i_free(block);
}

void covey_arena_rewind(covey_arena *arena, covey_arena_mark mark)
{
    while (arena->block != mark.block) {
        covey_arena_block *block = arena->block;

        arena->block = block->previous;
        give_back(arena, block);
    }
    if (arena->block)
        arena->block->used = mark.used;
}

void covey_arena_free(covey_arena *arena)
{
    covey_arena_mark start = {NULL, 0};

    covey_arena_rewind(arena, start);
    while (arena->spare) {
        covey_arena_block *block = arena->spare;

        arena->spare = block->previous;
        covey_i_free(block);
    }
}
