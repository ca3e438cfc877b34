# A first word that several commands share lists them.
covey help hierarchy
covey hierarchy --help | cmp - <(covey help hierarchy)
