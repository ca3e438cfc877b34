/* Included twice by metric_registry.c: for the externs, then for the table. */
COVEY_METRIC(ail)
COVEY_METRIC(ncp)
COVEY_METRIC(discernibility)
COVEY_METRIC(average_class_size)
COVEY_METRIC(smallest_class)
COVEY_METRIC(kl)
COVEY_METRIC(largest_risk)
COVEY_METRIC(mean_risk)
