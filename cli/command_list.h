/* Included twice by main.c: for the externs, then for the table. The order is that of `covey --help`. */
CLI_COMMAND(inspect)
CLI_COMMAND(anonymize)
CLI_COMMAND(verify)
CLI_COMMAND(models)
CLI_COMMAND(methods)
CLI_COMMAND(formats)
CLI_COMMAND(completion)
