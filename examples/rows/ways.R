# Clock cycles of a shuffle, by sub-group size and way: Rscript ways.R results.csv
rows <- read.csv(commandArgs(trailingOnly = TRUE)[1])
shuffles <- subset(rows, benchmark == "exchange" & op == "shuffle" & type == "u32")
print(round(with(shuffles, tapply(cycles, list(subgroup_size, way), mean)), 2))
