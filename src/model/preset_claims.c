/* The claims of the presets (src/policy says where they come from). */
#include "model/preset_claims.h"

#include <string.h>

static const covey_preset_claim claims[] = {
    {.name = "cms11", .k = "11"},    {.name = "ema9", .k = "12"},       /* 1/0.09 = 11.1 */
    {.name = "ipc-low", .k = "12"},  {.name = "ipc-medium", .k = "14"}, /* 1/0.075 = 13.3 */
    {.name = "ipc-high", .k = "20"}, {.name = "hipaa-zip3", .oldest = "90"},
};

const covey_preset_claim *covey_i_preset_claim(const char *name)
{
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        if (strcmp(claims[i].name, name) == 0)
            return &claims[i];
    return NULL;
}
