/* YAML trees: places, refusals, printing. */
#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/yaml_tree.h"

typedef struct parsed {
    covey_arena arena;
    const covey_yaml *root;
    covey_error err;
    covey_status status;
} parsed;

static void parse_bytes(parsed *p, const char *text, size_t size)
{
    memset(p, 0, sizeof *p);
    p->status = covey_i_yaml_parse(&p->root, text, size, "p.yaml", &p->arena, &p->err);
}

static void parse(parsed *p, const char *text)
{
    parse_bytes(p, text, strlen(text));
}

static void refuse(const char *text, const char *message)
{
    parsed p;

    parse(&p, text);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message, message);
    assert_int_equal(p.err.status, COVEY_EPARSE);
    covey_arena_free(&p.arena);
}

static void every_node_knows_its_line_and_column(void **state)
{
    const covey_yaml *q;
    parsed p;

    parse(&p, "a: 1\nlist:\n  - {x: [p, q]}\n");
    assert_int_equal(p.status, COVEY_OK);
    assert_int_equal(p.root->kind, COVEY_YAML_MAP);
    assert_int_equal(p.root->n, 2);
    q = covey_i_yaml_get(covey_i_yaml_get(p.root, "list")->item[0], "x")->item[1];
    assert_string_equal(q->text, "q");
    assert_int_equal(q->line, 3);
    assert_int_equal(q->column, 13);
    assert_null(covey_i_yaml_get(p.root, "b"));
    assert_null(covey_i_yaml_get(q, "b"));
    covey_arena_free(&p.arena);
}

static void columns_count_characters_not_bytes(void **state)
{
    parsed p;

    parse(&p, "{\xc3\xa4\xc3\xb6: x}");
    assert_int_equal(p.root->item[0]->column, 6);
    covey_arena_free(&p.arena);
}

static void scalars_stay_what_was_written(void **state)
{
    parsed p;

    parse(&p, "[no, 1.10, 0x10, ~, \"\", 5/3, 2020-01-01, 'it''s', null, ]");
    assert_int_equal(p.status, COVEY_OK);
    assert_int_equal(p.root->n, 9);
    assert_string_equal(p.root->item[0]->text, "no");
    assert_string_equal(p.root->item[1]->text, "1.10");
    assert_string_equal(p.root->item[2]->text, "0x10");
    assert_string_equal(p.root->item[3]->text, "~");
    assert_true(p.root->item[4]->quoted);
    assert_string_equal(p.root->item[7]->text, "it's");
    covey_arena_free(&p.arena);
}

static void a_key_with_nothing_behind_it_is_nothing_but_empty_quotes_are_a_text(void **state)
{
    parsed p;

    parse(&p, "a:\nb: \"\"\n");
    assert_true(covey_i_yaml_is_nothing(covey_i_yaml_get(p.root, "a")));
    assert_false(covey_i_yaml_is_nothing(covey_i_yaml_get(p.root, "b")));
    covey_arena_free(&p.arena);
}

static void an_empty_document_has_no_root(void **state)
{
    parsed p;

    parse(&p, "# only a comment\n");
    assert_int_equal(p.status, COVEY_OK);
    assert_null(p.root);
    covey_arena_free(&p.arena);
}

static void aliases_share_and_merge_keys_give_what_is_missing(void **state)
{
    parsed p;

    parse(&p, "base: &b {role: qi, weight: 2}\nx: *b\ny: {<<: *b, weight: 3}\nz: {<<: [{u: 1}, *b], u: 2}\n");
    assert_int_equal(p.status, COVEY_OK);
    assert_ptr_equal(covey_i_yaml_get(p.root, "x"), covey_i_yaml_get(p.root, "base"));
    assert_string_equal(covey_i_yaml_get(covey_i_yaml_get(p.root, "y"), "role")->text, "qi");
    assert_string_equal(covey_i_yaml_get(covey_i_yaml_get(p.root, "y"), "weight")->text, "3");
    assert_int_equal(covey_i_yaml_get(p.root, "y")->n, 2);
    assert_string_equal(covey_i_yaml_get(covey_i_yaml_get(p.root, "z"), "u")->text, "2");
    assert_int_equal(covey_i_yaml_get(p.root, "z")->n, 3);
    covey_arena_free(&p.arena);
}

static void faults_name_their_place(void **state)
{
    refuse("a: 1\nb: 2\na: 3\n", "p.yaml:3:1: the key \"a\" stands here twice, first in line 1");
    refuse("a: &x [1, *x]\n", "p.yaml:1:4: an alias stands inside the very thing that it stands for");
    refuse("? [a]\n: 1\n", "p.yaml:1:3: a key must be a text, not a list or a mapping");
    refuse("a: 1\n---\nb: 2\n", "p.yaml:2:1: a second YAML document begins here: one is expected");
    refuse("a: !mine 1\n", "p.yaml:1:4: tags have no meaning here: leave out !mine");
    refuse("a: \"x\\0y\"\n", "p.yaml:1:4: a text may not contain a NUL character");
    refuse("a: {<<: 3}\n", "p.yaml:1:4: the merge key \"<<\" wants a mapping or a list of mappings");
    refuse("a: 1\n\tb: 2\n",
           "p.yaml:2:1: not YAML: found a tab character that violates indentation, while scanning a plain scalar: "
           "indent with blanks");
    refuse("a: [1, 2\n", "p.yaml:2:1: not YAML: did not find expected ',' or ']', while parsing a flow sequence"
                         ": is the list closed with ]? Texts with , : ? [ ] { } stand in quotes");
    refuse("a: *nobody\n", "p.yaml:1:4: not YAML: found undefined alias: texts that begin with * stand in quotes");
}

static void bytes_that_are_no_text_are_placed_too(void **state)
{
    parsed p;

    parse(&p, "ab: 1\nx: \xff\n");
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message,
                        "p.yaml:2:4: not YAML: invalid leading UTF-8 octet (0xFF): a policy is UTF-8 text");
    assert_int_equal(p.err.row, 2);
    assert_int_equal(p.err.column_number, 4);
    covey_arena_free(&p.arena);
    parse_bytes(&p, "ab: 1\nx: \0\n", 11);
    assert_int_equal(p.status, COVEY_EPARSE);
    covey_arena_free(&p.arena);
}

static void deep_nesting_and_large_files_are_refused(void **state)
{
    static char text[COVEY_YAML_MAX_BYTES + 2];
    parsed p;

    memset(text, '[', 40);
    memset(text + 40, ']', 40);
    parse_bytes(&p, text, 80);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message, "p.yaml:1:33: nested deeper than 32 levels");
    covey_arena_free(&p.arena);
    memset(text, '[', COVEY_YAML_MAX_BYTES); /* would take libyaml minutes */
    parse_bytes(&p, text, COVEY_YAML_MAX_BYTES);
    assert_string_equal(p.err.message, "p.yaml:1:33: nested deeper than 32 levels");
    covey_arena_free(&p.arena);
    memset(text, ' ', sizeof text);
    parse_bytes(&p, text, sizeof text);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message, "p.yaml: larger than 16 MiB: this is no policy");
    covey_arena_free(&p.arena);
}

static void aliases_do_not_nest_deeper_either(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    parsed p;

    covey_i_text_add_string(&text, "- &a0 []\n");
    for (int i = 1; i <= 40; i++)
        covey_i_text_add_format(&text, "- &a%d [*a%d]\n", i, i - 1);
    parse(&p, text.bytes);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message, "p.yaml:34:3: nested deeper than 32 levels, with its aliases");
    covey_arena_free(&p.arena);
    covey_i_text_free(&text);
}

static void anchors_are_few(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    parsed p;

    for (int i = 0; i < 300; i++)
        covey_i_text_add_format(&text, "- &a%d x\n", i);
    parse(&p, text.bytes);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_string_equal(p.err.message, "p.yaml:257:3: more than 256 anchors");
    covey_arena_free(&p.arena);
    covey_i_text_free(&text);
}

static void merges_cannot_blow_up_a_small_file(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    parsed p;

    covey_i_text_add_string(&text, "- &b {");
    for (int i = 0; i < 1000; i++)
        covey_i_text_add_format(&text, "k%d: 1, ", i);
    covey_i_text_add_string(&text, "}\n");
    for (int i = 0; i < 100; i++)
        covey_i_text_add_string(&text, "- {<<: *b}\n");
    parse(&p, text.bytes);
    assert_int_equal(p.status, COVEY_EPARSE);
    assert_non_null(strstr(p.err.message, "merge keys make this file too large"));
    covey_arena_free(&p.arena);
    covey_i_text_free(&text);
}

static void what_is_printed_reads_as_the_same_tree(void **state)
{
    static const char source[] =
        "[plain, 'with, comma', \"\", \"a\\nb\\tc\\x85\\u2028\\uFEFFz\", -5, \"- 5\", '...', ./x.csv, "
        "'no', \"q\\\"\\\\\", two words, 'ends ', {k: [1, {}], 'a: b': []}, \xc3\xa4\xf0\x9f\x90\xa6]";
    covey_text first = COVEY_TEXT_INIT, second = COVEY_TEXT_INIT;
    parsed p, again;

    parse(&p, source);
    assert_int_equal(p.status, COVEY_OK);
    assert_true(covey_i_yaml_print(&first, p.root));
    parse(&again, first.bytes);
    assert_int_equal(again.status, COVEY_OK);
    assert_int_equal(again.root->n, p.root->n);
    for (size_t i = 0; i < p.root->n; i++) {
        assert_int_equal(again.root->item[i]->kind, p.root->item[i]->kind);
        assert_string_equal(again.root->item[i]->text, p.root->item[i]->text);
    }
    assert_true(covey_i_yaml_print(&second, again.root));
    assert_string_equal(first.bytes, second.bytes);
    covey_i_text_free(&first);
    covey_i_text_free(&second);
    covey_arena_free(&p.arena);
    covey_arena_free(&again.arena);
}

static void aliases_cannot_make_printing_endless(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    parsed p;

    parse(
        &p,
        "- &a [x, x, x, x, x, x, x, x]\n- &b [*a, *a, *a, *a, *a, *a, *a, *a]\n- &c [*b, *b, *b, *b, *b, *b, *b, *b]\n"
        "- &d [*c, *c, *c, *c, *c, *c, *c, *c]\n- &e [*d, *d, *d, *d, *d, *d, *d, *d]\n- [*e, *e, *e, *e, *e, *e, *e, "
        "*e]\n");
    assert_int_equal(p.status, COVEY_OK);
    assert_false(covey_i_yaml_print(&text, p.root));
    assert_true(text.size < 2 * COVEY_YAML_MAX_PRINTED);
    covey_i_text_free(&text);
    covey_arena_free(&p.arena);
}

static void missing_files_and_folders_are_told_apart(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_yaml *root = NULL;
    covey_error err;

    assert_int_equal(covey_i_yaml_read(&root, "/nowhere/p.yaml", &arena, &err), COVEY_ENOTFOUND);
    assert_string_equal(err.message, "/nowhere/p.yaml: there is no such file, nor its folder");
    assert_int_equal(covey_i_yaml_read(&root, "/", &arena, &err), COVEY_EINVAL);
    assert_string_equal(err.message, "/: is a folder, not a file");
    assert_null(root);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_knows_its_line_and_column),
        cmocka_unit_test(columns_count_characters_not_bytes),
        cmocka_unit_test(scalars_stay_what_was_written),
        cmocka_unit_test(a_key_with_nothing_behind_it_is_nothing_but_empty_quotes_are_a_text),
        cmocka_unit_test(an_empty_document_has_no_root),
        cmocka_unit_test(aliases_share_and_merge_keys_give_what_is_missing),
        cmocka_unit_test(faults_name_their_place),
        cmocka_unit_test(bytes_that_are_no_text_are_placed_too),
        cmocka_unit_test(deep_nesting_and_large_files_are_refused),
        cmocka_unit_test(aliases_do_not_nest_deeper_either),
        cmocka_unit_test(anchors_are_few),
        cmocka_unit_test(merges_cannot_blow_up_a_small_file),
        cmocka_unit_test(what_is_printed_reads_as_the_same_tree),
        cmocka_unit_test(aliases_cannot_make_printing_endless),
        cmocka_unit_test(missing_files_and_folders_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
