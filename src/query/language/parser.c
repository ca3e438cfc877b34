/* Recursive descent over the words of a query. */
#include "query/language/sql.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"

struct parser {
    const char *query;
    size_t cursor;
    covey_sql_token token; /* the one to be looked at */
    int depth;
    covey_arena *arena;
    covey_error *err;
};

static const char *const function_names[] = {"COUNT", "SUM", "AVG", "MIN", "MAX", "COUNT(DISTINCT)"};

const char *covey_i_sql_function_name(covey_sql_function function)
{
    return function_names[function];
}

static covey_status advance(struct parser *p)
{
    return covey_i_sql_token(&p->token, p->query, &p->cursor, p->arena, p->err);
}

static bool is_sign(const struct parser *p, const char *sign)
{
    return p->token.kind == COVEY_SQL_SIGN && strcmp(p->token.text, sign) == 0;
}

static bool is_keyword(const struct parser *p, const char *keyword)
{
    return p->token.kind == COVEY_SQL_WORD && strcasecmp(p->token.text, keyword) == 0;
}

static covey_status expected(const struct parser *p, const char *what)
{
    if (p->token.kind == COVEY_SQL_END)
        return covey_i_sql_complain(p->err, p->query, p->token.at, "the query ends where %s was expected", what);
    return covey_i_sql_complain(p->err, p->query, p->token.at, "%s was expected, not %s%.40s%s", what,
                                p->token.kind == COVEY_SQL_TEXT     ? "'"
                                : p->token.kind == COVEY_SQL_QUOTED ? "\""
                                                                    : "",
                                p->token.text,
                                p->token.kind == COVEY_SQL_TEXT     ? "'"
                                : p->token.kind == COVEY_SQL_QUOTED ? "\""
                                                                    : "");
}

static covey_status take_sign(struct parser *p, const char *sign, const char *what)
{
    return is_sign(p, sign) ? advance(p) : expected(p, what);
}

/* Moves on over a keyword, or stays and says that it is not there. */
static covey_status skip_keyword(bool *found, struct parser *p, const char *keyword)
{
    *found = is_keyword(p, keyword);
    return *found ? advance(p) : COVEY_OK;
}

static covey_status take_keyword(struct parser *p, const char *keyword)
{
    return is_keyword(p, keyword) ? advance(p) : expected(p, keyword);
}

/* Words that cannot be names, or `WHERE AND` would look for a column "AND".  A column of such a name is written "AND".
 */
static bool is_reserved(const char *word)
{
    static const char *const reserved[] = {"AND",  "OR",    "NOT",   "BETWEEN", "IN", "IS",    "NULL",   "SELECT",
                                           "FROM", "WHERE", "GROUP", "BY",      "AS", "ORDER", "HAVING", "LIMIT"};

    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcasecmp(word, reserved[i]) == 0)
            return true;
    return false;
}

static bool is_name(const struct parser *p)
{
    return p->token.kind == COVEY_SQL_QUOTED || (p->token.kind == COVEY_SQL_WORD && !is_reserved(p->token.text));
}

static covey_status take_name(covey_sql_name *out, struct parser *p, const char *what)
{
    if (!is_name(p))
        return expected(p, what);
    *out = (covey_sql_name){p->token.text, p->token.kind == COVEY_SQL_QUOTED, p->token.at, NULL};
    return advance(p);
}

/* --- values and comparisons --- */

static covey_status take_value(covey_sql_value **out, struct parser *p)
{
    if (is_keyword(p, "NULL"))
        return covey_i_sql_complain(p->err, p->query, p->token.at,
                                    "nothing is equal to NULL; ask for IS NULL or IS NOT NULL");
    if (is_name(p))
        return covey_i_sql_complain(
            p->err, p->query, p->token.at,
            "a column is compared with a value, not with another column; a text stands in '...'");
    if (p->token.kind != COVEY_SQL_TEXT && p->token.kind != COVEY_SQL_NUMBER)
        return expected(p, "a number or a text in '...'");
    if (!(*out = covey_arena_array_zero(p->arena, covey_sql_value, 1)))
        return covey_i_no_memory(p->err);
    **out = (covey_sql_value){p->token.text, p->token.kind == COVEY_SQL_TEXT, p->token.at, NULL, false};
    return advance(p);
}

static bool read_operator(covey_sql_operator *out, const struct parser *p)
{
    static const struct {
        const char *sign;
        covey_sql_operator op;
    } operators[] = {{"=", COVEY_SQL_EQ},  {"<>", COVEY_SQL_NE}, {"!=", COVEY_SQL_NE}, {"<", COVEY_SQL_LT},
                     {"<=", COVEY_SQL_LE}, {">", COVEY_SQL_GT},  {">=", COVEY_SQL_GE}};

    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (is_sign(p, operators[i].sign)) {
            *out = operators[i].op;
            return true;
        }
    return false;
}

/* a op b as b op' a */
static covey_sql_operator mirrored(covey_sql_operator op)
{
    static const covey_sql_operator mirror[] = {COVEY_SQL_EQ, COVEY_SQL_NE, COVEY_SQL_GT,
                                                COVEY_SQL_GE, COVEY_SQL_LT, COVEY_SQL_LE};

    return mirror[op];
}

static covey_status parse_list(covey_sql_condition *c, struct parser *p)
{
    covey_sql_value **end = &c->value;

    COVEY_TRY(take_sign(p, "(", "( with a list of values"));
    for (;;) {
        COVEY_TRY(take_value(end, p));
        end = &(*end)->next;
        if (!is_sign(p, ","))
            return take_sign(p, ")", ", or )");
        COVEY_TRY(advance(p));
    }
}

/* What may follow a column's name. */
static covey_status parse_test(covey_sql_condition *c, struct parser *p)
{
    bool found, negated;

    if (read_operator(&c->op, p)) {
        c->kind = COVEY_SQL_COMPARE;
        COVEY_TRY(advance(p));
        return take_value(&c->value, p);
    }
    COVEY_TRY(skip_keyword(&found, p, "IS"));
    if (found) {
        c->kind = COVEY_SQL_IS_NULL;
        COVEY_TRY(skip_keyword(&c->is_negated, p, "NOT"));
        return take_keyword(p, "NULL");
    }
    COVEY_TRY(skip_keyword(&negated, p, "NOT"));
    c->is_negated = negated;
    COVEY_TRY(skip_keyword(&found, p, "IN"));
    if (found) {
        c->kind = COVEY_SQL_IN;
        return parse_list(c, p);
    }
    COVEY_TRY(skip_keyword(&found, p, "BETWEEN"));
    if (!found)
        return expected(p, negated ? "IN or BETWEEN" : "=, <>, <, <=, >, >=, BETWEEN, IN or IS");
    c->kind = COVEY_SQL_BETWEEN;
    COVEY_TRY(take_value(&c->value, p));
    COVEY_TRY(take_keyword(p, "AND"));
    return take_value(&c->value->next, p);
}

static covey_status parse_comparison(covey_sql_condition *c, struct parser *p)
{
    if (p->token.kind == COVEY_SQL_TEXT || p->token.kind == COVEY_SQL_NUMBER) { /* 20 <= age */
        c->kind = COVEY_SQL_COMPARE;
        COVEY_TRY(take_value(&c->value, p));
        if (!read_operator(&c->op, p))
            return expected(p, "=, <>, <, <=, > or >=");
        c->op = mirrored(c->op);
        COVEY_TRY(advance(p));
        return take_name(&c->column, p, "a column");
    }
    COVEY_TRY(take_name(&c->column, p, "a column"));
    return parse_test(c, p);
}

/* --- conditions --- */

static covey_status parse_or(covey_sql_condition **out, struct parser *p);

static covey_status new_condition(covey_sql_condition **out, struct parser *p, covey_sql_kind kind)
{
    if (!(*out = covey_arena_array_zero(p->arena, covey_sql_condition, 1)))
        return covey_i_no_memory(p->err);
    (*out)->kind = kind;
    (*out)->at = p->token.at;
    return COVEY_OK;
}

static covey_status parse_factor(covey_sql_condition **out, struct parser *p)
{
    covey_sql_condition *c = NULL;
    covey_status status;
    bool found;

    if (++p->depth > COVEY_SQL_MOST_DEPTH)
        return covey_i_sql_complain(p->err, p->query, p->token.at, "the condition is nested more than %d deep",
                                    COVEY_SQL_MOST_DEPTH);
    if (is_sign(p, "(")) {
        COVEY_TRY(advance(p));
        COVEY_TRY(parse_or(&c, p));
        status = take_sign(p, ")", ")");
    } else {
        COVEY_TRY(new_condition(&c, p, COVEY_SQL_NOT));
        COVEY_TRY(skip_keyword(&found, p, "NOT"));
        status = found ? parse_factor(&c->child, p) : parse_comparison(c, p);
    }
    p->depth--;
    *out = c;
    return status;
}

/* Operands with `keyword` between them; one operand is itself. */
static covey_status parse_chain(covey_sql_condition **out, struct parser *p, const char *keyword, covey_sql_kind kind,
                                covey_status (*operand)(covey_sql_condition **, struct parser *))
{
    covey_sql_condition *chain, **end;
    bool more;

    COVEY_TRY(operand(out, p));
    COVEY_TRY(skip_keyword(&more, p, keyword));
    if (!more)
        return COVEY_OK;
    COVEY_TRY(new_condition(&chain, p, kind));
    chain->child = *out;
    end = &chain->child->next;
    *out = chain;
    while (more) {
        COVEY_TRY(operand(end, p));
        end = &(*end)->next;
        COVEY_TRY(skip_keyword(&more, p, keyword));
    }
    return COVEY_OK;
}

static covey_status parse_and(covey_sql_condition **out, struct parser *p)
{
    return parse_chain(out, p, "AND", COVEY_SQL_AND, parse_factor);
}

static covey_status parse_or(covey_sql_condition **out, struct parser *p)
{
    return parse_chain(out, p, "OR", COVEY_SQL_OR, parse_and);
}

/* --- the parts of a query --- */

/* COUNT(DISTINCT) is no word, and found behind COUNT. */
static bool find_function(covey_sql_function *out, const char *name)
{
    for (size_t i = 0; i < sizeof function_names / sizeof *function_names; i++)
        if (strcasecmp(name, function_names[i]) == 0) {
            *out = (covey_sql_function)i;
            return true;
        }
    return false;
}

static covey_status parse_arguments(covey_sql_aggregate *a, struct parser *p)
{
    bool is_distinct = false;

    COVEY_TRY(advance(p)); /* ( */
    if (a->function == COVEY_SQL_COUNT)
        COVEY_TRY(skip_keyword(&is_distinct, p, "DISTINCT"));
    if (is_distinct) {
        a->function = COVEY_SQL_COUNT_DISTINCT;
        COVEY_TRY(take_name(&a->column, p, "entity, as in COUNT(DISTINCT entity),"));
    } else if (a->function == COVEY_SQL_COUNT) {
        if (!is_sign(p, "*"))
            return expected(p, "*, as in COUNT(*), or DISTINCT entity");
        COVEY_TRY(advance(p));
    } else {
        COVEY_TRY(take_name(&a->column, p, "the column to aggregate"));
        if (a->function == COVEY_SQL_SUM && is_sign(p, "*")) {
            COVEY_TRY(advance(p));
            COVEY_TRY(take_name(&a->factor, p, "a column, as in SUM(weight * income),"));
        }
    }
    return take_sign(p, ")", ")");
}

/* SUM(weight * s) / SUM(weight): a mean in which rows count by their weight. */
static covey_status parse_divisor(covey_sql_aggregate *a, struct parser *p)
{
    covey_sql_name sum;

    if (!is_sign(p, "/"))
        return COVEY_OK;
    if (!a->factor.text)
        return covey_i_sql_complain(p->err, p->query, p->token.at,
                                    "the only quotient is SUM(weight * s) / SUM(weight), a weighted mean");
    COVEY_TRY(advance(p));
    if (!is_keyword(p, "SUM"))
        return expected(p, "SUM(weight), as in SUM(weight * s) / SUM(weight),");
    COVEY_TRY(take_name(&sum, p, "SUM"));
    COVEY_TRY(take_sign(p, "(", "("));
    COVEY_TRY(take_name(&a->divisor, p, "the weight"));
    a->function = COVEY_SQL_AVG;
    return take_sign(p, ")", ")");
}

/* One item of the SELECT list: FUNCTION(...), or a column of GROUP BY. */
static covey_status parse_selected(covey_sql_aggregate ***end, covey_sql_name ***end_name, struct parser *p)
{
    covey_sql_function function;
    covey_sql_name name;
    covey_sql_aggregate *a;

    if (!is_name(p))
        return expected(p, "COUNT(*), SUM(column), AVG(column), MIN(column) or MAX(column)");
    COVEY_TRY(take_name(&name, p, "a function"));
    if (!is_sign(p, "(")) {
        if (!(**end_name = covey_arena_array_zero(p->arena, covey_sql_name, 1)))
            return covey_i_no_memory(p->err);
        ***end_name = name;
        *end_name = &(**end_name)->next;
        return COVEY_OK;
    }
    if (name.is_quoted || !find_function(&function, name.text))
        return covey_i_sql_complain(p->err, p->query, name.at,
                                    "there is no function \"%.40s\"; there are COUNT, SUM, AVG, MIN and MAX",
                                    name.text);
    if (!(a = covey_arena_array_zero(p->arena, covey_sql_aggregate, 1)))
        return covey_i_no_memory(p->err);
    a->function = function;
    a->at = name.at;
    **end = a;
    *end = &a->next;
    COVEY_TRY(parse_arguments(a, p));
    return parse_divisor(a, p);
}

static covey_status parse_select(covey_sql_query *q, struct parser *p)
{
    covey_sql_aggregate **end = &q->aggregate;
    covey_sql_name **end_name = &q->selected;

    COVEY_TRY(take_keyword(p, "SELECT"));
    for (;;) {
        COVEY_TRY(parse_selected(&end, &end_name, p));
        if (!is_sign(p, ","))
            break;
        COVEY_TRY(advance(p));
    }
    return q->aggregate ? COVEY_OK : expected(p, "an aggregate such as COUNT(*)");
}

static covey_status parse_group_by(covey_sql_query *q, struct parser *p)
{
    covey_sql_name **end = &q->group_by;

    COVEY_TRY(take_keyword(p, "BY"));
    for (;;) {
        if (!(*end = covey_arena_array_zero(p->arena, covey_sql_name, 1)))
            return covey_i_no_memory(p->err);
        COVEY_TRY(take_name(*end, p, "a column"));
        end = &(*end)->next;
        if (!is_sign(p, ","))
            return COVEY_OK;
        COVEY_TRY(advance(p));
    }
}

static covey_status parse_query(covey_sql_query *q, struct parser *p)
{
    bool found;

    COVEY_TRY(advance(p));
    COVEY_TRY(parse_select(q, p));
    COVEY_TRY(skip_keyword(&found, p, "FROM"));
    if (found)
        COVEY_TRY(take_name(&q->from, p, "a name; there is one table, the release,"));
    COVEY_TRY(skip_keyword(&found, p, "WHERE"));
    if (found)
        COVEY_TRY(parse_or(&q->where, p));
    COVEY_TRY(skip_keyword(&found, p, "GROUP"));
    if (found)
        COVEY_TRY(parse_group_by(q, p));
    if (is_sign(p, ";"))
        COVEY_TRY(advance(p));
    return p->token.kind == COVEY_SQL_END ? COVEY_OK
                                          : expected(p, q->group_by ? "the end"
                                                        : q->where  ? "AND, OR, GROUP BY or the end"
                                                                    : "FROM, WHERE, GROUP BY or the end");
}

covey_status covey_i_sql_parse(covey_sql_query **out, const char *text, covey_arena *arena, covey_error *err)
{
    struct parser p = {.query = text, .arena = arena, .err = err};
    covey_sql_query *q = covey_arena_array_zero(arena, covey_sql_query, 1);

    if (!q)
        return covey_i_no_memory(p.err);
    if (strlen(text) > COVEY_SQL_MOST_BYTES)
        return covey_fail(err, COVEY_EINVAL, "the query is longer than %d bytes", COVEY_SQL_MOST_BYTES);
    q->text = text;
    COVEY_TRY(parse_query(q, &p));
    *out = q;
    return COVEY_OK;
}
