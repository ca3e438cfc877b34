/* The queries that covey answers, parsed: a small part of SQL.
 *
 *     SELECT COUNT(*) | COUNT(DISTINCT entity) | SUM(s) | AVG(s) | MIN(s) | MAX(s) | SUM(weight * s)
 *         | SUM(weight * s) / SUM(weight) [, ...] [FROM release] [WHERE condition] [GROUP BY columns]
 *
 * A condition is made of =, <>, <, <=, >, >=, [NOT] BETWEEN, [NOT] IN, IS [NOT] NULL, AND, OR, NOT and parentheses.
 * There is no other arithmetic, so that a name may hold hyphens (marital-status) and points; "..." takes any other.
 * Nothing here knows a release: names and values are texts with the place they stand at. */
#ifndef COVEY_QUERY_LANGUAGE_SQL_H
#define COVEY_QUERY_LANGUAGE_SQL_H

#include "base/arena.h"

enum { COVEY_SQL_MOST_DEPTH = 128, COVEY_SQL_MOST_BYTES = 1 << 20 };

typedef enum covey_sql_function {
    COVEY_SQL_COUNT = 0,
    COVEY_SQL_SUM,
    COVEY_SQL_AVG,
    COVEY_SQL_MIN,
    COVEY_SQL_MAX,
    COVEY_SQL_COUNT_DISTINCT /* units */
} covey_sql_function;

typedef enum covey_sql_kind {
    COVEY_SQL_AND = 0, /* at least two children */
    COVEY_SQL_OR,
    COVEY_SQL_NOT,     /* one child */
    COVEY_SQL_COMPARE, /* one value */
    COVEY_SQL_BETWEEN, /* two values */
    COVEY_SQL_IN,      /* at least one */
    COVEY_SQL_IS_NULL
} covey_sql_kind;

typedef enum covey_sql_operator {
    COVEY_SQL_EQ = 0,
    COVEY_SQL_NE,
    COVEY_SQL_LT,
    COVEY_SQL_LE,
    COVEY_SQL_GT,
    COVEY_SQL_GE
} covey_sql_operator;

typedef struct covey_sql_name {
    const char *text;
    bool is_quoted; /* written as "..." */
    size_t at;      /* byte of the query at which it begins */
    struct covey_sql_name *next;
} covey_sql_name;

typedef struct covey_sql_value {
    const char *text;
    bool is_text; /* written as '...', else a number */
    size_t at;
    struct covey_sql_value *next;
    bool is_key; /* not written at all, but a key of GROUP BY: the value so called, never a label */
} covey_sql_value;

typedef struct covey_sql_condition {
    covey_sql_kind kind;
    size_t at;
    struct covey_sql_condition *child, *next; /* children are a list by next */
    covey_sql_name column;                    /* the kinds without children */
    covey_sql_operator op;                    /* COMPARE: column op value */
    bool is_negated;                          /* NOT BETWEEN, NOT IN, IS NOT NULL */
    covey_sql_value *value;                   /* a list by next */
} covey_sql_condition;

typedef struct covey_sql_aggregate {
    covey_sql_function function;
    size_t at;
    covey_sql_name column; /* text NULL for COUNT(*); COUNT(DISTINCT ...): the word that says what is counted */
    covey_sql_name factor; /* SUM(column * factor), or, where the function is AVG, that by SUM(divisor); text NULL: the
                              column alone */
    covey_sql_name divisor;
    struct covey_sql_aggregate *next;
} covey_sql_aggregate;

typedef struct covey_sql_query {
    const char *text;               /* as it was given */
    covey_sql_aggregate *aggregate; /* at least one */
    covey_sql_name *selected;       /* plain columns of the SELECT list: they must stand in GROUP BY */
    covey_sql_name from;            /* text NULL: it names no table */
    covey_sql_condition *where;     /* NULL: every row */
    covey_sql_name *group_by;       /* NULL: one answer */
} covey_sql_query;

/**
 * Parses a query; everything it makes lives in the arena, the text must live as long.
 *
 * @return COVEY_OK; COVEY_EINVAL says at which character (err->column_number) what was expected; COVEY_ENOMEM
 */
covey_status covey_i_sql_parse(covey_sql_query **out, const char *text, covey_arena *arena, covey_error *err);

/* Complains about a place of the query: "query, character 17: ...". */
covey_status covey_i_sql_complain(covey_error *err, const char *query, size_t at, const char *fmt, ...)
    COVEY_PRINTF(4, 5);

/* "COUNT", "SUM", ...; static. */
const char *covey_i_sql_function_name(covey_sql_function function);

/* Does it count, so that no value is added up or compared? */
static inline bool covey_i_sql_counts(covey_sql_function function)
{
    return function == COVEY_SQL_COUNT || function == COVEY_SQL_COUNT_DISTINCT;
}

/* --- the lexer --- */

typedef enum covey_sql_token_kind {
    COVEY_SQL_END = 0,
    COVEY_SQL_WORD,   /* a name or a keyword */
    COVEY_SQL_QUOTED, /* "..." */
    COVEY_SQL_TEXT,   /* '...' */
    COVEY_SQL_NUMBER,
    COVEY_SQL_SIGN /* one of ( ) , ; * / = < > and the operators of two characters */
} covey_sql_token_kind;

typedef struct covey_sql_token {
    covey_sql_token_kind kind;
    const char *text; /* without quotes; in the arena */
    size_t at;
} covey_sql_token;

/* Reads the token at *cursor and moves on. */
covey_status covey_i_sql_token(covey_sql_token *out, const char *query, size_t *cursor, covey_arena *arena,
                               covey_error *err);

#endif
