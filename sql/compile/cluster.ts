/**
 * Converts statements for a ClickHouse cluster. Tables with rows of blocks are sharded: `<name>_local` has the rows of
 * one shard, replicated in the shard. `<name>` is a Distributed table over all shards.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { getFirst } from '#runtime/lists.ts';
import { chainTables, knotTables } from '../chain-tables.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

/** Sharding keys. They put all rows of an account or token on one shard. */
const byBlock = 'intDiv(block_number, 1000)';
const ownKeys: Record<string, string> = {
  address_roles: 'cityHash64(address)',
  block_hashes: 'cityHash64(hash_prefix)',
  contract_creations: 'cityHash64(address)',
  knots: 'cityHash64(wallet)',
  logs_by_address: 'cityHash64(address)',
  shape_knots: 'cityHash64(shape_id)',
  swaps: 'cityHash64(pool)',
  token_transfers: 'cityHash64(token)',
  token_transfers_by_address: 'cityHash64(address)',
  transaction_hashes: 'cityHash64(hash_prefix)',
};

/**
 * Returns the sharding key of a table; undefined if every server has the complete table.
 * @invariant uses only columns of the sorting key, because a row must be on the shard of the row that it replaces
 */
export function shardingKey(table: string): string | undefined {
  const isSharded = [...chainTables, ...knotTables].some((name) => name === table);
  return isSharded ? (ownKeys[table] ?? byBlock) : undefined;
}

export const localTable = (table: string) => (shardingKey(table) === undefined ? table : `${table}_local`);

export const clusterSettings: ClickHouseSettings = {
  insert_quorum: 'auto',
  insert_quorum_timeout: 60_000,
  // lagging replicas refuse reads, because decisions need the newest rows
  select_sequential_consistency: '1',
  distributed_foreground_insert: 1,
  distributed_product_mode: 'global',
  // the subquery of a DELETE checks whether this process may write
  allow_nondeterministic_mutations: 1,
  distributed_ddl_task_timeout: '180',
};

/** Runs inserts into an unsharded table one at a time. Otherwise, reads would be inconsistent. */
export function insertOnCluster(table: string): { readonly insert_quorum_parallel: 0 | 1 } {
  return { insert_quorum_parallel: shardingKey(table) === undefined ? 0 : 1 };
}

/** @throws Error for an unsupported kind of statement (a bug) */
export function onCluster(statement: string, cluster: string): string[] {
  const tokens = [...tokenize(statement)];
  const [verb = '', object] = tokens.slice(0, 2).map(({ text }) => text.toUpperCase());
  const on = `ON CLUSTER ${quote(cluster)}`;
  if (verb === 'INSERT') return [statement];
  if (verb === 'CREATE' && object === 'TABLE') return createTable(statement, tokens, on, cluster);
  if (verb === 'CREATE' && object === 'OR') return [behindViewName(statement, tokens, on)];
  if (verb === 'CREATE' && object === 'DATABASE') return [behindName(statement, tokens, 2, on)];
  if (verb === 'DROP' && object === 'TABLE') return [behindName(statement, tokens, 2, on)];
  if (verb === 'CREATE' && object === 'MATERIALIZED') return [createView(statement, tokens, on)];
  if (['ALTER', 'TRUNCATE'].includes(verb) && object === 'TABLE') return alterTable(statement, tokens, on);
  throw new Error(`this kind of statement is not supported on a cluster: ${statement.slice(0, 80)}`);
}

/** Converts a statement. For ALTER, also converts the parameter `table` to the local table. */
export function callsOnCluster(
  sql: string,
  parameters: Record<string, unknown>,
  cluster: string,
): { sql: string; parameters: Record<string, unknown> }[] {
  const isAlter = /^\s*ALTER\b/i.test(sql);
  const named = isAlter && typeof parameters.table === 'string' ? { table: localTable(parameters.table) } : {};
  return onCluster(sql, cluster).map((text) => ({ sql: text, parameters: { ...parameters, ...named } }));
}

/** Makes a statement read the system tables of all servers. */
export function readOnCluster(sql: string, cluster: string): string {
  return sql.replace(
    /\bFROM system\.(parts|processes|mutations)\b/g,
    (_, table: string) => `FROM clusterAllReplicas(${quote(cluster)}, system.${table})`,
  );
}

function createTable(statement: string, tokens: readonly Token[], on: string, cluster: string): string[] {
  const [name] = nameAt(tokens, 2);
  if (name.text === '{') return [behindName(statement, tokens, 2, on)];
  const key = shardingKey(name.text);
  const local = replicated(putIn(statement, name, `${localTable(name.text)} ${on}`), key !== undefined);
  if (key === undefined) return [local];
  const start = statement.slice(getFirst(tokens).startIndex, name.startIndex);
  const front = `${start}${name.text} ${on} AS ${localTable(name.text)} ENGINE = Distributed(${quote(cluster)}, currentDatabase(), ${localTable(name.text)}, ${key})`;
  return [local, front];
}

function replicated(statement: string, isSharded: boolean): string {
  const tokens = [...tokenize(statement)];
  const at = tokens.findIndex((token, i) => isWord(token, 'ENGINE') && tokens[i + 1]?.text === '=') + 2;
  const engine = tokens[at];
  if (!engine) throw new Error(`CREATE TABLE without ENGINE: ${statement.slice(0, 80)}`);
  if (!engine.text.endsWith('MergeTree')) return statement; // other engines store no rows
  const [path, replica] = isSharded
    ? ['/clickhouse/tables/{shard}/{database}/{table}', '{replica}']
    : ['/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'];
  const bracket = tokens[at + 1]?.text === '(' ? tokens[at + 1] : undefined;
  const own = `Replicated${engine.text}('${path}', '${replica}'${bracket ? ', ' : ')'}`;
  return `${statement.slice(0, engine.startIndex)}${own}${statement.slice((bracket ?? engine).endIndexExclusive)}`;
}

/**
 * Makes a materialized view read inserts into the local table and write to the Distributed table. This is correct
 * because views process each source row separately.
 */
function createView(statement: string, tokens: readonly Token[], on: string): string {
  const [name] = nameAt(tokens, 3);
  let text = statement;
  for (const [i, token] of [...tokens.entries()].reverse()) {
    const isSource = token.kind === 'word' && isWord(tokens[i - 1], 'FROM') && shardingKey(token.text) !== undefined;
    if (isSource) text = putIn(text, token, `${localTable(token.text)} AS ${token.text}`);
  }
  return putIn(text, name, `${name.text} ${on}`);
}

/** Adds ON CLUSTER to `CREATE OR REPLACE VIEW name DEFINER = … AS SELECT …`. The view reads the Distributed tables. */
function behindViewName(statement: string, tokens: readonly Token[], on: string): string {
  const definer = tokens.find((token) => isWord(token, 'DEFINER'));
  if (!definer) throw new Error(`a view without DEFINER is not supported on a cluster: ${statement.slice(0, 80)}`);
  return putIn(statement, definer, `${on} ${definer.text}`);
}

function alterTable(statement: string, tokens: readonly Token[], on: string): string[] {
  const [name] = nameAt(tokens, 2);
  const isParameter = name.text === '{';
  const hasWords = (first: string, second: string) =>
    tokens.some((token, i) => isWord(token, second) && isWord(tokens[i - 1], first));
  const setsComments = hasWords('MODIFY', 'COMMENT') || hasWords('COMMENT', 'COLUMN');
  // unsharded tables replicate all changes except those of comments
  if (!isParameter && !setsComments && shardingKey(name.text) === undefined) return [statement];
  if (isParameter || shardingKey(name.text) === undefined) return [behindName(statement, tokens, 2, on)];
  const local = putIn(statement, name, `${localTable(name.text)} ${on}`);
  const changesBoth = setsComments || hasWords('ADD', 'COLUMN');
  return changesBoth ? [local, putIn(statement, name, `${name.text} ${on}`)] : [local];
}

function nameAt(tokens: readonly Token[], from: number): [first: Token, last: Token] {
  let at = from;
  while (['IF', 'NOT', 'EXISTS'].some((word) => isWord(tokens[at], word))) at++;
  const first = tokens[at];
  if (!first) throw new Error('the statement has no table name');
  const last = first.text === '{' ? tokens.slice(at).find(({ text }) => text === '}') : first;
  return [first, last ?? first];
}

function behindName(statement: string, tokens: readonly Token[], from: number, text: string): string {
  const [, last] = nameAt(tokens, from);
  return `${statement.slice(0, last.endIndexExclusive)} ${text}${statement.slice(last.endIndexExclusive)}`;
}

const putIn = (statement: string, token: Token, text: string) =>
  statement.slice(0, token.startIndex) + text + statement.slice(token.endIndexExclusive);

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
