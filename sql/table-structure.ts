import { parseStatement } from './compile/statements.ts';

export type Structure = readonly { readonly name: string; readonly type: string }[];

export const tableStructure = parseStatement(
  'table_structure',
  `-- name:    table_structure
-- serves:  pipeline
-- returns: stored columns, in order
-- reads:   system.columns
-- budget:  10 s, 64 MiB, 1_000 rows
SELECT name, type
FROM system.columns
WHERE database = currentDatabase() AND table = {table:String} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')
ORDER BY position`,
);
