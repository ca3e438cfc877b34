/* Finding a column among those that are published. */
#include <string.h>

#include "problem/problem.h"

const covey_field *covey_i_problem_field(const covey_problem *problem, const char *name)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (strcmp(problem->field[f].column->name, name) == 0)
            return &problem->field[f];
    return NULL;
}

const covey_field *covey_i_problem_field_of(const covey_problem *problem, size_t axis)
{
    size_t f = 0;

    while (problem->field[f].axis != (int)axis)
        f++;
    return &problem->field[f];
}
