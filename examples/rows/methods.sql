-- Clock cycles of a shuffle, by sub-group size and method, of results.csv: duckdb < methods.sql
PIVOT (
    FROM read_csv('results.csv')
    SELECT subgroup_size, method, cycles
    WHERE benchmark = 'exchange' AND op = 'shuffle' AND "type" = 'u32'
)
ON method USING round(avg(cycles), 3) GROUP BY subgroup_size ORDER BY subgroup_size;
