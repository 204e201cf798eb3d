import test from 'ava';
import { chainTables, knotTables } from '#sql/chain-tables.ts';
import { callsOnCluster, localTable, onCluster, readOnCluster, shardingKey } from '#sql/compile/cluster.ts';
import { loadMigrations } from '#sql/compile/migrations.ts';
import { loadStatements } from '#sql/compile/statements.ts';
import { tokenize } from '#sql/compile/tokenize.ts';

const statements = loadMigrations().flatMap((migration) => migration.statements);
const made = statements.flatMap((statement) => onCluster(statement, 'c'));
const shape = (sql: string) => sql.replace(/^(?:--.*\n|\s)*/, '').replace(/\s+/g, ' ');

test('chain table becomes a replicated table on each shard and a distributed one', (t) => {
  const [local, front, ...more] = onCluster(
    'CREATE TABLE IF NOT EXISTS address_roles (address FixedString(20)) ENGINE = ReplacingMergeTree PARTITION BY 1 ORDER BY address',
    'c',
  );
  t.is(
    local,
    "CREATE TABLE IF NOT EXISTS address_roles_local ON CLUSTER 'c' (address FixedString(20)) ENGINE = " +
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') PARTITION BY 1 ORDER BY address",
  );
  t.is(
    front,
    "CREATE TABLE IF NOT EXISTS address_roles ON CLUSTER 'c' AS address_roles_local ENGINE = " +
      "Distributed('c', currentDatabase(), address_roles_local, cityHash64(address))",
  );
  t.deepEqual(more, []);
});

test('other tables are complete on every server and keep their engine arguments', (t) => {
  t.deepEqual(onCluster('CREATE TABLE tokens (a UInt8) ENGINE = ReplacingMergeTree(version) ORDER BY a', 'c'), [
    "CREATE TABLE tokens ON CLUSTER 'c' (a UInt8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}', version) ORDER BY a",
  ]);
  t.deepEqual(onCluster('CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null', 'c'), [
    "CREATE TABLE IF NOT EXISTS {table:Identifier} ON CLUSTER 'c' (held UInt8) ENGINE = Null",
  ]);
});

test('views read local rows and write to the distributed table; indexes apply to the local one; the rest stays', (t) => {
  t.deepEqual(onCluster('CREATE MATERIALIZED VIEW v TO swaps AS SELECT logs.a FROM logs WHERE b', 'c'), [
    "CREATE MATERIALIZED VIEW v ON CLUSTER 'c' TO swaps AS SELECT logs.a FROM logs_local AS logs WHERE b",
  ]);
  t.deepEqual(onCluster('ALTER TABLE blocks ADD INDEX i a TYPE minmax', 'c'), [
    "ALTER TABLE blocks_local ON CLUSTER 'c' ADD INDEX i a TYPE minmax",
  ]);
  t.is(onCluster('ALTER TABLE blocks ADD COLUMN a UInt8', 'c').length, 2);
  t.deepEqual(onCluster('ALTER TABLE tokens ADD COLUMN a UInt8', 'c'), ['ALTER TABLE tokens ADD COLUMN a UInt8']);
  t.deepEqual(onCluster("ALTER TABLE tokens MODIFY COMMENT 'a'", 'c'), [
    "ALTER TABLE tokens ON CLUSTER 'c' MODIFY COMMENT 'a'",
  ]);
  t.deepEqual(onCluster("ALTER TABLE blocks COMMENT COLUMN a 'b'", 'c'), [
    "ALTER TABLE blocks_local ON CLUSTER 'c' COMMENT COLUMN a 'b'",
    "ALTER TABLE blocks ON CLUSTER 'c' COMMENT COLUMN a 'b'",
  ]);
  t.deepEqual(onCluster('DROP TABLE IF EXISTS {table:Identifier} SYNC', 'c'), [
    "DROP TABLE IF EXISTS {table:Identifier} ON CLUSTER 'c' SYNC",
  ]);
  t.throws(() => onCluster('OPTIMIZE TABLE t', 'c'), { message: /not supported on a cluster/ });
});

test('rows that replace each other are on one shard, since the sharding key is part of the sorting key', (t) => {
  for (const table of [...chainTables, ...knotTables]) {
    const create = statements.find((statement) => shape(statement).startsWith(`CREATE TABLE ${table} `))!;
    const order = /\nORDER BY \(?([\w, ]+)/
      .exec(create)![1]!
      .split(', ')
      .map((column) => column.trim());
    const words = [...tokenize(shardingKey(table)!)].filter(({ kind }) => kind === 'word').map(({ text }) => text);
    for (const word of words.filter((name) => !['cityHash64', 'intDiv'].includes(name)))
      t.true(order.includes(word), table);
  }
});

test('no migration leaves a table on one server or a view on a distributed table', (t) => {
  const creates = made.filter((sql) => shape(sql).startsWith('CREATE TABLE'));
  t.true(creates.length > 50);
  for (const sql of creates)
    t.regex(
      shape(sql),
      /^CREATE TABLE (IF NOT EXISTS )?\S+ ON CLUSTER 'c' .*(Replicated\w*MergeTree\('\/clickhouse|= Distributed\()/,
    );
  const views = made.filter((sql) => shape(sql).startsWith('CREATE MATERIALIZED'));
  t.true(views.length >= 9);
  for (const view of views)
    for (const table of [...chainTables, ...knotTables]) t.notRegex(view, new RegExp(`FROM ${table}\\b`));
});

test('pipeline statements that change tables address the rows of every shard', (t) => {
  const drop = loadStatements().get('drop_partition')!;
  const [call] = callsOnCluster(drop.sql, { table: 'logs', block_number: 5 }, 'c');
  t.deepEqual(call!.parameters, { table: 'logs_local', block_number: 5 });
  t.regex(call!.sql.trim(), /^ALTER TABLE \{table:Identifier\} ON CLUSTER 'c' DROP PARTITION/);
  t.is(localTable('tokens'), 'tokens');
  t.is(readOnCluster('SELECT 1 FROM system.parts', 'c'), "SELECT 1 FROM clusterAllReplicas('c', system.parts)");
  for (const { sql } of loadStatements().values())
    if (/^\s*(ALTER|CREATE|DROP|INSERT)/.test(sql)) t.notThrows(() => callsOnCluster(sql, { table: 'logs' }, 'c'));
});
