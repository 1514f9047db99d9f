# Clock cycles of a shuffle, by launch and method: python3 methods.py results.csv
import sys

import pandas

rows = pandas.read_csv(sys.argv[1])
rows = rows[(rows.status == "ok") & (rows.benchmark == "exchange")]
shuffles = rows[(rows.op == "shuffle") & (rows.type == "u32")]
launch = ["workgroup_count", "workgroup_size", "subgroup_size"]
print(shuffles.pivot_table(values="cycles", index=launch, columns="method").round(2).to_string())
