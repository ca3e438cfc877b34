/* Kicks: a class is spoilt, so that search around it may come to something else than before.  It is merged with one
 * near it, made to exchange a row at a loss, it dissolves, or a class of one of its rows and of those nearest to it
 * opens. The kinds find different things: each alone ends worse than all together. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"

enum {
    MOST_NEAR = 5,    /* to merge or exchange with */
    NEAR_TO_OPEN = 7, /* whose rows a new class may take */
    NEARNESS = 16     /* of a row, against what its class gains without it */
};

#define MERGED 0xA0761D6478BD642Fu /* pools that were merged, among those that were tried */

/* Of eight kicks two merge, three exchange a row, one dissolves a class, two open one. */
enum { MERGES = 2, EXCHANGES = 5, DISSOLVES = 6, N_KICKS = 8 };

static bool holds(covey_peel *p, uint32_t c)
{
    return p->class[c].n == 0 || covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE);
}

/* A row of a near class comes, and goes back for the given one if that is what it takes. */
static bool exchange(covey_peel *p, uint32_t row, uint32_t other, uint32_t number)
{
    const uint32_t c = p->class_of[row];
    uint32_t r = p->class[other].first;

    for (uint32_t i = number % p->class[other].n; i > 0; i--)
        r = p->next[r];
    covey_i_peel_move(p, r, c);
    if (p->class[other].n == 0 || !holds(p, other))
        covey_i_peel_move(p, row, other);
    return holds(p, c) && holds(p, other);
}

static bool merge(covey_peel *p, uint32_t c, const covey_peel_near *near, uint32_t n, uint32_t first)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t other = near[(first + i) % n].class;

        if (!covey_i_peel_is_tried(p, MERGED ^ p->class[c].rows_hash ^ p->class[other].rows_hash)) {
            covey_i_peel_merge(p, other, c);
            return holds(p, c); /* not every promise minds its size only */
        }
    }
    return false;
}

/* Each row goes where it costs least, whatever that is. */
static bool dissolve(covey_peel *p, uint32_t c)
{
    uint32_t rows[COVEY_PEEL_MOST_DISSOLVED];
    const uint32_t n = covey_i_peel_lots_of(rows, p, c);

    for (uint32_t i = 0; i < n; i++) {
        int64_t increase;
        const uint32_t target = covey_i_peel_target(p, &increase, rows[i], c, COVEY_PEEL_FAR);

        if (target == COVEY_PEEL_NONE)
            return false;
        covey_i_peel_move(p, rows[i], target);
    }
    return true;
}

/* Rows that a class may take, and what their own classes gain without them. */
struct takable {
    uint32_t n, row[(NEAR_TO_OPEN + 1) * COVEY_PEEL_MOST_DISSOLVED];
    int64_t relief[(NEAR_TO_OPEN + 1) * COVEY_PEEL_MOST_DISSOLVED];
};

/* Takes the row that is nearest to a class out of a list and into the class. */
static void take_nearest(covey_peel *p, uint32_t c, struct takable *rows)
{
    int64_t least = INT64_MAX;
    uint32_t at = 0, from;

    for (uint32_t i = 0; i < rows->n; i++) {
        const int64_t cost =
            covey_i_peel_class_loss_with(p, c, covey_i_peel_codes(p->t, rows->row[i])) * NEARNESS - rows->relief[i];

        if (cost < least) {
            least = cost;
            at = i;
        }
    }
    p->work += rows->n;
    from = p->class_of[rows->row[at]];
    covey_i_peel_move(p, rows->row[at], c);
    rows->row[at] = rows->row[--rows->n];
    rows->relief[at] = rows->relief[rows->n];
    for (uint32_t i = 0; i < rows->n; i++)
        if (p->class_of[rows->row[i]] == from)
            rows->relief[i] = covey_i_peel_relief(p, rows->row[i]);
}

/* A class of a row and of those that are nearest to it; what is too small without them dissolves. */
static bool open_class(covey_peel *p, uint32_t row, bool *no_memory)
{
    struct takable rows;
    uint32_t c;
    covey_peel_near near[NEAR_TO_OPEN + 1];
    const uint32_t n =
        covey_i_peel_near_classes(p, near, p->class_of[row], NEAR_TO_OPEN, COVEY_PEEL_MOST_DISSOLVED) + 1;

    rows.n = 0;
    near[n - 1].class = p->class_of[row];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = p->class[near[i].class].first; r != COVEY_PEEL_NONE; r = p->next[r])
            if (r != row)
                rows.row[rows.n++] = r;
    if ((c = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE) {
        *no_memory = true;
        return false;
    }
    covey_i_peel_move(p, row, c);
    for (uint32_t i = 0; i < rows.n; i++)
        rows.relief[i] = covey_i_peel_relief(p, rows.row[i]);
    while (rows.n > 0 && !holds(p, c))
        take_nearest(p, c, &rows);
    if (!holds(p, c))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!holds(p, near[i].class) && !dissolve(p, near[i].class))
            return false;
    return true;
}

bool covey_i_peel_kick(covey_peel *p, uint32_t row, uint64_t random, bool *no_memory)
{
    const uint32_t c = p->class_of[row], kind = (uint32_t)(random % N_KICKS);
    const int64_t most = (int64_t)p->class[c].n * COVEY_PEEL_UNIT;
    covey_peel_near near[MOST_NEAR];
    uint32_t n, first;

    /* Where it costs more than a unit a row, search takes longest and hardly ever pays. */
    if (kind >= EXCHANGES)
        return (kind >= DISSOLVES ? open_class(p, row, no_memory) : dissolve(p, c)) && covey_i_peel_change(p) < most;
    if ((n = covey_i_peel_near_classes(p, near, c, MOST_NEAR, COVEY_PEEL_MOST_DISSOLVED)) == 0)
        return false;
    first = (uint32_t)(random / N_KICKS % n);
    return kind < MERGES ? merge(p, c, near, n, first)
                         : exchange(p, row, near[first].class, (uint32_t)(random / N_KICKS / n));
}
