/* Sampling weights as they are written: how many people of a population a row stands for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_impl.h"

bool covey_i_weight_read(double *out, const char *text)
{
    const size_t size = strspn(text, "0123456789.eE+-");
    char *end;

    *out = strtod(text, &end);
    return size > 0 && text[size] == '\0' && *end == '\0' && isfinite(*out) && *out > 0;
}
