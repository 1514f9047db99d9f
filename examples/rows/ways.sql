-- Clock cycles of a shuffle, by sub-group size and way, of results.csv: duckdb < ways.sql
PIVOT (
    FROM read_csv('results.csv')
    SELECT subgroup_size, way, cycles
    WHERE benchmark = 'exchange' AND op = 'shuffle' AND "type" = 'u32'
)
ON way USING round(avg(cycles), 2) GROUP BY subgroup_size ORDER BY subgroup_size;
