/* The priority queue of the enumeration tree.  A node is kept as long as it or a descendant is queued. */
#include "method/optimal/pet.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { FIRST_NODES = 1024 };

void covey_i_pet_queue_init(covey_pet_queue *q, covey_optimal_priority priority, size_t most_bytes)
{
    const size_t most = most_bytes / (sizeof(covey_pet_node) + sizeof(uint32_t));

    *q = (covey_pet_queue){.priority = priority, .free = COVEY_PET_NONE, .dropped = COVEY_OPT_INFINITE};
    q->most = most < 64 ? 64 : most > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)most;
}

void covey_i_pet_queue_clear(covey_pet_queue *q)
{
    covey_i_free(q->node);
    covey_i_free(q->heap);
}

/* Most room first: the smallest bound relative to the cost; for a maximum (negative costs) the largest. */
static int compare_ratios(const covey_pet_node *a, const covey_pet_node *b)
{
    const covey_i128 x = (covey_i128)a->lower * b->cost, y = (covey_i128)b->lower * a->cost;

    return x < y ? -1 : x > y;
}

static int compare_nodes(covey_optimal_priority priority, const covey_pet_node *a, const covey_pet_node *b)
{
    int order = 0;

    if (priority == COVEY_OPT_BY_COST)
        order = (a->cost > b->cost) - (a->cost < b->cost);
    else if (priority == COVEY_OPT_BY_RATIO)
        order = compare_ratios(a, b);
    if (order == 0)
        order = (a->lower > b->lower) - (a->lower < b->lower);
    if (order == 0)
        order = (a->n_cuts < b->n_cuts) - (a->n_cuts > b->n_cuts);
    return order ? order : (a->serial > b->serial) - (a->serial < b->serial);
}

static bool precedes(const covey_pet_queue *q, uint32_t a, uint32_t b)
{
    return compare_nodes(q->priority, &q->node[a], &q->node[b]) < 0;
}

static void sift_up(covey_pet_queue *q, uint32_t i)
{
    const uint32_t moving = q->heap[i];

    for (; i > 0 && precedes(q, moving, q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = moving;
}

/* From the top. */
static void sift_down(covey_pet_queue *q)
{
    const uint32_t moving = q->heap[0];
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= q->n_heap)
            break;
        if (child + 1 < q->n_heap && precedes(q, q->heap[child + 1], q->heap[child]))
            child++;
        if (!precedes(q, q->heap[child], moving))
            break;
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = moving;
}

static int compare_numbers(const void *a, const void *b, void *queue)
{
    const covey_pet_queue *q = queue;

    return compare_nodes(q->priority, &q->node[*(const uint32_t *)a], &q->node[*(const uint32_t *)b]);
}

void covey_i_pet_release(covey_pet_queue *q, uint32_t node)
{
    q->node[node].is_queued = false;
    while (node != COVEY_PET_NONE && !q->node[node].is_queued && q->node[node].n_children == 0) {
        const uint32_t parent = q->node[node].parent;

        q->node[node].parent = q->free;
        q->free = node;
        q->n_used--;
        if (parent != COVEY_PET_NONE)
            q->node[parent].n_children--;
        node = parent;
    }
}

/* A sorted array is a heap. */
static void drop_worst(covey_pet_queue *q)
{
    const uint32_t kept = q->n_heap - (q->n_heap + 9) / 10;

    qsort_r(q->heap, q->n_heap, sizeof *q->heap, compare_numbers, q);
    while (q->n_heap > kept) {
        const uint32_t node = q->heap[--q->n_heap];

        q->has_dropped = true;
        q->dropped = q->node[node].lower < q->dropped ? q->node[node].lower : q->dropped;
        covey_i_pet_release(q, node);
    }
}

static covey_status grow(covey_pet_queue *q, covey_error *err)
{
    uint32_t capacity = q->capacity ? q->capacity * 2 : FIRST_NODES;
    covey_pet_node *node;
    uint32_t *heap;

    capacity = capacity < q->most ? capacity : q->most;
    if (!(node = covey_i_realloc(q->node, capacity, sizeof *node)))
        return covey_fail(err, COVEY_ENOMEM, "queue of %u partitionings: set memory-limit", capacity);
    q->node = node;
    if (!(heap = covey_i_realloc(q->heap, capacity, sizeof *heap)))
        return covey_fail(err, COVEY_ENOMEM, "queue of %u partitionings: set memory-limit", capacity);
    q->heap = heap;
    q->capacity = capacity;
    return COVEY_OK;
}

covey_status covey_i_pet_push(covey_pet_queue *q, const covey_pet_node *node, covey_error *err)
{
    uint32_t at;

    while (q->free == COVEY_PET_NONE && q->n_nodes == q->capacity) {
        if (q->capacity < q->most) {
            COVEY_TRY(grow(q, err));
        } else if (q->n_heap == 0) { /* all room is taken by one chain of ancestors */
            q->has_dropped = true;
            q->dropped = node->lower < q->dropped ? node->lower : q->dropped;
            return COVEY_OK;
        } else {
            drop_worst(q);
        }
    }
    at = q->free;
    if (at != COVEY_PET_NONE)
        q->free = q->node[at].parent;
    else
        at = q->n_nodes++;
    q->node[at] = *node;
    q->node[at].serial = q->n_made++;
    q->node[at].n_children = 0;
    q->node[at].is_queued = true;
    q->n_used++;
    if (node->parent != COVEY_PET_NONE)
        q->node[node->parent].n_children++;
    q->heap[q->n_heap++] = at;
    sift_up(q, q->n_heap - 1);
    return COVEY_OK;
}

bool covey_i_pet_pop(uint32_t *out, covey_pet_queue *q)
{
    if (q->n_heap == 0)
        return false;
    *out = q->heap[0];
    q->heap[0] = q->heap[--q->n_heap];
    if (q->n_heap > 0)
        sift_down(q);
    return true;
}

covey_optimal_units covey_i_pet_least(const covey_pet_queue *q)
{
    covey_optimal_units least = COVEY_OPT_INFINITE;

    if (q->priority == COVEY_OPT_BY_BOUND)
        return q->n_heap > 0 ? q->node[q->heap[0]].lower : least;
    for (uint32_t i = 0; i < q->n_heap; i++)
        least = q->node[q->heap[i]].lower < least ? q->node[q->heap[i]].lower : least;
    return least;
}
