# Clock cycles of a shuffle, by sub-group size and method: python3 methods.py results.csv
import sys

import pandas

rows = pandas.read_csv(sys.argv[1])
shuffles = rows[(rows.benchmark == "exchange") & (rows.op == "shuffle") & (rows.type == "u32")]
print(shuffles.pivot_table(values="cycles", index="subgroup_size", columns="method").round(2))
