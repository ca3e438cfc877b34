/* Every figure and table of the papers that are reproduced, by paper and in its order.  An experiment names those that
 * it shows (`figures` of covey_experiment: "Koudas09 Figure 5a; Koudas09 Figure 6a"), so that what nobody shows is
 * known.
 *
 * COVEY_FIGURE(paper, number, what it shows): data, to be measured again.  Panels with letters where they are
 * experiments of their own. COVEY_DRAWING: an example, a notation or a listing, in which nothing is measured.
 *
 * The copy of [Zhang07] here has lost the numbers of its figures, and [OverlappingSlicing] makes claims without
 * figures: both go by the words of their text. */

COVEY_DRAWING("Zhang07", "Table 1 to 4",
              "nine people, generalized, permuted, and a (k,e)-anonymous permutation; help tables")
COVEY_FIGURE("Zhang07", "arbitrary queries",
             "relative error of AVG against the number of tuples selected, generalization and permutation")
COVEY_FIGURE("Zhang07", "range queries",
             "relative error of AVG against the span of ages, generalization and permutation")
COVEY_FIGURE("Zhang07", "arbitrary queries, age alone",
             "the same with age the only quasi-identifier; described, left out for space")
COVEY_FIGURE("Zhang07", "range queries, age alone",
             "the same with age the only quasi-identifier; described, left out for space")
COVEY_FIGURE("Zhang07", "partitions, arbitrary queries", "relative error of four ways of partitioning")
COVEY_FIGURE("Zhang07", "partitions, range queries", "the same for ranges of ages; described, left out for space")
COVEY_FIGURE("Zhang07", "correlation", "relative error of range queries against the strength of correlation")
COVEY_FIGURE("Zhang07", "larger k", "relative error against k with e fixed; described, left out for space")
COVEY_FIGURE("Zhang07", "larger e", "relative error against e with k fixed; described, left out for space")
COVEY_FIGURE("Zhang07", "query overhead", "running time of rewritten queries against the original ones; described")

COVEY_DRAWING("Koudas09", "Figure 1", "an example table of employees")
COVEY_DRAWING("Koudas09", "Figure 2", "the example generalized and permuted")
COVEY_DRAWING("Koudas09", "Figure 3", "a hierarchy of salaries")
COVEY_DRAWING("Koudas09", "Figure 4", "the example generalized so that queries are answered badly")
COVEY_FIGURE("Koudas09", "Figure 5, Adult",
             "relative error of SA-only and QI-SA, with made-up values, against the range of ages: Adult")
COVEY_FIGURE("Koudas09", "Figure 5, uncorrelated", "the same: generated numbers that do not follow the age")
COVEY_FIGURE("Koudas09", "Figure 5, correlated", "the same: generated numbers that follow the age")
COVEY_FIGURE("Koudas09", "Figure 6, Adult",
             "relative error of SA-only with made-up values, a tenth of the rows removed: Adult")
COVEY_FIGURE("Koudas09", "Figure 6, generated", "the same: a generated table")
COVEY_FIGURE("Koudas09", "Figure 7", "relative error when the target is a normal distribution of varying variance")
COVEY_FIGURE("Koudas09", "Figure 8", "relative error when the target is a Zipf distribution of varying parameter")
COVEY_FIGURE("Koudas09", "Figure 9", "the same when quasi-identifiers and sensitive values are correlated")
COVEY_FIGURE("Koudas09", "Figure 10", "relative error with binary and ternary hierarchies")
COVEY_FIGURE("Koudas09", "Figure 11", "relative error with targets for 2 and 10 parts of Adult")
COVEY_FIGURE("Koudas09", "Figure 12", "relative error with targets for 2 and 10 parts of a generated table")
COVEY_FIGURE("Koudas09", "Figure 13", "running time of SA-only and QI-SA against the number of rows")

COVEY_DRAWING("CaoKarras12", "Table 1", "patient records")
COVEY_DRAWING("CaoKarras12", "Table 2", "notations")
COVEY_DRAWING("CaoKarras12", "Table 3", "the attributes of CENSUS: covey generate census has them")
COVEY_DRAWING("CaoKarras12", "Figure 1", "a hierarchy of diseases")
COVEY_DRAWING("CaoKarras12", "Figure 2", "two partitions of an example")
COVEY_DRAWING("CaoKarras12", "Figure 3", "a tree of class sizes")
COVEY_FIGURE("CaoKarras12", "Figure 4a", "beta achieved at the t-closeness of BUREL, against beta")
COVEY_FIGURE("CaoKarras12", "Figure 4b", "beta achieved at equal t, against t")
COVEY_FIGURE("CaoKarras12", "Figure 4c", "beta achieved at equal loss, against the loss")
COVEY_FIGURE("CaoKarras12", "Figure 5a", "information loss against beta")
COVEY_FIGURE("CaoKarras12", "Figure 5b", "running time against beta")
COVEY_FIGURE("CaoKarras12", "Figure 6a", "information loss against the number of quasi-identifiers")
COVEY_FIGURE("CaoKarras12", "Figure 6b", "running time against the number of quasi-identifiers")
COVEY_FIGURE("CaoKarras12", "Figure 7a", "information loss against the number of rows")
COVEY_FIGURE("CaoKarras12", "Figure 7b", "running time against the number of rows")
COVEY_FIGURE("CaoKarras12", "Figure 8a",
             "median relative error of queries against the number of their attributes: generalization")
COVEY_FIGURE("CaoKarras12", "Figure 8b", "the same against beta")
COVEY_FIGURE("CaoKarras12", "Figure 8c", "the same against the number of quasi-identifiers")
COVEY_FIGURE("CaoKarras12", "Figure 8d", "the same against the queries' selectivity")
COVEY_FIGURE("CaoKarras12", "Figure 9a",
             "median relative error of queries against the number of their attributes: perturbation")
COVEY_FIGURE("CaoKarras12", "Figure 9b", "the same against beta")
COVEY_FIGURE("CaoKarras12", "Figure 9c", "the same against the number of quasi-identifiers")
COVEY_FIGURE("CaoKarras12", "Figure 9d", "the same against the queries' selectivity")
COVEY_FIGURE("CaoKarras12", "Section 7, table", "t-closeness and l-diversity of BUREL's releases against beta")
COVEY_FIGURE("CaoKarras12", "Section 7, Naive Bayes",
             "what a Naive Bayes classifier guesses rightly from BUREL's releases; claimed without a figure")

COVEY_DRAWING("Hore07", "Figure 1", "one-dimensional and multidimensional partitions")
COVEY_DRAWING("Hore07", "Figure 2", "the finest partition of a plane")
COVEY_DRAWING("Hore07", "Figure 3", "splits that make a partition")
COVEY_DRAWING("Hore07", "Figure 4", "a tree that enumerates partitions")
COVEY_FIGURE("Hore07", "Figure 5", "greedy cost over the enumeration's: SimpleNormal")
COVEY_FIGURE("Hore07", "Figure 6", "the best cost over its lower bound: Adult")
COVEY_FIGURE("Hore07", "Figure 7", "the same: Coil")
COVEY_FIGURE("Hore07", "Figure 8", "greedy against enumeration with a minimum length: SimpleNormal")
COVEY_FIGURE("Hore07", "Figure 9", "the same: Adult")
COVEY_FIGURE("Hore07", "Figure 10", "the same: Coil")
COVEY_FIGURE("Hore07", "Figure 11", "greedy against enumeration with l-diversity: Adult")
COVEY_FIGURE("Hore07", "Section 4, priorities",
             "how soon each priority comes close to the optimum; claimed without a figure")
COVEY_FIGURE("Hore07", "Section 5, scalability",
             "time and closeness against the number of splits; claimed without a figure")

COVEY_DRAWING("OverlappingSlicing", "Table 1.1 to 1.5", "eight and nine patients, generalized and bucketized")
COVEY_DRAWING("OverlappingSlicing", "Figure 1.1", "a hierarchy of work classes")
COVEY_DRAWING("OverlappingSlicing", "Figure 2.1", "the listing of tuple-partition")
COVEY_DRAWING("OverlappingSlicing", "Figure 2.2", "the listing of overlap-slicing")
COVEY_FIGURE(
    "OverlappingSlicing", "Abstract, sensitive attribute",
    "learning the sensitive attribute: slicing against bucketization and generalization; claimed without a figure")
COVEY_FIGURE("OverlappingSlicing", "Abstract, other attributes", "learning another attribute; claimed without a figure")
COVEY_FIGURE("OverlappingSlicing", "Abstract, membership",
             "matching buckets of original and of fake tuples; claimed without a figure")
COVEY_FIGURE("OverlappingSlicing", "Section 2.1, time",
             "running time against the number of rows; claimed without a figure")
