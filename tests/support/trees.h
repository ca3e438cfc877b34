/* Hierarchies in tests: columns from cells, files from text, trees as text that can be compared by eye. */
#ifndef COVEY_TESTS_TREES_H
#define COVEY_TESTS_TREES_H

#include <covey/hierarchy.h>

/* A column from "a|b||c": cells between bars, an empty one is missing; "" has no rows.  Ends with covey_i_column_free.
 */
covey_column *trees_column(covey_type type, const char *cells);

/* Writes a file with a name of its own below TMPDIR; the path stays valid until the next call but seven. */
const char *trees_file(const char *content);
/* A name for a file that does not exist yet. */
const char *trees_path(void);
/* What a file holds; static, until the next call. */
const char *trees_content(const char *path);
/* Removes all files that trees_file and trees_path named. */
void trees_remove(void);

/* From a file with that content; column may be NULL.  The test fails if it is refused. */
covey_hierarchy *trees_read(const char *content, const covey_column *column);
/* The message of the refusal, without the path in front of its line number: "3: ..."; the test fails if it is accepted.
 */
const char *trees_refusal(const char *content, const covey_column *column);

covey_hierarchy *trees_build(const covey_hierarchy_spec *spec, const covey_column *column);
const char *trees_build_refusal(const covey_hierarchy_spec *spec, const covey_column *column);

/* The tree in one line: "*(White collar(Sales Tech) ?)"; static, until the next call. */
const char *trees_text(const covey_hierarchy *h);
/* Labels of a leaf on all levels: "Sales;White collar;*"; static, until the next call. */
const char *trees_line(const covey_hierarchy *h, uint32_t leaf);

/* Fails the test unless both are the same: nodes, labels, levels, ancestors, meaning of all labels. */
void trees_assert_same(const covey_hierarchy *a, const covey_hierarchy *b);
/* Fails the test unless every node covers its children's leaves one after another, heights, depths and lca are right.
 */
void trees_assert_sound(const covey_hierarchy *h);

#endif
