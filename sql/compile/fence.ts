/**
 * Fencing of writes. A pipeline process claims a range of blocks. If another process stores a higher claim, the
 * database rejects writes of the first one, independent of clocks.
 */
import { includeFragments } from './load-sql.ts';
import { listColumns } from './table-columns.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

export interface Fence {
  parameters(): FenceParameters;
  onRefused(): void;
}

interface FenceParameters {
  readonly claim_kind: 'head' | 'range';
  readonly claim_number: number;
  readonly claim_worker: string;
  readonly claim_from: number;
  readonly claim_to: number;
  /** Table that exists while this process may store new blocks; empty if it stores older blocks. */
  readonly claim_marker: string;
}

export const refusal = 'another pipeline process has a higher claim';

const outranked = includeFragments('{{outranked}}');
const mayWrite = `throwIf(${outranked} > 0, '${refusal}') = 0`;
/** Fails without the marker table. Faster than counting higher claims for every new block. */
const mayLead = "hasColumnInTable(currentDatabase(), {claim_marker:String}, 'held') = 1";

/** Adds the check for higher claims to a statement. If there is one, an insert fails and a deletion matches no rows. */
export function fenceStatement(sql: string): string {
  if (sql.includes('{claim_marker:')) return sql;
  const tokens = [...tokenize(sql)];
  const first = tokens[0]?.text.toUpperCase();
  if (first === 'INSERT') return fenceInsertSelect(sql, tokens);
  if (first === 'ALTER' && tokens.some((token) => isWord(token, 'DELETE'))) return fenceDelete(sql, tokens);
  throw unfenceable('this kind of statement', sql);
}

/** Returns an insert of RowBinary data that fails after another process has taken over. */
export function fencedInsert(
  table: string,
  structure: readonly { name: string; type: string }[],
  { claim_kind }: Pick<FenceParameters, 'claim_kind'>,
): string {
  const columns = structure.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  const quoted = columns.replace(/[\\']/g, '\\$&');
  const into = `${table} ${listColumns(structure.map(({ name }) => name))}`;
  return `INSERT INTO ${into} SELECT * FROM input('${quoted}') WHERE ${claim_kind === 'head' ? mayLead : mayWrite} FORMAT RowBinary`;
}

function fenceInsertSelect(sql: string, tokens: readonly Token[]): string {
  const select = atDepth0(tokens).find((token) => isWord(token, 'SELECT') || isWord(token, 'WITH'));
  if (!select) throw unfenceable('an insert without SELECT', sql);
  const query = sql.slice(select.startIndex).trimEnd();
  return `${sql.slice(0, select.startIndex)}SELECT * FROM (\n${query}\n) WHERE ${mayWrite}`;
}

/** A deletion must not fail: ClickHouse would retry it forever and block later mutations. */
function fenceDelete(sql: string, tokens: readonly Token[]): string {
  const outer = atDepth0(tokens);
  const where = outer.find((token) => isWord(token, 'WHERE'));
  if (!where) throw unfenceable('a deletion without WHERE', sql);
  const end = outer.find((token) => isWord(token, 'SETTINGS'))?.startIndex ?? sql.length;
  const condition = sql.slice(where.endIndexExclusive, end).trim();
  return `${sql.slice(0, where.endIndexExclusive)} (${condition}) AND ${outranked} = 0 ${sql.slice(end)}`;
}

const unfenceable = (what: string, sql: string) =>
  new Error(`${what} can't be fenced (changed to fail if this process lost its claim): ${sql.slice(0, 80)}`);

function atDepth0(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (token.text === '(' || token.text === '{') depth++;
    if (token.text === ')' || token.text === '}') depth--;
    return depth === 0;
  });
}
