/* Writing help.csv.  Source: [Zhang07] section 4 (help tables).
 *
 * Groups may be as large as the table, so that pieces are lines and begin anywhere in a group.  From line to line most
 * cells stay as they were: their text changes where a run ends.  Sums go on by one value of each end. */
#include "release/sheet/help_sheet.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/digits.h"
#include "base/sort/find.h"
#include "release/sheet/sheet.h"

enum {
    NUMBER = 16, /* a comma and 32 bits */
    VALUE = 32,  /* a comma, 64 bits, a point and a sign; copied in steps of COVEY_SHEET_SLACK */
    LONGEST_LINE = 2 * NUMBER + 2 * COVEY_DIGITS + 4 * VALUE,
    LEAST_LINES = 1 << 15,
    PIECES_PER_GROUP = 64 /* each begins by adding up what is before it */
};

/* A way through the ends of a group, and the cell of the one at hand. */
struct walk {
    const covey_help_run *run;
    int step;       /* to the next run */
    uint32_t left;  /* entries of this one that are still to come */
    covey_i128 sum; /* of those that came */
    char text[VALUE];
    size_t size;
};

struct scratch {
    covey_help_run *low, *high;
};

/* A comma and number / 10^scale, for a number of 64 bits; VALUE bytes are written. */
static inline char *add_value(char *to, int64_t number, int scale)
{
    char room[COVEY_DIGITS + VALUE], *end = room + COVEY_DIGITS, *at = covey_i_decimal_digits(end, number, scale);

    *--at = ',';
    memcpy(to, at, VALUE);
    return to + (end - at);
}

static inline char *add_sum(char *to, covey_i128 sum, int scale)
{
    char room[COVEY_DIGITS], *end = room + sizeof room, *at;

    if (sum >= INT64_MIN && sum <= INT64_MAX)
        return add_value(to, (int64_t)sum, scale);
    at = covey_i_decimal_digits(end, sum, scale);
    *--at = ',';
    memcpy(to, at, (size_t)(end - at));
    return to + (end - at);
}

static size_t print_value(char text[VALUE], int64_t value, int scale)
{
    return (size_t)(add_value(text, value, scale) - text);
}

static inline char *copy_value(char *to, const char text[VALUE], size_t size)
{
    memcpy(to, text, VALUE);
    return to + size;
}

/* Where n entries have come. */
static void begin(struct walk *w, const covey_help_run *run, int step, uint32_t n, int scale)
{
    *w = (struct walk){.run = run, .step = step, .left = run->n};
    while (n > 0) {
        const uint32_t taken = n < w->left ? n : w->left;

        w->sum += (covey_i128)w->run->end * taken;
        n -= taken;
        w->left -= taken;
        if (n > 0)
            w->left = (w->run += step)->n;
    }
    w->size = print_value(w->text, w->run->end, scale);
}

/* One more. */
static inline void take(struct walk *w, int scale)
{
    if (w->left == 0) {
        w->run += w->step;
        w->left = w->run->n;
        w->size = print_value(w->text, w->run->end, scale);
    }
    w->left--;
    w->sum += w->run->end;
}

/* The lines of a group from `first` hits on, before those of `end`. */
static char *add_lines(char *to, const covey_help *help, const struct scratch *s, uint32_t n_runs, uint32_t group,
                       uint32_t first, uint32_t end)
{
    const int scale = help->scale;
    const covey_help_run *last = s->high + n_runs - 1;
    char number[VALUE], least[VALUE], most[VALUE];
    const size_t n_number =
        print_value(number, (int64_t)help->release->first_class + group + 1, 0) - 1; /* without the comma */
    const size_t n_least = print_value(least, s->low->end, scale), n_most = print_value(most, last->end, scale);
    struct walk lower, upper;

    begin(&lower, s->low, 1, first - 1, scale);
    begin(&upper, last, -1, first - 1, scale);
    for (uint32_t hits = first; hits < end; hits++) {
        take(&lower, scale);
        take(&upper, scale);
        memcpy(to, number + 1, NUMBER);
        to = add_value(to + n_number, hits, 0);
        to = add_sum(to, lower.sum, scale);
        to = add_sum(to, upper.sum, scale);
        to = copy_value(to, least, n_least);
        to = copy_value(to, upper.text, upper.size);
        to = copy_value(to, lower.text, lower.size);
        to = copy_value(to, most, n_most);
        *to++ = '\n';
    }
    return to;
}

/* The lines begin .. end-1 of the table. */
static covey_status add_help(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_help *help = context;
    const covey_release *release = help->release;
    struct scratch s = {covey_i_array(help->most_runs, sizeof *s.low), covey_i_array(help->most_runs, sizeof *s.high)};
    const bool has_memory = s.low && s.high && covey_i_text_reserve(out, (size_t)(end - begin) * LONGEST_LINE + VALUE);
    uint32_t line = begin;

    for (uint32_t g = covey_i_find_span(release->class_start, release->n_classes, begin); has_memory && line < end;
         g++) {
        const uint32_t start = release->class_start[g],
                       stop = release->class_start[g + 1] < end ? release->class_start[g + 1] : end;
        const uint32_t n_runs = help->list(s.low, s.high, help->context, g);

        out->size =
            (size_t)(add_lines(out->bytes + out->size, help, &s, n_runs, g, line - start + 1, stop - start + 1) -
                     out->bytes);
        line = stop;
    }
    covey_i_free(s.low);
    covey_i_free(s.high);
    return has_memory ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_help_write(const covey_help *help, const char *folder, covey_files *files, const covey_run *run,
                                covey_error *err)
{
    const covey_release *release = help->release;
    covey_sheet sheet = {.name = "help.csv",
                         .header = "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n",
                         .n_groups = release->n_published,
                         .lines_per_piece = LEAST_LINES,
                         .lines = add_help,
                         .context = help};

    for (uint32_t g = 0; g < release->n_classes; g++) {
        const uint32_t wanted = (release->class_start[g + 1] - release->class_start[g]) / PIECES_PER_GROUP;

        sheet.lines_per_piece = wanted > sheet.lines_per_piece ? wanted : sheet.lines_per_piece;
    }
    return covey_i_sheet_write(&sheet, folder, files, run, err);
}
