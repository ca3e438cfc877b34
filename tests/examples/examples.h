/* The worked examples of docs/adding-a-*.md: what a registry would have, but for the line in its list. tools/check-docs
 * holds the pages to them, line by line. */
#ifndef COVEY_TESTS_EXAMPLES_H
#define COVEY_TESTS_EXAMPLES_H

#include "method/method_impl.h"
#include "query/query_impl.h"

extern const covey_form covey_form_sizes;
extern const covey_method covey_method_in_order;
extern const covey_query_form covey_query_form_counting;

#endif
