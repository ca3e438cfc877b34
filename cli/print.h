/* What commands print: tables for people, one JSON object for programs, errors for both. */
#ifndef COVEY_CLI_PRINT_H
#define COVEY_CLI_PRINT_H

#include <jansson.h>

#include <covey/covey.h>

#include <stdio.h>

#include "shown.h"

/* A path as a shell wants it, on stdout. */
void cli_print_path(const char *path);

/* A text as JSON.  Bytes that are no UTF-8 (a file name may hold any) become U+FFFD, because JSON has no place for
 * them. */
json_t *cli_json_text(const char *text);
json_t *cli_json_text_or_null(const char *text); /* null for NULL and for "" */
json_t *cli_json_real(double value);             /* null for infinities and NaN, which JSON does not have */
json_t *cli_json_pairs(double value);            /* a count of pairs of rows: whole as long as a double can say so */

/* JSON as jansson writes it, to stdout, where nothing in it can steer a terminal. */
void cli_put_json_text(const char *piece, size_t size);
/* Writes a value to stdout and releases it, with jansson's flags; false without memory. */
bool cli_put_json(json_t *value, size_t flags);

/* Prints an object and releases it.  NULL, which is what jansson gives without memory, is COVEY_ENOMEM. */
covey_status cli_print_json(json_t *object, covey_error *err);

/* One promise with threshold and achieved figure, in the shape of the manifest (docs/manifest.md). */
json_t *cli_json_promise(const covey_promise_verdict *promise);
/* All promises of a verdict, as an array. */
json_t *cli_json_promises(const covey_verdict *verdict);
/* "utility" of a release: its figures, and the risks of units where rows have some. */
json_t *cli_json_utility(const covey_release_figures *figures, const covey_verdict *verdict);
/* The same for people: one line each. */
covey_status cli_print_promises(const covey_verdict *verdict, covey_error *err);

/* Reports a failure on stderr, with json on stdout too, and gives the exit code that goes with it. */
int cli_report_error(const covey_error *error, bool json);

/* A table of aligned columns. */
typedef struct cli_table cli_table;

/* align: one letter per column, 'l' or 'r'; borrowed until the table is printed. */
cli_table *cli_table_new(const char *align);
/* Adds the next cell, inert.  Works with a NULL table. */
void cli_table_add(cli_table *table, const char *fmt, ...) COVEY_PRINTF(2, 3);
/* Prints all rows on stdout and frees the table. */
covey_status cli_table_print(cli_table *table, int indent, covey_error *err);

/* Text folded at 80 columns.  Every line is indented; the first goes on behind the characters that its line has
 * already. */
void cli_print_folded(FILE *to, int indent, int already, const char *text);

/* 30162 as "30,162". */
#define CLI_COUNT_SIZE 32
const char *cli_count(char buffer[CLI_COUNT_SIZE], int64_t n);

/* "1,234 classes", "1 group": the sets of rows that a form's promises are about, with their number. */
const char *cli_units(char buffer[CLI_COUNT_SIZE + 16], const char *form, int64_t n);

/* Typed parameters of a model or method. */
json_t *cli_json_params(const covey_param *list, size_t n);
void cli_print_params(const covey_param *list, size_t n);

#endif
