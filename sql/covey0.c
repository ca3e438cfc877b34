/* SQLite extension covey0: a table-valued function that answers queries over a release, so that an analyst stays in
 * SQL.
 *
 *     .load covey0
 *     SELECT lower, upper, estimate FROM covey('release/', 'AVG(salary)', 'age BETWEEN 30 AND 40');
 *
 * One row per aggregate, and with a fourth argument (columns of GROUP BY) per group, whose values stand in key as a
 * JSON object. A release that is asked again is not read again while its manifest stays the same. */
#include <covey/query.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

enum { KEPT_RELEASES = 4 };

/* The columns of the function; from RELEASE on its arguments. */
enum {
    LOWER = 0,
    UPPER,
    ESTIMATE,
    STANDARD_ERROR,
    MIDPOINT,
    HITS_LOWER,
    HITS_UPPER,
    AGGREGATE,
    KEY,
    RELEASE,
    AGGREGATES,
    CONDITION,
    GROUP_BY
};
enum { N_ARGUMENTS = GROUP_BY - RELEASE + 1 };

static const char schema[] =
    "CREATE TABLE x(lower, upper, estimate REAL, standard_error REAL, midpoint REAL, hits_lower INTEGER, hits_upper "
    "INTEGER, "
    "aggregate TEXT, key TEXT, release HIDDEN, aggregates HIDDEN, condition HIDDEN, group_by HIDDEN)";

struct kept_release {
    char *folder;
    struct timespec changed; /* the manifest */
    ino_t inode;
    covey_query_release *release;
    unsigned long used; /* when: the oldest makes room */
};

struct table {
    sqlite3_vtab base; /* first */
    struct kept_release kept[KEPT_RELEASES];
    unsigned long now;
};

struct cursor {
    sqlite3_vtab_cursor base; /* first */
    covey_query_result *result;
    size_t group, answer;
    char *argument[N_ARGUMENTS];
};

static int fail(struct table *table, const char *message)
{
    sqlite3_free(table->base.zErrMsg);
    table->base.zErrMsg = sqlite3_mprintf("covey: %s", message);
    return SQLITE_ERROR;
}

static int fail_covey(struct table *table, const covey_error *err)
{
    return err->status == COVEY_ENOMEM ? SQLITE_NOMEM : fail(table, err->message);
}

/* ---- releases that stay open ---- */

static void forget(struct kept_release *kept)
{
    sqlite3_free(kept->folder);
    covey_query_close(kept->release);
    *kept = (struct kept_release){0};
}

static bool manifest_facts(struct stat *facts, const char *folder)
{
    char *path = sqlite3_mprintf("%s/manifest.json", folder);
    const bool found = path && stat(path, facts) == 0;

    sqlite3_free(path);
    return found;
}

static bool is_same(const struct kept_release *kept, const struct stat *facts)
{
    return kept->inode == facts->st_ino && kept->changed.tv_sec == facts->st_mtim.tv_sec &&
           kept->changed.tv_nsec == facts->st_mtim.tv_nsec;
}

/* The release of a folder, from those that are open or read now. */
static int open_release(covey_query_release **out, struct table *table, const char *folder)
{
    struct kept_release *oldest = &table->kept[0];
    struct stat facts = {0};
    covey_error err = {0};
    const bool found = manifest_facts(&facts, folder);

    for (size_t i = 0; i < KEPT_RELEASES; i++) {
        struct kept_release *kept = &table->kept[i];

        if (kept->release && strcmp(kept->folder, folder) == 0 && found && is_same(kept, &facts)) {
            kept->used = ++table->now;
            *out = kept->release;
            return SQLITE_OK;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    forget(oldest);
    if (covey_query_open(&oldest->release, folder, NULL, &err) != COVEY_OK)
        return fail_covey(table, &err);
    if (!(oldest->folder = sqlite3_mprintf("%s", folder))) {
        forget(oldest);
        return SQLITE_NOMEM;
    }
    oldest->changed = facts.st_mtim;
    oldest->inode = facts.st_ino;
    oldest->used = ++table->now;
    *out = oldest->release;
    return SQLITE_OK;
}

/* ---- the table ---- */

static int connect_table(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **out,
                         char **message)
{
    struct table *table;
    int code = sqlite3_declare_vtab(db, schema);

    if (code != SQLITE_OK)
        return code;
    if (!(table = sqlite3_malloc(sizeof *table)))
        return SQLITE_NOMEM;
    memset(table, 0, sizeof *table);
#ifdef SQLITE_VTAB_DIRECTONLY
    sqlite3_vtab_config(
        db,
        SQLITE_VTAB_DIRECTONLY); /* it reads files: not for views and triggers of a database that somebody else made */
#endif
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    struct table *table = (struct table *)base;

    for (size_t i = 0; i < KEPT_RELEASES; i++)
        forget(&table->kept[i]);
    sqlite3_free(table);
    return SQLITE_OK;
}

/* Arguments are equality constraints on the hidden columns; idxNum has a bit for each that is given. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    int at[N_ARGUMENTS], n = 0, given = 0;

    memset(at, -1, sizeof at);
    for (int i = 0; i < info->nConstraint; i++) {
        const int argument = info->aConstraint[i].iColumn - RELEASE;

        if (argument < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT; /* another order of the joined tables gives it */
        at[argument] = i;
    }
    for (int argument = 0; argument < N_ARGUMENTS; argument++)
        if (at[argument] >= 0) {
            info->aConstraintUsage[at[argument]].argvIndex = ++n;
            info->aConstraintUsage[at[argument]].omit = 1;
            given |= 1 << argument;
        }
    if ((given & 3) != 3)
        return fail((struct table *)base, "the function takes a release, aggregates and, if wanted, a condition: "
                                          "covey('release/', 'AVG(salary)', 'age > 30')");
    info->idxNum = given;
    info->estimatedCost = 1000;
    info->estimatedRows = 1;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct cursor *cursor = sqlite3_malloc(sizeof *cursor);

    if (!cursor)
        return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *out = &cursor->base;
    return SQLITE_OK;
}

static void clear_cursor(struct cursor *cursor)
{
    covey_query_result_free(cursor->result);
    cursor->result = NULL;
    cursor->group = cursor->answer = 0;
    for (size_t i = 0; i < N_ARGUMENTS; i++) {
        sqlite3_free(cursor->argument[i]);
        cursor->argument[i] = NULL;
    }
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    clear_cursor((struct cursor *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

static bool is_given(const char *argument)
{
    return argument && argument[strspn(argument, " \t\r\n")] != '\0';
}

static int ask(struct cursor *cursor, struct table *table)
{
    char *const *a = cursor->argument;
    const char *condition = a[CONDITION - RELEASE], *group_by = a[GROUP_BY - RELEASE];
    covey_query_release *release = NULL;
    covey_error err = {0};
    int code = open_release(&release, table, a[0]);
    char *sql;

    if (code != SQLITE_OK)
        return code;
    sql = sqlite3_mprintf("SELECT %s%s%s%s%s", a[1], is_given(condition) ? " WHERE " : "",
                          is_given(condition) ? condition : "", is_given(group_by) ? " GROUP BY " : "",
                          is_given(group_by) ? group_by : "");
    if (!sql)
        return SQLITE_NOMEM;
    code = covey_query_run(&cursor->result, release, sql, NULL, &err) == COVEY_OK ? SQLITE_OK : fail_covey(table, &err);
    sqlite3_free(sql);
    return code;
}

static int filter(sqlite3_vtab_cursor *base, int given, const char *unused, int argc, sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;
    struct table *table = (struct table *)base->pVtab;
    int n = 0;

    clear_cursor(cursor);
    for (int i = 0; i < N_ARGUMENTS; i++) {
        const unsigned char *text;

        if (!(given & 1 << i))
            continue;
        if (sqlite3_value_type(argv[n]) == SQLITE_NULL && i < CONDITION - RELEASE)
            return SQLITE_OK; /* of nothing: no rows */
        text = sqlite3_value_text(argv[n++]);
        if (text && !(cursor->argument[i] = sqlite3_mprintf("%s", text)))
            return SQLITE_NOMEM;
    }
    return ask(cursor, table);
}

static int next(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    if (++cursor->answer == cursor->result->n_answers) {
        cursor->answer = 0;
        cursor->group++;
    }
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (const struct cursor *)base;

    return !cursor->result || cursor->result->n_answers == 0 || cursor->group >= cursor->result->n_groups;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    const struct cursor *cursor = (const struct cursor *)base;

    *out = (sqlite3_int64)(cursor->group * cursor->result->n_answers + cursor->answer);
    return SQLITE_OK;
}

/* ---- values ---- */

static void give_text(sqlite3_context *to, const char *text)
{
    sqlite3_result_text(to, text, -1, SQLITE_TRANSIENT);
}

/* A whole number as an integer, exact; another as a real, a date as text. */
static void give_bound(sqlite3_context *to, const covey_query_bound *bound, bool is_date)
{
    char *end;
    long long number;

    if (!bound->exists)
        return;
    if (is_date) {
        give_text(to, bound->text);
        return;
    }
    errno = 0;
    number = strtoll(bound->text, &end, 10);
    if (*end == '\0' && errno == 0)
        sqlite3_result_int64(to, number);
    else
        sqlite3_result_double(to, bound->value);
}

/* The values of GROUP BY as a JSON object. */
static void give_key(sqlite3_context *to, const covey_query_result *result, const covey_query_group *group)
{
    sqlite3_str *json = sqlite3_str_new(NULL);
    char *text;

    for (size_t k = 0; k < result->n_keys; k++) {
        const char *parts[2] = {result->key_name[k], group->key[k]};

        sqlite3_str_appendall(json, k ? "," : "{");
        for (int p = 0; p < 2; p++) {
            if (p == 1)
                sqlite3_str_appendall(json, ":");
            if (!parts[p]) {
                sqlite3_str_appendall(json, "null");
                continue;
            }
            if (p == 1 && result->key_is_number[k]) {
                sqlite3_str_appendall(json, parts[p]);
                continue;
            }
            sqlite3_str_appendchar(json, 1, '"');
            for (const char *c = parts[p]; *c; c++)
                if (*c == '"' || *c == '\\')
                    sqlite3_str_appendf(json, "\\%c", *c);
                else if ((unsigned char)*c < 0x20)
                    sqlite3_str_appendf(json, "\\u%04x", (unsigned)*c);
                else
                    sqlite3_str_appendchar(json, 1, *c);
            sqlite3_str_appendchar(json, 1, '"');
        }
    }
    sqlite3_str_appendall(json, "}");
    text = sqlite3_str_finish(json);
    if (text)
        sqlite3_result_text(to, text, -1, sqlite3_free);
    else
        sqlite3_result_error_nomem(to);
}

/* NaN, "there is none", becomes NULL. */
static int column(sqlite3_vtab_cursor *base, sqlite3_context *to, int index)
{
    const struct cursor *cursor = (const struct cursor *)base;
    const covey_query_group *group = &cursor->result->group[cursor->group];
    const covey_query_answer *answer = &group->answer[cursor->answer];

    switch (index) {
    case LOWER:
        give_bound(to, &answer->lower, answer->is_date);
        break;
    case UPPER:
        give_bound(to, &answer->upper, answer->is_date);
        break;
    case ESTIMATE:
        sqlite3_result_double(to, answer->estimate);
        break;
    case STANDARD_ERROR:
        sqlite3_result_double(to, answer->standard_error);
        break;
    case MIDPOINT:
        sqlite3_result_double(to, answer->midpoint);
        break;
    case HITS_LOWER:
        sqlite3_result_int64(to, group->hits_lower);
        break;
    case HITS_UPPER:
        sqlite3_result_int64(to, group->hits_upper);
        break;
    case AGGREGATE:
        give_text(to, answer->aggregate);
        break;
    case KEY:
        if (cursor->result->is_grouped)
            give_key(to, cursor->result, group);
        break;
    default:
        if (cursor->argument[index - RELEASE])
            give_text(to, cursor->argument[index - RELEASE]);
        break;
    }
    return SQLITE_OK;
}

static sqlite3_module module = {
    .iVersion = 0,
    .xConnect = connect_table, /* without xCreate it is a function only, made for each connection */
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_number,
};

/* SQLite finds this by the name of the file. */
COVEY_API int sqlite3_covey_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

int sqlite3_covey_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_module(db, "covey", &module, NULL);
}
