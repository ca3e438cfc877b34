/* Parameters that covey's documents use and this version does not have: "is not built yet" is another answer than "unknown".
 * The method's own list wins: a name that has come there since is built, whatever stands here. */
#include "policy/policy_impl.h"

#include <string.h>

struct param_name {
    const char *owner, *name;
};

static const struct param_name unbuilt_method_params[] = {
    {NULL, NULL}, /* all are built; a name that a document has before the code stands above this line */
};

bool covey_i_is_unbuilt_method_param(const char *method, const char *name)
{
    for (size_t i = 0; unbuilt_method_params[i].owner; i++)
        if ((!method || strcmp(unbuilt_method_params[i].owner, method) == 0) && strcmp(unbuilt_method_params[i].name, name) == 0)
            return true;
    return false;
}
