/**
 * Last pass: takes a statement of the schema or one that writes or reads, gives those that do the same on a cluster. Tables of
 * the chain are cut into shards: the rows lie in `<name>_local`, replicated within the shard, and `<name>` is a Distributed
 * table before them. All other tables are whole on every server. Pure: no database is asked.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { firstOf } from '#runtime/lists.ts';
import { chainTables, knotTables } from '../chain-tables.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

/** What an account or a token is asked for lies on one shard; blocks go by the thousand. */
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
 * By which expression a table is cut into shards; undefined: it is whole everywhere.
 * @invariant made of columns of the table's sorting key alone, so that rows that replace each other meet on one shard
 */
export function shardingKey(table: string): string | undefined {
  const isSharded = [...chainTables, ...knotTables].some((name) => name === table);
  return isSharded ? (ownKeys[table] ?? byBlock) : undefined;
}

/** Where the rows of a table are on each server. */
export const localTable = (table: string) => (shardingKey(table) === undefined ? table : `${table}_local`);

/** Settings of every request to a cluster, by name. */
export const clusterSettings: ClickHouseSettings = {
  // an insert is answered when most replicas have it; of two: both
  insert_quorum: 'auto',
  insert_quorum_timeout: 60_000,
  // a replica that is behind catches up before it answers: claims and state are never read older than they are
  select_sequential_consistency: '1',
  distributed_foreground_insert: 1,
  // writes are keyed by content; the same block after a repair must go in again
  insert_deduplicate: 0,
  // a subquery over a sharded table is answered once and sent to the shards
  distributed_product_mode: 'global',
  // the claim of a worker in a deletion
  allow_nondeterministic_mutations: 1,
  distributed_ddl_task_timeout: '180',
};

/**
 * Settings of an insert. Rows of the chain are on both replicas of a shard when it is answered, so workers may insert side by
 * side; tables that are whole everywhere have more replicas than a majority, and reading them in order asks for one at a time.
 */
export function insertOnCluster(table: string): { readonly insert_quorum_parallel: 0 | 1 } {
  return { insert_quorum_parallel: shardingKey(table) === undefined ? 0 : 1 };
}

/**
 * One statement of a schema for a cluster.
 * @param cluster name, as in remote_servers of the servers' configuration
 * @returns what is to run instead, in this order
 * @throws Error for a kind of statement that has no form on a cluster: a fault of the program
 */
export function onCluster(statement: string, cluster: string): string[] {
  const tokens = [...tokenize(statement)];
  const [verb = '', object] = tokens.slice(0, 2).map(({ text }) => text.toUpperCase());
  const on = `ON CLUSTER ${quote(cluster)}`;
  if (verb === 'INSERT') return [statement];
  if (verb === 'CREATE' && object === 'TABLE') return createTable(statement, tokens, on, cluster);
  if (verb === 'CREATE' && object === 'DATABASE') return [behindName(statement, tokens, 2, on)];
  if (verb === 'DROP' && object === 'TABLE') return [behindName(statement, tokens, 2, on)];
  if (verb === 'CREATE' && object === 'MATERIALIZED') return [createView(statement, tokens, on)];
  if (['ALTER', 'TRUNCATE'].includes(verb) && object === 'TABLE') return alterTable(statement, tokens, on);
  throw new Error(`a statement has no form on a cluster: ${statement.slice(0, 80)}`);
}

/** A text and its parameters as they go to a cluster. @throws as onCluster */
export function callsOnCluster(
  sql: string,
  parameters: Record<string, unknown>,
  cluster: string,
): { sql: string; parameters: Record<string, unknown> }[] {
  const isAlter = /^\s*ALTER\b/i.test(sql);
  const named = isAlter && typeof parameters.table === 'string' ? { table: localTable(parameters.table) } : {};
  return onCluster(sql, cluster).map((text) => ({ sql: text, parameters: { ...parameters, ...named } }));
}

/** A reading statement on a cluster: what servers know of themselves is asked of all of them. */
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
  const start = statement.slice(firstOf(tokens).startIndex, name.startIndex);
  const front = `${start}${name.text} ${on} AS ${localTable(name.text)} ENGINE = Distributed(${quote(cluster)}, currentDatabase(), ${localTable(name.text)}, ${key})`;
  return [local, front];
}

/** The engine with its replication: within the shard, or over all servers. */
function replicated(statement: string, isSharded: boolean): string {
  const tokens = [...tokenize(statement)];
  const at = tokens.findIndex((token, i) => isWord(token, 'ENGINE') && tokens[i + 1]?.text === '=') + 2;
  const engine = tokens[at];
  if (!engine) throw new Error(`a table has no engine: ${statement.slice(0, 80)}`);
  if (!engine.text.endsWith('MergeTree')) return statement; // it keeps nothing
  const [path, replica] = isSharded
    ? ['/clickhouse/tables/{shard}/{database}/{table}', '{replica}']
    : ['/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'];
  const bracket = tokens[at + 1]?.text === '(' ? tokens[at + 1] : undefined;
  const own = `Replicated${engine.text}('${path}', '${replica}'${bracket ? ', ' : ')'}`;
  return `${statement.slice(0, engine.startIndex)}${own}${statement.slice((bracket ?? engine).endIndexExclusive)}`;
}

/**
 * A view reads what is inserted into the rows of its own server and writes to the front of its target, which sends each row
 * to its shard. Views here make rows of single rows, so a shard need not see the rest of the block.
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

function alterTable(statement: string, tokens: readonly Token[], on: string): string[] {
  const [name] = nameAt(tokens, 2);
  // a parameter, or the rows of every shard; a table that is whole everywhere passes it on to its replicas by itself
  const isParameter = name.text === '{';
  if (!isParameter && shardingKey(name.text) === undefined) return [statement];
  if (isParameter) return [behindName(statement, tokens, 2, on)];
  const local = putIn(statement, name, `${localTable(name.text)} ${on}`);
  const addsColumn = tokens.some((token, i) => isWord(token, 'COLUMN') && isWord(tokens[i - 1], 'ADD'));
  return addsColumn ? [local, putIn(statement, name, `${name.text} ${on}`)] : [local];
}

/** The name behind the first keywords, `IF [NOT] EXISTS` left out; of `{name:Identifier}` its first and last token. */
function nameAt(tokens: readonly Token[], from: number): [first: Token, last: Token] {
  let at = from;
  while (['IF', 'NOT', 'EXISTS'].some((word) => isWord(tokens[at], word))) at++;
  const first = tokens[at];
  if (!first) throw new Error('a statement names nothing');
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
