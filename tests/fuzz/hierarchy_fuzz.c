/* Hierarchy files from strangers: whatever is read obeys the contract, and comes back when written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hierarchy/hierarchy_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static const char *file_name(char *out, size_t size, const char *what)
{
    snprintf(out, size, "%s/covey-hierarchy-fuzz-%ld.%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid(), what);
    remove(out);
    return out;
}

static void check_nodes(const covey_hierarchy *h)
{
    const covey_node *node = covey_hierarchy_nodes(h);
    const uint32_t n = covey_hierarchy_n_nodes(h), n_leaves = covey_hierarchy_n_leaves(h);

    require(node[0].n_leaves == n_leaves);
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t last = node[v].first_leaf + node[v].n_leaves - 1;

        require(node[v].n_children != 1 && last < n_leaves && node[v].height < covey_hierarchy_n_levels(h));
        require(v == 0 || (node[v].parent < v && node[node[v].parent].height > node[v].height));
        require(covey_hierarchy_lca(h, node[v].first_leaf, last) == v);
        require(covey_hierarchy_find(h, covey_hierarchy_label(h, v)) < n);
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        for (int level = 0; level < covey_hierarchy_n_levels(h); level++)
            require(covey_hierarchy_ancestor(h, leaf, level) < n);
}

static void check_same(const covey_hierarchy *a, const covey_hierarchy *b)
{
    const uint32_t n = covey_hierarchy_n_nodes(a);

    require(n == covey_hierarchy_n_nodes(b) && covey_hierarchy_n_levels(a) == covey_hierarchy_n_levels(b));
    require(memcmp(covey_hierarchy_nodes(a), covey_hierarchy_nodes(b), n * sizeof *covey_hierarchy_nodes(a)) == 0);
    for (uint32_t v = 0; v < n; v++)
        require(strcmp(covey_hierarchy_label(a, v), covey_hierarchy_label(b, v)) == 0);
}

static void round_trip(const covey_hierarchy *h, const bool *used)
{
    char path[256];
    covey_hierarchy_spec spec = {
        .kind = COVEY_HIERARCHY_FILE, .path = file_name(path, sizeof path, "out"), .partial = used != NULL};
    covey_hierarchy *again = NULL;
    covey_error err;

    require(covey_hierarchy_write(h, path, used, &err) == COVEY_OK);
    require(covey_hierarchy_build(&again, &spec, NULL, NULL, &err) == COVEY_OK);
    check_nodes(again);
    if (!used)
        check_same(h, again);
    covey_hierarchy_free(again);
    remove(path);
}

/* The first byte chooses options and, by its bits, which nodes are published. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[256], note[256];
    covey_hierarchy_spec spec = {.kind = COVEY_HIERARCHY_FILE, .path = file_name(path, sizeof path, "in")};
    covey_hierarchy *h = NULL;
    covey_error err = {0};
    FILE *file;

    if (size == 0 || size > 20000 || !(file = fopen(path, "wb")))
        return 0;
    fwrite(data + 1, 1, size - 1, file);
    fclose(file);
    spec.delimiter = (data[0] & 3) == 1 ? ';' : (data[0] & 3) == 2 ? ',' : '\0';
    if (covey_hierarchy_build(&h, &spec, NULL, note, &err) == COVEY_OK) {
        bool *used = calloc(covey_hierarchy_n_nodes(h), sizeof *used);

        for (uint32_t v = 0; v < covey_hierarchy_n_nodes(h); v++)
            used[v] = data[0] >> (v % 7 + 1) & 1;
        check_nodes(h);
        round_trip(h, NULL);
        round_trip(h, used);
        free(used);
        covey_hierarchy_free(h);
    } else {
        require(err.message[0] != '\0' && !strchr(err.message, '\n'));
    }
    remove(path);
    return 0;
}
