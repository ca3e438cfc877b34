/* Damaged files.  The library reads them in this program, under its sanitizers; commands are started as
 * users would. */
#include "soak.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/file/folder.h"
#include "base/text.h"
#include "prover.h"

/* --- what may happen to a file; each operation is on bytes[0 .. size-1] and adds the result to out --- */

struct bytes {
    const char *at;
    size_t size;
};

static void add(covey_text *out, const char *from, const char *to)
{
    covey_i_text_add(out, from, (size_t)(to - from));
}

enum { MOST_ADDED = 3000000 };

/* MOST_ADDED bytes at most, or once: a long line 3000 times would be gigabytes, and take minutes to write. */
static void add_many(covey_text *out, const char *what, size_t size, size_t n)
{
    for (size_t i = 0; i < n && (i == 0 || (i + 1) * size <= MOST_ADDED); i++)
        covey_i_text_add(out, what, size);
}

static const char *somewhere(soak_case *c, const struct bytes *b)
{
    return b->at + soak_below(c, (uint32_t)b->size);
}

/* The beginning of a random line. */
static const char *some_line(soak_case *c, const struct bytes *b)
{
    const char *at = somewhere(c, b);

    while (at > b->at && at[-1] != '\n')
        at--;
    return at;
}

static const char *line_end(const struct bytes *b, const char *line)
{
    const char *end = b->size ? memchr(line, '\n', (size_t)(b->at + b->size - line)) : NULL;

    return end ? end + 1 : b->at + b->size;
}

static const char *const tokens[] = {"\"",
                                     ",",
                                     "\n",
                                     "\r\n",
                                     "\r",
                                     "*",
                                     "{",
                                     "}",
                                     "[1, 2]",
                                     "[",
                                     "null",
                                     "-9223372036854775808",
                                     "9223372036854775808",
                                     "1e999",
                                     "nan",
                                     "0.000000000000000001",
                                     "\xFF",
                                     "\xEF\xBB\xBF",
                                     "\xE2\x80",
                                     "{a, \"b\"}",
                                     "\t",
                                     ";",
                                     "\x1B[2J",
                                     "=1+1",
                                     "2024-02-30",
                                     "99999999999999999999",
                                     "-",
                                     ".",
                                     "\"\"",
                                     "{",
                                     ":",
                                     "&a",
                                     "*a",
                                     "!!",
                                     "0"};

/* Copies what stands before, changes something, copies the rest. */
static void mutate(covey_text *out, soak_case *c, struct bytes b)
{
    const char *end = b.at + b.size, *at = somewhere(c, &b), *other = somewhere(c, &b), *line = some_line(c, &b),
               *next = line_end(&b, line);
    const char *token = tokens[soak_below(c, sizeof tokens / sizeof *tokens)];
    char byte;

    switch (soak_below(c, 12)) {
    case 0: /* another byte */
        byte = (char)soak_below(c, 256);
        add(out, b.at, at);
        covey_i_text_add(out, &byte, 1);
        add(out, at + (at < end), end);
        break;
    case 1: /* less */
        add(out, b.at, at < other ? at : other);
        add(out, at < other ? other : at, end);
        break;
    case 2: /* the end is gone */
        add(out, b.at, at);
        break;
    case 3: /* something between */
        add(out, b.at, at);
        covey_i_text_add_string(out, token);
        add(out, at, end);
        break;
    case 4: /* a cell is another */
        while (at < end && !strchr(",;\n", *at))
            at++;
        other = at + (at < end);
        while (other < end && !strchr(",;\n", *other))
            other++;
        add(out, b.at, at + (at < end));
        covey_i_text_add_string(out, token);
        add(out, other, end);
        break;
    case 5: /* a line twice, or very often */
        add(out, b.at, line);
        add_many(out, line, (size_t)(next - line), soak_below(c, 3) ? 2 : 3000);
        add(out, next, end);
        break;
    case 6: /* a line elsewhere */
        other = some_line(c, &b);
        add(out, b.at, other < line ? other : line);
        if (other < line) {
            add(out, line, next);
            add(out, other, line);
            add(out, next, end);
        } else {
            add(out, next < other ? next : other, other);
            add(out, line, next);
            add(out, other > next ? other : next, end);
        }
        break;
    case 7: /* a line is gone */
        add(out, b.at, line);
        add(out, next, end);
        break;
    case 8: /* a very long cell, or very many */
        add(out, b.at, at);
        add_many(out, (const char *const[]){"x", "", ",", "x,", "\"\"", "9"}[soak_below(c, 6)], 1,
                 1 + soak_below(c, soak_below(c, 8) ? 5000 : MOST_ADDED));
        add(out, at, end);
        break;
    case 9: /* digits become others */
        while (at < end && !strchr("0123456789", *at))
            at++;
        byte = (char)('0' + soak_below(c, 10));
        add(out, b.at, at);
        covey_i_text_add(out, &byte, at < end);
        add(out, at + (at < end), end);
        break;
    case 10: /* a piece twice */
        add(out, b.at, at > other ? at : other);
        add(out, at < other ? at : other, end);
        break;
    default: /* lines end in another way */
        for (const char *l = b.at; l < end; l = line_end(&b, l)) {
            add(out, l, line_end(&b, l) - 1);
            covey_i_text_add_string(out, "\r\n");
        }
    }
}

static void mutate_file(soak_case *c, const char *path, const char *bytes, size_t size)
{
    covey_text text = COVEY_TEXT_INIT, next = COVEY_TEXT_INIT;

    covey_i_text_add(&text, bytes, size);
    for (uint32_t n = 1 + (soak_below(c, 3) == 0) + (soak_below(c, 6) == 0); n > 0; n--) {
        mutate(&next, c, (struct bytes){text.bytes ? text.bytes : "", text.size});
        covey_i_text_free(&text);
        text = next;
        next = (covey_text)COVEY_TEXT_INIT;
    }
    assert_false(text.broken);
    if (text.size > 8 * (size + MOST_ADDED)) /* three times as much again, and one addition each */
        fail_msg("%s: %zu bytes became %zu", path, size, text.size);
    csv_put_file(path, text.bytes ? text.bytes : "", text.size);
    covey_i_text_free(&text);
}

/* --- commands --- */

/* Runs the command with these words; its exit code must be one of those that are promised. */
static int run_command(soak_case *c, const char *const *words)
{
    enum { COMMAND_SECONDS = 60, MOST_COMMAND_SECONDS = 15 * 60 };      /* of processor time; of any */
    const struct rlimit limit = {COMMAND_SECONDS, COMMAND_SECONDS + 5}; /* SIGXCPU, then SIGKILL */
    const char *program = getenv("COVEY_SOAK_COMMAND"), *argv[16] = {program};
    int status;
    pid_t child;

    if (!program)
        return -1;
    for (size_t i = 0; words[i] && i < 14; i++)
        argv[i + 1] = words[i];
    if ((child = fork()) == 0) {
        if (!freopen(csv_path("out.txt"), "w", stdout) || !freopen(csv_path("err.txt"), "w", stderr))
            _exit(99);
        alarm(MOST_COMMAND_SECONDS);
        setrlimit(RLIMIT_CPU, &limit);
        execv(program, (char *const *)(uintptr_t)argv);
        _exit(98);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 3) {
        size_t size;
        char *said = csv_get_file(&size, csv_path("err.txt"));

        print_error("%s\n", said ? said : "");
        free(said);
        soak_fail(c, "covey %s %s ends with %s %d", words[0], words[1], WIFEXITED(status) ? "exit code" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
    soak_count("commands");
    return WEXITSTATUS(status);
}

static void run_on_release(soak_case *c)
{
    const char *release = c->r.path, *original = c->r.original, *page = csv_path("page.html");
    static const char *const where[] = {"SELECT COUNT(*)", "SELECT COUNT(*) WHERE age > 20",
                                        "SELECT COUNT(*) WHERE NOT (Age = '*' OR null IS NULL)"};
    const char *const target = job_format(
        &c->job, "%s:%s", (const char *const[]){"csv", "jsonl", "sqlite"}[soak_below(c, 3)], csv_path("export"));
    const char *const lines[][8] = {{"verify", release, NULL},
                                    {"verify", release, "--original", original, "--json", NULL},
                                    {"query", release, where[soak_below(c, 3)], "--json", NULL},
                                    {"query", release, where[soak_below(c, 3)], "--sql", NULL},
                                    {"measure", release, "--original", original, "--queries", "20", NULL},
                                    {"attack", release, "--original", original, "--json", NULL},
                                    {"attack", release, NULL},
                                    {"report", release, "-o", page, NULL},
                                    {"report", release, "--original", original, "-o", page, NULL},
                                    {"export", release, "--to", target, "--force", NULL}};
    const uint32_t which = soak_below(c, sizeof lines / sizeof *lines);

    run_command(c, lines[which]);
}

/* --- cases --- */

static void check_damaged(soak_case *c)
{
    covey_verdict *verdict = NULL;
    covey_query_release *release = NULL;
    covey_query_result *result = NULL;
    covey_error err;
    char why[300];

    soak_count("damaged");
    release_assert_windows_agree(&c->r, 100);
    if (covey_verify(&verdict, c->r.path, NULL, NULL, &err) == COVEY_OK && verdict->holds) {
        soak_count("held");
        if (prove_release(why, sizeof why, c->r.path) == PROOF_BROKEN)
            soak_fail(c, "it passes, but the prover refutes it: %s", why);
    }
    covey_verdict_free(verdict);
    if (covey_query_open(&release, c->r.path, NULL, &err) == COVEY_OK &&
        covey_query_run(&result, release, "SELECT COUNT(*)", NULL, &err) == COVEY_OK)
        covey_query_result_free(result);
    covey_query_close(release);
    if (soak_below(c, 3) == 0)
        run_on_release(c);
}

/* A file of the release, or its manifest; half of the time the hashes fit again. */
static void damage_release(soak_case *c)
{
    const json_t *files = json_object_get(c->r.manifest, "files");
    const uint32_t which = soak_below(c, (uint32_t)json_array_size(files) + 1);
    const char *name = json_string_value(json_object_get(json_array_get(files, which), "name")), *path;
    char *bytes, *manifest = release_get(&c->r, "manifest.json");
    size_t size;

    name = job_format(&c->job, "%s", name ? name : "manifest.json");
    path = job_format(&c->job, "%s/%s", c->r.path, name);
    bytes = csv_get_file(&size, path);
    mutate_file(c, path, bytes, size);
    if (strcmp(name, "manifest.json") != 0 && soak_below(c, 4))
        release_write(&c->r);
    check_damaged(c);
    csv_put_file(path, bytes, size);
    release_put(&c->r, "manifest.json", manifest);
    release_read(&c->r);
    free(bytes);
    free(manifest);
}

/* What a job is made from: its table, policy or a hierarchy. */
static void damage_job(soak_case *c)
{
    const char *const path = job_format(&c->job, "%s", csv_path(soak_below(c, 2) ? "in/policy.yaml" : "in/quokka.csv")),
                      *target = csv_path("other");
    const char *const policy = csv_path("in/policy.yaml"), *const data = csv_path("in/quokka.csv");
    size_t size;
    char *bytes = csv_get_file(&size, path);

    mutate_file(c, path, bytes, size);
    soak_count("damaged-jobs");
    if (soak_below(c, 3) == 0) {
        run_command(c, (const char *const[]){"inspect", data, NULL});
    } else if (run_command(c, (const char *const[]){"anonymize", policy, "-o", target, "--seed", "1", NULL}) == 0) {
        release_folder made = {.manifest = NULL};
        char why[300];

        snprintf(made.path, sizeof made.path, "%s", target);
        release_assert_holds(&made, false);
        if (prove_release(why, sizeof why, target) == PROOF_BROKEN)
            soak_fail(c, "the prover refutes it: %s", why);
        assert_int_equal(covey_i_folder_remove(target, NULL), COVEY_OK);
    } else if (access(target, F_OK) == 0) {
        soak_fail(c, "something is left of a release that could not be made");
    }
    csv_put_file(path, bytes, size);
    free(bytes);
}

void soak_mutations(soak_case *c)
{
    enum { N_DAMAGES = 6 };

    if (!soak_release(c))
        return;
    for (int i = 0; i < N_DAMAGES; i++)
        damage_release(c);
    if (getenv("COVEY_SOAK_COMMAND"))
        damage_job(c);
}
