-- Clock cycles of a shuffle, by launch and method, of results.csv: duckdb < methods.sql
PIVOT (
    FROM read_csv('results.csv')
    SELECT workgroup_count, workgroup_size, subgroup_size, method, cycles
    WHERE status = 'ok' AND benchmark = 'exchange' AND op = 'shuffle' AND "type" = 'u32'
)
ON method USING round(any_value(cycles), 3) GROUP BY workgroup_count, workgroup_size, subgroup_size
ORDER BY workgroup_count, workgroup_size, subgroup_size;
