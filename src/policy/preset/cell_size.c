/* Presets that are a smallest class: rules of data holders about cell sizes, or about the largest probability of a
 * re-identification. Under prosecutor risk a member of a class of k rows is found with probability 1/k, so that a
 * largest risk r asks for k >= 1/r. */
#include "policy/preset/preset_impl.h"

const covey_preset covey_preset_cms11 = {
    .name = "cms11",
    .summary = "no class of fewer than 11 rows: the cell size rule of US Medicare data (k-anonymity with k = 11)",
    .source = "CMS Cell Size Suppression Policy: no cell of 10 or less",
};

const covey_preset covey_preset_ema9 = {
    .name = "ema9",
    .summary = "largest re-identification risk 0.09, as for clinical reports in the EU (k-anonymity with k = 12)",
    .source = "EMA Policy 0070, external guidance, section 3: threshold 0.09",
};

const covey_preset covey_preset_ipc_low = {
    .name = "ipc-low",
    .summary = "largest re-identification risk 0.09, low invasion of privacy (k-anonymity with k = 12)",
    .source = "IPC Ontario, De-identification Guidelines for Structured Data (2016), risk thresholds",
};

const covey_preset covey_preset_ipc_medium = {
    .name = "ipc-medium",
    .summary = "largest re-identification risk 0.075, medium invasion of privacy (k-anonymity with k = 14)",
    .source = "IPC Ontario, De-identification Guidelines for Structured Data (2016), risk thresholds",
};

const covey_preset covey_preset_ipc_high = {
    .name = "ipc-high",
    .summary = "largest re-identification risk 0.05, high invasion of privacy (k-anonymity with k = 20)",
    .source = "IPC Ontario, De-identification Guidelines for Structured Data (2016), risk thresholds",
};
