/* SQL for the tree of a condition.  What stands here is the tree of the condition; cells.c has what is asked of one
 * attribute. */
#include "query/rewrite/cells.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reader/units.h"

enum { MOST_COMBINATIONS = 512 };
#define NONE UINT32_MAX

/* ---- the tree ---- */

struct walk {
    covey_rewriting *r;
    const covey_condition *condition;
    const uint32_t *fixed; /* [n_attributes] the atom that an attribute has; NONE: any of its cell */
    bool *wanted;          /* [MOST_ATOMS of any attribute] scratch */
};

typedef enum truth { IS_FALSE = 0, IS_TRUE, IS_OPEN } truth;

static bool passes(const struct walk *w, const covey_condition_node *node, uint32_t atom)
{
    return w->condition->attribute[node->attribute].passes[atom] >> node->part & 1;
}

/* What the fixed atoms settle. */
static truth fold(const struct walk *w, const covey_condition_node *node)
{
    const truth strong = node->kind == COVEY_NODE_OR ? IS_TRUE : IS_FALSE;
    truth all = strong == IS_TRUE ? IS_FALSE : IS_TRUE;

    if (node->part >= 0)
        return w->fixed[node->attribute] == NONE            ? IS_OPEN
               : passes(w, node, w->fixed[node->attribute]) ? IS_TRUE
                                                            : IS_FALSE;
    for (const covey_condition_node *child = node->child; child; child = child->next) {
        const truth one = fold(w, child);

        if (one == strong)
            return strong;
        if (one == IS_OPEN)
            all = IS_OPEN;
    }
    return all;
}

/* Independent attributes: AND can be true if all its children can, and false if one can. */
static void add_tree(const struct walk *w, const covey_condition_node *node, bool want)
{
    const truth known = fold(w, node);
    bool any = false;

    if (known != IS_OPEN) {
        covey_i_text_add_string(&w->r->sql, (known == IS_TRUE) == want ? "1 = 1" : "1 = 0");
        return;
    }
    if (node->part >= 0) {
        const covey_condition_attribute *a = &w->condition->attribute[node->attribute];

        for (uint32_t atom = 0; atom < a->n_atoms; atom++)
            w->wanted[atom] = passes(w, node, atom) == want;
        covey_i_rewrite_can(w->r, a, w->wanted);
        return;
    }
    covey_i_text_add_char(&w->r->sql, '(');
    for (const covey_condition_node *child = node->child; child; child = child->next) {
        if (fold(w, child) != IS_OPEN) /* the weak one */
            continue;
        if (any)
            covey_i_text_add_string(&w->r->sql, (node->kind == COVEY_NODE_AND) == want ? " AND " : " OR ");
        add_tree(w, child, want);
        any = true;
    }
    covey_i_text_add_char(&w->r->sql, ')');
}

/* Attributes of which the condition speaks in several places: each of their atoms in turn. */
static void add_combinations(struct walk *w, uint32_t *fixed, bool want)
{
    const covey_condition *c = w->condition;
    covey_text *sql = &w->r->sql;
    uint32_t i;
    bool any = false;

    for (i = 0; i < c->n_attributes; i++)
        if (c->attribute[i].n_parts > 1)
            fixed[i] = 0;
    covey_i_text_add_char(sql, '(');
    do {
        const truth known = fold(w, c->root);

        if (known == IS_OPEN || (known == IS_TRUE) == want) {
            covey_i_text_add_string(sql, any ? " OR (" : "(");
            for (i = 0; i < c->n_attributes; i++)
                if (c->attribute[i].n_parts > 1) {
                    memset(w->wanted, 0, c->attribute[i].n_atoms * sizeof *w->wanted);
                    w->wanted[fixed[i]] = true;
                    covey_i_rewrite_can(w->r, &c->attribute[i], w->wanted);
                    covey_i_text_add_string(sql, " AND ");
                }
            add_tree(w, c->root, want);
            covey_i_text_add_char(sql, ')');
            any = true;
        }
        for (i = 0; i < c->n_attributes && (c->attribute[i].n_parts == 1 || ++fixed[i] == c->attribute[i].n_atoms); i++)
            fixed[i] = c->attribute[i].n_parts == 1 ? fixed[i] : 0;
    } while (i < c->n_attributes);
    covey_i_text_add_string(sql, any ? ")" : "1 = 0)");
}

/* Where cells are exact, every attribute has one atom in a row, so that part by part is exact whatever the condition
 * mixes. */
static bool is_by_part(const covey_rewriting *r)
{
    return r->query->condition.is_read_once || r->release->form->quasi_is_exact;
}

static void add_condition(struct walk *w, uint32_t *fixed, bool want)
{
    if (is_by_part(w->r))
        add_tree(w, w->condition->root, want);
    else
        add_combinations(w, fixed, want);
}

static covey_status check_size(const covey_rewriting *r, covey_error *err)
{
    const covey_condition *c = &r->query->condition;
    size_t all = 1, several = 1;

    for (uint32_t i = 0; i < c->n_attributes && all <= COVEY_CONDITION_MOST_COMBINATIONS; i++) {
        all *= c->attribute[i].n_atoms;
        several *= c->attribute[i].n_parts > 1 ? c->attribute[i].n_atoms : 1;
    }
    if (!is_by_part(r) && (all > COVEY_CONDITION_MOST_COMBINATIONS || several > MOST_COMBINATIONS))
        return covey_fail(err, COVEY_EINVAL,
                          "query: the condition mixes tests of several columns too often to be rewritten; ask covey "
                          "query without --sql");
    return COVEY_OK;
}

static covey_status begin_walk(struct walk *w, uint32_t **fixed, covey_rewriting *r, covey_error *err)
{
    const covey_condition *c = &r->query->condition;
    uint32_t most = 1;

    *fixed = covey_arena_array(r->arena, uint32_t, c->n_attributes);
    *w = (struct walk){.r = r, .condition = c, .fixed = *fixed};
    for (uint32_t i = 0; i < c->n_attributes; i++) {
        most = c->attribute[i].n_atoms > most ? c->attribute[i].n_atoms : most;
        COVEY_TRY(covey_i_rewrite_check_digits(r, c->attribute[i].column, err));
    }
    if (!*fixed || !(w->wanted = covey_arena_array_zero(r->arena, bool, most)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < c->n_attributes; i++)
        (*fixed)[i] = NONE;
    return COVEY_OK;
}

/* An atom of values that pass the attribute's part, or fail it; if there are none, any. */
static uint32_t find_atom(const covey_condition_attribute *a, bool passing)
{
    for (uint32_t atom = 0; atom < a->n_atoms; atom++)
        if ((a->passes[atom] & 1) == passing)
            return atom;
    return 0;
}

covey_status covey_i_rewrite_given(bool *never, covey_rewriting *r, const char *before, uint32_t attribute,
                                   bool passing, covey_error *err)
{
    const covey_condition *c = &r->query->condition;
    uint32_t *fixed;
    struct walk w;

    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    if (c->attribute[attribute].n_parts != 1)
        return covey_fail(err, COVEY_EINVAL,
                          "query: several tests of \"%s\" are rewritten only where they stand together; ask covey "
                          "query without --sql",
                          c->attribute[attribute].column->name);
    COVEY_TRY(check_size(r, err));
    fixed[attribute] = find_atom(&c->attribute[attribute], passing);
    *never = fold(&w, c->root) == IS_FALSE;
    if (!*never) {
        covey_i_text_add_string(&r->sql, before);
        add_condition(&w, fixed, true);
    }
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_rewrite_part(covey_rewriting *r, uint32_t attribute, covey_error *err)
{
    const covey_condition_attribute *a = &r->query->condition.attribute[attribute];
    uint32_t *fixed;
    struct walk w;

    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    for (uint32_t atom = 0; atom < a->n_atoms; atom++)
        w.wanted[atom] = a->passes[atom] & 1;
    covey_i_rewrite_can(r, a, w.wanted);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_rewrite_at(covey_rewriting *r, uint32_t attribute, uint32_t atom, covey_error *err)
{
    uint32_t *fixed;
    struct walk w;

    assert(r->release->form->quasi_is_exact);
    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    fixed[attribute] = atom;
    add_tree(&w, r->query->condition.root, true);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_rewrite_node(covey_rewriting *r, const covey_condition_node *node, bool want, covey_error *err)
{
    uint32_t *fixed;
    struct walk w;

    assert(r->release->form->quasi_is_exact);
    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    add_tree(&w, node, want);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_rewrite_atom(covey_rewriting *r, uint32_t attribute, uint32_t atom, covey_error *err)
{
    uint32_t *fixed;
    struct walk w;

    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    w.wanted[atom] = true;
    covey_i_rewrite_positions(r, &r->query->condition.attribute[attribute], w.wanted);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_rewrite_outcome(covey_rewriting *r, bool want, covey_error *err)
{
    const covey_condition *c = &r->query->condition;
    uint32_t *fixed;
    struct walk w;

    if (!c->root) {
        covey_i_text_add_string(&r->sql, want ? "1 = 1" : "1 = 0");
        return COVEY_OK;
    }
    COVEY_TRY(check_size(r, err));
    COVEY_TRY(begin_walk(&w, &fixed, r, err));
    add_condition(&w, fixed, want);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* ---- numbers and names ---- */

void covey_i_rewrite_unit(char out[32], int scale)
{
    int n = snprintf(out, 32, "%s", scale > 0 ? "1" : "");

    for (; scale > 0 && n < 30; scale--)
        out[n++] = '0';
    out[n] = '\0';
}

covey_status covey_i_rewrite_number(covey_rewriting *r, uint32_t column, const char *prefix, const char *name,
                                    covey_error *err)
{
    const covey_query_column *c = &r->release->column[column];
    char unit[32];

    COVEY_TRY(covey_i_rewrite_check_digits(r, c, err));
    covey_i_rewrite_unit(unit, c->type == COVEY_TYPE_DATE ? 0 : c->scale);
    covey_i_text_add_string(&r->sql, *unit ? "CAST(ROUND(" : "");
    covey_i_text_add_string(&r->sql, prefix);
    covey_i_rewrite_name(&r->sql, name ? name : c->name);
    covey_i_text_add_format(&r->sql, *unit ? " * %s) AS BIGINT)" : "%s", unit);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}

void covey_i_rewrite_units(covey_rewriting *r, const covey_bound_aggregate *a, bool upper, int64_t n_suppressed)
{
    const char *of = a->n_units != r->release->opened->units->n_units ? "persons" : "units";

    if (upper)
        covey_i_text_add_format(
            &r->sql, "(SELECT COALESCE(SUM(CASE WHEN either < %s THEN either ELSE %s END), 0) FROM held)", of, of);
    else
        covey_i_text_add_format(&r->sql,
                                "(SELECT COALESCE(SUM(CASE WHEN (sure + largest - 1) / largest > %s - size + sure\n"
                                "    THEN (sure + largest - 1) / largest ELSE %s - size + sure END), 0) FROM held)",
                                of, of);
    if (upper && n_suppressed > 0)
        covey_i_text_add_format(&r->sql, " + %" PRId64, n_suppressed);
}

void covey_i_rewrite_label(char name[32], const covey_rewriting *r, size_t aggregate, const char *end)
{
    static const char *const names[] = {"count", "sum", "avg", "min", "max", "count_distinct"};
    const covey_sql_function function = r->query->aggregate[aggregate].asked;
    int number = 1;

    for (size_t i = 0; i < aggregate; i++)
        number += r->query->aggregate[i].asked == function;
    if (number == 1)
        snprintf(name, 32, "%s_%s", names[function], end);
    else
        snprintf(name, 32, "%s_%s_%d", names[function], end, number);
}
