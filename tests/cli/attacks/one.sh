covey attacks skewness
covey attacks --json skewness
fails 2 covey attacks skewed
