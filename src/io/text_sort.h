/* Sorts texts by their bytes. */
#ifndef COVEY_IO_TEXT_SORT_H
#define COVEY_IO_TEXT_SORT_H

#include <covey/base.h>

#include "table/table_impl.h"

/**
 * Sorts order[0 .. n-1], numbers of texts, by the bytes of text[order[i]] (a text before its continuations).
 *
 * Eight bytes at a time: a radix sort by the bytes behind what all have in common, then each run of equal bytes by the
 * next eight.
 *
 * @param scratch  [n]
 * @param key      [number of texts] scratch, indexed like text
 */
void covey_i_sort_texts(uint32_t *order, uint32_t *scratch, uint64_t *key, size_t n, const covey_label *text);

#endif
