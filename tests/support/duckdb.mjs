// Runs the SQL on standard input by DuckDB's package for Node.js, where the command `duckdb` is not installed:
//     node duckdb.mjs FOLDER <FILE.sql     FOLDER has node_modules/@duckdb/node-api
// Prints the rows of each statement as CSV.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const {DuckDBInstance} = createRequire(`${process.argv[2]}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create()).connect();
const statements = await connection.extractStatements(readFileSync(0, 'utf8'));

for (let i = 0; i < statements.count; i++) {
    const rows = await (await statements.prepare(i)).runAndReadAll();
    console.log(rows.columnNames().join(','));
    for (const row of rows.getRows())
        console.log(row.join(','));
}
