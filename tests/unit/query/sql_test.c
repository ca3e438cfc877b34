/* What the parser of queries takes, and where it says that something is wrong. */
#include "test.h"

#include <string.h>

#include "query/language/sql.h"

static covey_sql_query *parse(covey_arena *arena, const char *text)
{
    covey_sql_query *query = NULL;
    covey_error err;

    if (covey_i_sql_parse(&query, text, arena, &err) != COVEY_OK)
        fail_msg("%s: %s", text, err.message);
    return query;
}

static void assert_refused(const char *text, int64_t character, const char *word)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sql_query *query = NULL;
    covey_error err;

    if (covey_i_sql_parse(&query, text, &arena, &err) == COVEY_OK)
        fail_msg("taken: %s", text);
    assert_int_equal(err.status, COVEY_EINVAL);
    assert_null(query);
    if (err.column_number != character || !strstr(err.message, word))
        fail_msg("%s: expected character %lld and \"%s\", got %lld: %s", text, (long long)character, word,
                 (long long)err.column_number, err.message);
    covey_arena_free(&arena);
}

static void test_sql__takes_every_part_of_a_query(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sql_query *q = parse(&arena, "select count(*), Sum(\"a \"\"b\"), avg(capital-gain) FROM release WHERE age >= "
                                       "-1.5 GROUP BY sex, \"zip code\";");

    assert_int_equal(q->aggregate->function, COVEY_SQL_COUNT);
    assert_null(q->aggregate->column.text);
    assert_string_equal(q->aggregate->next->column.text, "a \"b");
    assert_true(q->aggregate->next->column.is_quoted);
    assert_string_equal(q->aggregate->next->next->column.text, "capital-gain");
    assert_null(q->aggregate->next->next->next);
    assert_int_equal(q->where->kind, COVEY_SQL_COMPARE);
    assert_int_equal(q->where->op, COVEY_SQL_GE);
    assert_string_equal(q->where->value->text, "-1.5");
    assert_string_equal(q->group_by->text, "sex");
    assert_string_equal(q->group_by->next->text, "zip code");
    covey_arena_free(&arena);
}

static void test_sql__and_binds_tighter_than_or_and_not_tightest(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sql_condition *c =
        parse(&arena, "SELECT COUNT(*) WHERE NOT a=1 AND b=2 OR c=3 AND (d=4 OR e=5) AND f=6")->where;

    assert_int_equal(c->kind, COVEY_SQL_OR);
    assert_int_equal(c->child->kind, COVEY_SQL_AND);
    assert_int_equal(c->child->child->kind, COVEY_SQL_NOT);
    assert_string_equal(c->child->child->child->column.text, "a");
    assert_string_equal(c->child->child->next->column.text, "b");
    assert_int_equal(c->child->next->kind, COVEY_SQL_AND);
    assert_int_equal(c->child->next->child->next->kind, COVEY_SQL_OR);
    assert_string_equal(c->child->next->child->next->next->column.text, "f");
    assert_null(c->child->next->next);
    covey_arena_free(&arena);
}

static void test_sql__tests_may_be_negated_and_mirrored(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sql_condition *c = parse(&arena, "SELECT COUNT(*) WHERE a NOT BETWEEN 1 AND 2 AND b NOT IN ('x''y', 3) AND c "
                                           "IS NOT NULL AND d IS NULL AND 5 < e AND '' = f AND g != 'q'")
                                 ->where->child;

    assert_int_equal(c->kind, COVEY_SQL_BETWEEN);
    assert_true(c->is_negated);
    assert_string_equal(c->value->next->text, "2");
    c = c->next;
    assert_int_equal(c->kind, COVEY_SQL_IN);
    assert_true(c->is_negated);
    assert_string_equal(c->value->text, "x'y");
    assert_true(c->value->is_text);
    assert_false(c->value->next->is_text);
    c = c->next;
    assert_int_equal(c->kind, COVEY_SQL_IS_NULL);
    assert_true(c->is_negated);
    c = c->next;
    assert_false(c->is_negated);
    c = c->next;
    assert_int_equal(c->op, COVEY_SQL_GT);
    assert_string_equal(c->column.text, "e");
    c = c->next;
    assert_int_equal(c->op, COVEY_SQL_EQ);
    assert_string_equal(c->value->text, "");
    assert_int_equal(c->next->op, COVEY_SQL_NE);
    covey_arena_free(&arena);
}

static void test_sql__says_where_and_what(void **state)
{
    assert_refused("", 1, "SELECT");
    assert_refused("SELECT", 7, "COUNT(*)");
    assert_refused("SELECT COUNT(*", 15, ")");
    assert_refused("SELECT COUNT(a)", 14, "COUNT(*)");
    assert_refused("SELECT MEDIAN(a)", 8, "no function");
    assert_refused("SELECT SUM(*)", 12, "column");
    assert_refused("SELECT a FROM b", 10, "aggregate");
    assert_refused("SELECT COUNT(*) WHERE", 22, "column");
    assert_refused("SELECT COUNT(*) WHERE a", 24, "BETWEEN");
    assert_refused("SELECT COUNT(*) WHERE a = b", 27, "not with another column");
    assert_refused("SELECT COUNT(*) WHERE a = NULL", 27, "IS NULL");
    assert_refused("SELECT COUNT(*) WHERE a = 'x", 27, "never closed");
    assert_refused("SELECT COUNT(*) WHERE \xC3\xA4 = 5 x", 29, "AND, OR");
    assert_refused("SELECT COUNT(*) WHERE a = 5x", 27, "not a number");
    assert_refused("SELECT COUNT(*) WHERE a IN ()", 29, "number or a text");
    assert_refused("SELECT COUNT(*) WHERE a BETWEEN 1 OR 2", 35, "AND");
    assert_refused("SELECT COUNT(*) WHERE a NOT 5", 29, "IN or BETWEEN");
    assert_refused("SELECT COUNT(*) WHERE (a = 5", 29, ")");
    assert_refused("SELECT COUNT(*) WHERE a = 5)", 28, "AND, OR");
    assert_refused("SELECT COUNT(*) WHERE a + 5 = 3", 25, "not a number");
    assert_refused("SELECT COUNT(*) WHERE a & 5", 25, "no place");
    assert_refused("SELECT COUNT(*) GROUP sex", 23, "BY");
    assert_refused("SELECT COUNT(*) WHERE \"\" = 5", 23, "empty");
    assert_refused("SELECT COUNT(*); SELECT COUNT(*)", 18, "the end");
}

static void test_sql__deep_nesting_is_refused_before_the_stack_is_used_up(void **state)
{
    static char text[400000];
    size_t n = (size_t)snprintf(text, sizeof text, "SELECT COUNT(*) WHERE ");
    covey_arena arena = COVEY_ARENA_INIT;

    memset(text + n, '(', 300000);
    assert_refused(text, (int64_t)n + 1 + COVEY_SQL_MOST_DEPTH, "nested");
    for (size_t i = 0; i < 50000; i++)
        memcpy(text + n + 4 * i, "NOT ", 5);
    assert_refused(text, (int64_t)n + 1 + 4 * (COVEY_SQL_MOST_DEPTH), "nested");
    /* Long is not deep. */
    for (size_t i = 0; i < 20000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "a=%zu OR ", i % 10);
    snprintf(text + n, sizeof text - n, "a=1");
    parse(&arena, text);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sql__takes_every_part_of_a_query),
        cmocka_unit_test(test_sql__and_binds_tighter_than_or_and_not_tightest),
        cmocka_unit_test(test_sql__tests_may_be_negated_and_mirrored),
        cmocka_unit_test(test_sql__says_where_and_what),
        cmocka_unit_test(test_sql__deep_nesting_is_refused_before_the_stack_is_used_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
