/**
 * Fifth pass, the fence around a worker: takes a statement that writes, gives it with the worker's claim in it. The database
 * refuses it once a higher claim is stored; nothing that a worker decides by its own clock is needed for that.
 */
import { includeFragments } from './load-sql.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

/** A claim as statements carry it. */
export interface Fence {
  /** Values of the fragment `outranked`, as they are now. */
  parameters(): FenceParameters;
  /** Called when the database has refused a statement for it. */
  onRefused(): void;
}

interface FenceParameters {
  readonly claim_kind: 'head' | 'range';
  readonly claim_number: number;
  readonly claim_worker: string;
  readonly claim_from: number;
  readonly claim_to: number;
  /** Table that is there as long as a claim to the head stands; empty of other claims. */
  readonly claim_marker: string;
}

/** What the database says where a claim is outranked. */
export const refusal = 'the claim of this worker is outranked';

const outranked = includeFragments('{{outranked}}');
const mayWrite = `throwIf(${outranked} > 0, '${refusal}') = 0`;
/** Of the head: looked up instead of counted, which a block on its way to its readers waits for. Fails where there is no such table. */
const mayLead = "hasColumnInTable(currentDatabase(), {claim_marker:String}, 'held') = 1";

/**
 * The statement with the claim in it: an insert fails where the claim is outranked, a mutation then finds no rows. A
 * statement that names `claim_marker` itself stays as it is.
 * @throws Error for a kind of statement that can't be fenced: a fault of the program
 */
export function fenceStatement(sql: string): string {
  if (sql.includes('{claim_marker:')) return sql;
  const tokens = [...tokenize(sql)];
  const first = tokens[0]?.text.toUpperCase();
  if (first === 'INSERT') return fenceInsertSelect(sql, tokens);
  if (first === 'ALTER' && tokens.some((token) => isWord(token, 'DELETE'))) return fenceDelete(sql, tokens);
  throw new Error(`a statement can't be fenced: ${sql.slice(0, 80)}`);
}

/**
 * Insert of rows that follow as RowBinary.
 * @param structure of the table: names and types, as DESCRIBE has them
 */
export function fencedInsert(
  table: string,
  structure: readonly { name: string; type: string }[],
  { claim_kind }: Pick<FenceParameters, 'claim_kind'>,
): string {
  const columns = structure.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  const quoted = columns.replace(/[\\']/g, '\\$&');
  return `INSERT INTO ${table} SELECT * FROM input('${quoted}') WHERE ${claim_kind === 'head' ? mayLead : mayWrite} FORMAT RowBinary`;
}

/** `INSERT INTO t (…) SELECT …` selects from its own SELECT under the condition. */
function fenceInsertSelect(sql: string, tokens: readonly Token[]): string {
  const select = atDepth0(tokens).find((token) => isWord(token, 'SELECT') || isWord(token, 'WITH'));
  if (!select) throw new Error(`an insert without SELECT can't be fenced: ${sql.slice(0, 80)}`);
  const query = sql.slice(select.startIndex).trimEnd();
  return `${sql.slice(0, select.startIndex)}SELECT * FROM (\n${query}\n) WHERE ${mayWrite}`;
}

/** A mutation that throws would be tried for ever and hold up those behind it: it finds no rows instead. */
function fenceDelete(sql: string, tokens: readonly Token[]): string {
  const outer = atDepth0(tokens);
  const where = outer.find((token) => isWord(token, 'WHERE'));
  if (!where) throw new Error(`a deletion without WHERE can't be fenced: ${sql.slice(0, 80)}`);
  const end = outer.find((token) => isWord(token, 'SETTINGS'))?.startIndex ?? sql.length;
  const condition = sql.slice(where.endIndexExclusive, end).trim();
  return `${sql.slice(0, where.endIndexExclusive)} (${condition}) AND ${outranked} = 0 ${sql.slice(end)}`;
}

/** Tokens outside of all brackets. */
function atDepth0(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (token.text === '(' || token.text === '{') depth++;
    if (token.text === ')' || token.text === '}') depth--;
    return depth === 0;
  });
}
