/* Sorting texts by their bytes, a few of them at a time. */
#include "io/text_sort.h"

#include <string.h>

#include "base/sort/sort.h"

/* Below FEW texts a plain insertion sort is quicker than counting digits; beyond DEEPEST words of common beginnings (a
 * table of very long, very similar texts) a merge sort bounds the stack. */
enum { FEW = 48, DEEPEST = 400 };

static int compare(const covey_label *a, const covey_label *b, size_t depth)
{
    const size_t size = (a->size < b->size ? a->size : b->size) - depth;
    const int order = size ? memcmp(a->text + depth, b->text + depth, size) : 0;

    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Eight bytes from depth on, so that numbers are ordered like the bytes; 0 behind the end. */
static uint64_t bytes_at(const covey_label *text, size_t depth)
{
    const size_t left = text->size - depth;
    uint64_t word = 0;

    memcpy(&word, text->text + depth, left < 8 ? left : 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Bytes from depth on that all texts have in common. */
static size_t common_bytes(const uint32_t *order, size_t n, const covey_label *text, size_t depth)
{
    const covey_label *first = &text[order[0]];
    size_t common = first->size - depth;

    for (size_t i = 1; i < n && common > 0; i++) {
        const covey_label *other = &text[order[i]];
        size_t same = 0;

        if (other->size - depth < common)
            common = other->size - depth;
        while (same < common && first->text[depth + same] == other->text[depth + same])
            same++;
        common = same;
    }
    return common;
}

static void insertion_sort(uint32_t *order, size_t n, const covey_label *text, size_t depth)
{
    for (size_t i = 1; i < n; i++) {
        const uint32_t moved = order[i];
        size_t at = i;

        for (; at > 0 && compare(&text[order[at - 1]], &text[moved], depth) > 0; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
}

static void merge_sort(uint32_t *order, uint32_t *scratch, size_t n, const covey_label *text, size_t depth)
{
    const size_t half = n / 2;
    size_t left = 0, right = half, at = 0;

    if (n <= FEW) {
        insertion_sort(order, n, text, depth);
        return;
    }
    merge_sort(order, scratch, half, text, depth);
    merge_sort(order + half, scratch, n - half, text, depth);
    memcpy(scratch, order, half * sizeof *order);
    while (left < half)
        if (right == n || compare(&text[scratch[left]], &text[order[right]], depth) <= 0)
            order[at++] = scratch[left++];
        else
            order[at++] = order[right++];
}

/* All texts agree before depth and are at least that long. */
static void sort_from(uint32_t *order, uint32_t *scratch, uint64_t *key, size_t n, const covey_label *text,
                      size_t depth, int level)
{
    if (n <= FEW || level == DEEPEST) {
        merge_sort(order, scratch, n, text, depth);
        return;
    }
    depth += common_bytes(order, n, text, depth);
    for (size_t i = 0; i < n; i++)
        key[order[i]] = bytes_at(&text[order[i]], depth);
    covey_i_sort_rows_u64(order, scratch, n, key);
    for (size_t start = 0, stop; start < n; start = stop) {
        size_t n_ended =
            0; /* texts of the run that end within these eight bytes: NUL bytes make them look like longer ones */

        for (stop = start; stop < n && key[order[stop]] == key[order[start]]; stop++)
            n_ended += text[order[stop]].size < depth + 8;
        if (stop - start == 1)
            continue;
        if (n_ended)
            merge_sort(order + start, scratch + start, stop - start, text, depth);
        else
            sort_from(order + start, scratch + start, key, stop - start, text, depth + 8, level + 1);
    }
}

void covey_i_sort_texts(uint32_t *order, uint32_t *scratch, uint64_t *key, size_t n, const covey_label *text)
{
    sort_from(order, scratch, key, n, text, 0, 0);
}
