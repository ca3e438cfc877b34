/* Included twice by method_registry.c: for the externs, then for the table. */
COVEY_METHOD(anatomy)
COVEY_METHOD(burel)
COVEY_METHOD(elastic)
COVEY_METHOD(full_domain)
COVEY_METHOD(ke_permutation)
COVEY_METHOD(mondrian)
COVEY_METHOD(peel)
COVEY_METHOD(sabre)
