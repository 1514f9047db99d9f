# Clock cycles of a shuffle, by sub-group size and method: Rscript methods.R results.csv
rows <- read.csv(commandArgs(trailingOnly = TRUE)[1])
shuffles <- subset(rows, benchmark == "exchange" & op == "shuffle" & type == "u32")
print(round(with(shuffles, tapply(cycles, list(subgroup_size, method), mean)), 2))
