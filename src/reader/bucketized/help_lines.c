/* Is a help.csv, byte for byte, what follows from the groups' values?  Then it need not be read as a table.
 *
 * Its lines are written here once more, the way that docs/manifest.md gives, and compared.  Pieces of the file are
 * compared in parallel: each begins with the group and hits that its first line says, and must end where the next one
 * says it begins.  A file that is not the same may still say the same in other words: that is for who reads it as a
 * table (help_table.c). */
#include "reader/bucketized/help_lines.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/digits.h"
#include "base/file/infile.h"
#include "base/threads.h"
#include "io/csv/runs.h"

static const char HEADER[] = "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n";

enum {
    NUMBER = 48, /* bytes that a comma and a number take at most, and that are written for them */
    LONGEST_LINE = 8 * NUMBER,
    BLOCK = 1 << 13, /* so many bytes are written, then compared */
    COPIED = 16,     /* bytes of a number that is remembered; most are not longer */
    REMEMBERED_LOG2 = 9,
    FEW = 64, /* rows of a small group */
    LEAST_PIECE = 1 << 17,
    PIECES_PER_THREAD = 8
};

/* A line of the table: its group, as it is numbered, and hits from 1. */
struct place {
    uint32_t group, hits;
};

struct piece {
    const char *start, *end;
    struct place first, next; /* what it begins with, and what would follow it */
    bool follows;
};

struct comparing {
    const covey_help_groups *groups;
    const covey_infile *file;
    struct piece *piece;
    size_t n_pieces;
};

/* A number as it was written the last time: most are written again soon. */
struct written {
    int64_t value;
    size_t size;       /* 0: none */
    char text[NUMBER]; /* with the comma in front */
};

/* Lines that were written, on their way to be compared. */
struct block {
    const char *line, *end; /* of the file: what they are compared with; NULL: it differed */
    char *to, *limit;       /* they are compared when they reach the limit */
    struct written written[1 << REMEMBERED_LOG2];
    char bytes[BLOCK + LONGEST_LINE + NUMBER];
};

/* --- numbers --- */

/* A comma and number / 10^scale with all digits behind the point. */
static inline char *add_number(char *to, covey_i128 number, int scale)
{
    char room[COVEY_DIGITS + NUMBER], *end = room + COVEY_DIGITS, *at = covey_i_decimal_digits(end, number, scale);

    *--at = ',';
    memcpy(to, at, NUMBER);
    return to + (end - at);
}

static inline char *copy_written(char *to, const struct written *w)
{
    memcpy(to, w->text, COPIED);
    if (w->size > COPIED)
        memcpy(to + COPIED, w->text + COPIED, NUMBER - COPIED);
    return to + w->size;
}

static __attribute__((noinline)) void write_again(struct written *w, int64_t number, int scale)
{
    w->value = number;
    w->size = (size_t)(add_number(w->text, number, scale) - w->text);
}

static inline const struct written *find_written(struct block *b, int64_t number, int scale)
{
    struct written *w = &b->written[(uint64_t)number * UINT64_C(0x9E3779B97F4A7C15) >> (64 - REMEMBERED_LOG2)];

    if (w->size == 0 || w->value != number)
        write_again(w, number, scale);
    return w;
}

/* The same of a sum, and of another number.  few: groups are small, so that the same numbers come again and again; else
 * a number mostly is the one of the line before, and sums hardly come again. */
static inline char *add_sum(char *to, struct block *b, covey_i128 sum, int scale, const bool few)
{
    return few && sum >= INT64_MIN && sum <= INT64_MAX ? copy_written(to, find_written(b, (int64_t)sum, scale))
                                                       : add_number(to, sum, scale);
}

static inline char *add_cell(char *to, struct written *before, struct block *b, int64_t number, int scale,
                             const bool few)
{
    if (few)
        return copy_written(to, find_written(b, number, scale));
    if (before->size == 0 || before->value != number)
        *before = *find_written(b, number, scale);
    return copy_written(to, before);
}

/* The same of hits. */
static inline char *add_hits(char *to, uint32_t hits)
{
    if (hits > 9)
        return add_number(to, hits, 0);
    *to++ = ',';
    *to++ = (char)('0' + hits);
    return to;
}

/* A number from 1, without leading zeros, and the comma behind it; NULL if there is none. */
static const char *read_number(uint32_t *out, const char *at, const char *end)
{
    uint64_t number = 0;

    if (at == end || *at < '1' || *at > '9')
        return NULL;
    for (; at < end && *at >= '0' && *at <= '9' && number <= UINT32_MAX; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    *out = (uint32_t)number;
    return at < end && *at == ',' && number <= UINT32_MAX ? at + 1 : NULL;
}

/* --- lines --- */

static uint32_t rows_of(const covey_help_groups *groups, uint32_t group)
{
    const uint32_t g = group - groups->before;

    return groups->row_start[g] - groups->row_start[g - 1];
}

/* Where the next lines are to be compared. */
static void empty(struct block *b)
{
    const size_t left = (size_t)(b->end - b->line);

    b->to = b->bytes;
    b->limit = b->bytes + (left < BLOCK ? left : BLOCK);
}

/* Compares the lines of the block; false if no others are to be written: they were the last ones, or differed. */
static bool compare_block(struct block *b)
{
    const size_t size = (size_t)(b->to - b->bytes);

    if (!b->line || (size_t)(b->end - b->line) < size || memcmp(b->line, b->bytes, size) != 0) {
        b->line = NULL;
        return false;
    }
    b->line += size;
    empty(b);
    return b->line < b->end;
}

/* Writes the lines of a group from one with so many hits on, until it or the piece ends. */
static inline void write_lines(struct block *b, struct place *at, const int64_t *low, const int64_t *high, int scale,
                               uint32_t n, const bool few)
{
    char group[2 * NUMBER];
    const size_t group_size = (size_t)(add_number(group, at->group, 0) - group) - 1; /* without the comma in front */
    struct written least, least_high, most_low, most;
    covey_i128 lower = 0, upper = 0;

    least.size = least_high.size = most_low.size = most.size = 0;
    for (uint32_t i = 1; i < at->hits; i++) {
        lower += low[i - 1];
        upper += high[n - i];
    }
    for (; at->hits <= n && (b->to < b->limit || compare_block(b)); at->hits++) {
        char *to = b->to;

        lower += low[at->hits - 1];
        upper += high[n - at->hits];
        memcpy(to, group + 1, COPIED);
        to = add_hits(to + group_size, at->hits);
        to = add_sum(to, b, lower, scale, few);
        to = add_sum(to, b, upper, scale, few);
        to = add_cell(to, &least, b, low[0], scale, few);
        to = add_cell(to, &least_high, b, high[n - at->hits], scale, few);
        to = add_cell(to, &most_low, b, low[at->hits - 1], scale, few);
        to = add_cell(to, &most, b, high[n - 1], scale, few);
        *to++ = '\n';
        b->to = to;
    }
}

static void write_group(struct block *b, struct place *at, const int64_t *low, const int64_t *high, int scale,
                        uint32_t n)
{
    if (n <= FEW)
        write_lines(b, at, low, high, scale, n, true);
    else
        write_lines(b, at, low, high, scale, n, false);
}

static covey_status compare_piece(void *context, size_t task, covey_error *err)
{
    const struct comparing *c = context;
    const covey_help_groups *groups = c->groups;
    struct piece *p = &c->piece[task];
    struct place at = p->first;
    int64_t *low = covey_i_array(groups->most, sizeof *low), *high = covey_i_array(groups->most, sizeof *high);
    struct block *b = covey_i_array_zero(1, sizeof *b);
    const bool has_memory = low && high && b;

    if (has_memory) {
        b->line = p->start;
        b->end = p->end;
        empty(b);
    }
    while (has_memory && b->line && b->end - b->line > b->to - b->bytes && at.group > groups->before &&
           at.group - groups->before <= groups->n) {
        const uint32_t n = rows_of(groups, at.group);

        if (at.hits > n || groups->list(low, high, groups->context, at.group - groups->before - 1) != n)
            break;
        write_group(b, &at, low, high, groups->scale, n);
        if (at.hits > n)
            at = (struct place){at.group + 1, 1};
    }
    if (has_memory)
        compare_block(b);
    p->next = at;
    p->follows = has_memory && b->line == p->end;
    covey_i_infile_drop(c->file, (size_t)(p->start - c->file->bytes), (size_t)(p->end - c->file->bytes));
    covey_i_free(low);
    covey_i_free(high);
    covey_i_free(b);
    return has_memory ? COVEY_OK : covey_i_no_memory(err);
}

/* --- the file --- */

/* False if a piece does not begin like a line. */
static bool cut_into_pieces(struct comparing *c, const char *start, const char *end)
{
    const size_t size = (size_t)(end - start) / c->n_pieces;
    const char *at = start;

    for (size_t i = 0; i < c->n_pieces; i++) {
        const char *feed = i + 1 < c->n_pieces && (size_t)(end - at) > size
                               ? memchr(at + size, '\n', (size_t)(end - at) - size)
                               : NULL,
                   *hits;
        struct piece *p = &c->piece[i];

        *p = (struct piece){.start = at, .end = feed ? feed + 1 : end, .first = {c->groups->before + 1, 1}};
        if (at < end && (!(hits = read_number(&p->first.group, at, end)) || !read_number(&p->first.hits, hits, end)))
            return false;
        at = p->end;
    }
    return true;
}

/* Does each piece go on where the one before it ended, and the last one end behind the last line? */
static bool pieces_join(const struct comparing *c)
{
    struct place at = {c->groups->before + 1, 1};

    for (size_t i = 0; i < c->n_pieces; i++) {
        const struct piece *p = &c->piece[i];

        if (p->start == p->end)
            continue;
        if (!p->follows || p->first.group != at.group || p->first.hits != at.hits)
            return false;
        at = p->next;
    }
    return at.group == c->groups->before + c->groups->n + 1;
}

static covey_status compare_bytes(bool *follow, const covey_help_groups *groups, const covey_infile *file,
                                  const char *start, const char *end, const covey_run *run, covey_error *err)
{
    struct comparing c = {
        .groups = groups, .file = file, .n_pieces = (size_t)covey_run_threads(run) * PIECES_PER_THREAD};
    covey_status status = COVEY_OK;

    if (c.n_pieces > (size_t)(end - start) / LEAST_PIECE + 1)
        c.n_pieces = (size_t)(end - start) / LEAST_PIECE + 1;
    if (!(c.piece = covey_i_array(c.n_pieces, sizeof *c.piece)))
        return covey_i_no_memory(err);
    if (cut_into_pieces(&c, start, end) &&
        (status = covey_i_parallel(covey_run_threads(run), c.n_pieces, compare_piece, &c, err)) == COVEY_OK)
        *follow = pieces_join(&c);
    covey_i_free(c.piece);
    return status;
}

void covey_i_help_reading_begin(covey_help_reading *out, covey_infile *text, const char *path)
{
    const size_t header = sizeof HEADER - 1;

    *out = (covey_help_reading){.path = path, .file = *text};
    *text = (covey_infile)COVEY_INFILE_INIT;
    if (out->file.size >= header && memcmp(out->file.bytes, HEADER, header) == 0)
        out->at = out->file.bytes + header;
}

covey_status covey_i_help_reading_compare(covey_help_reading *r, const covey_help_groups *groups, const covey_run *run,
                                          covey_error *err)
{
    const char *end;
    bool follow = false;

    if (!r->at)
        return COVEY_OK;
    end = covey_i_csv_end_of_runs(r->at, r->file.bytes + r->file.size, (uint64_t)groups->before + groups->n);
    COVEY_TRY(compare_bytes(&follow, groups, &r->file, r->at, end, run, err));
    r->at = follow ? end : NULL;
    return COVEY_OK;
}

covey_status covey_i_help_reading_end(bool *follow, const covey_help_reading *r, covey_error *err)
{
    *follow = r->at && r->at == r->file.bytes + r->file.size;
    return *follow ? covey_i_infile_unchanged(&r->file, r->path, err) : COVEY_OK;
}

void covey_i_help_reading_close(covey_help_reading *r)
{
    covey_i_infile_close(&r->file);
}

covey_status covey_i_help_lines_follow(bool *follow, const covey_help_groups *groups, covey_infile *text,
                                       const char *path, const covey_run *run, covey_error *err)
{
    covey_help_reading r;
    covey_status status;

    *follow = false;
    covey_i_help_reading_begin(&r, text, path);
    if ((status = covey_i_help_reading_compare(&r, groups, run, err)) == COVEY_OK)
        status = covey_i_help_reading_end(follow, &r, err);
    covey_i_help_reading_close(&r);
    return status;
}
