# Clock cycles of a shuffle, by launch and method: Rscript methods.R results.csv
rows <- read.csv(commandArgs(trailingOnly = TRUE)[1])
shuffles <- subset(rows, status == "ok" & benchmark == "exchange" & op == "shuffle" & type == "u32")
shuffles$launch <- with(shuffles, paste(workgroup_count, "x", workgroup_size, "by", subgroup_size))
print(round(with(shuffles, tapply(cycles, list(launch, method), mean)), 2))
