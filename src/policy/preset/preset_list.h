/* Included twice by preset_registry.c: for the externs, then for the table. */
COVEY_PRESET(cms11)
COVEY_PRESET(ema9)
COVEY_PRESET(ipc_low)
COVEY_PRESET(ipc_medium)
COVEY_PRESET(ipc_high)
COVEY_PRESET(hipaa_zip3)
