-- The results of many machines, all/MACHINE.csv, as one Parquet file, and from it the clock cycles of a
-- shuffle, by sub-group size and method: duckdb < parquet.sql
COPY (
    FROM read_csv('all/*.csv', union_by_name = true, sample_size = -1)
    WHERE run_id IS NOT NULL -- not the manifest's rows
) TO 'all.parquet' (FORMAT parquet, COMPRESSION zstd);

PIVOT (
    FROM 'all.parquet'
    SELECT subgroup_size, method, cycles
    WHERE benchmark = 'exchange' AND op = 'shuffle' AND "type" = 'u32'
)
ON method USING round(median(cycles), 3) GROUP BY subgroup_size ORDER BY subgroup_size;
