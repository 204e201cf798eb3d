/**
 * Reads and runs an evaluation set for the search: a file with events (knots), queries, and the relevance of events to
 * a query. Each line is JSON of type meta, knot or query.
 */
import { readFileSync } from 'node:fs';
import { zeroAddress } from '#chain/codec/hex.ts';
import { encodeKnot, type Knot } from '#semantic/knot-rows.ts';
import { type SearchDeps, searchKnots } from '#semantic/search-knots.ts';
import { type Shape, shapeId } from '#semantic/shape.ts';
import { encodeShape } from '#semantic/shape-rows.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';

/** Event of the set. Amounts are in whole tokens. In a swap, token2 and amount2 are what the wallet received. */
export interface EvaluationKnot {
  readonly type: 'knot';
  readonly id: string;
  readonly wallet: string;
  readonly kind: string;
  readonly dir: Shape['direction'];
  readonly status: Shape['status'];
  readonly fail_reason: string;
  readonly token: string;
  readonly token_name: string;
  readonly token_class: string;
  readonly amount: number | null;
  readonly amount2: number | null;
  readonly token2: string | null;
  readonly token_id: number | string | null;
  readonly usd: number | null;
  readonly cp: string | null;
  readonly cp_label: string;
  readonly cp_cat: string;
  readonly method: string;
  readonly fee: number | null;
  readonly ts: number;
  readonly block: number;
  readonly tx: string;
  readonly log_index: number | null;
}

export interface EvaluationQuery {
  readonly type: 'query';
  readonly id: string;
  readonly wallet: string;
  readonly q: string;
  readonly tag: string;
  /** Relevance of events to the query, by event id: 2 relevant, 1 partly relevant. */
  readonly rel: Readonly<Record<string, number>>;
}

export interface EvaluationSet {
  readonly now: Date;
  readonly knots: readonly EvaluationKnot[];
  readonly queries: readonly EvaluationQuery[];
}

type Line = EvaluationKnot | EvaluationQuery | { readonly type: 'meta'; readonly now: string };

/** Reads an evaluation set. @throws Error if the line of type meta is missing */
export function readEvaluation(path: string): EvaluationSet {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
  const meta = lines.find((line) => line.type === 'meta');
  if (!meta)
    throw new Error(`${path}: the line with "type":"meta", which says what time the queries mean by now, is missing`);
  return {
    now: new Date(meta.now),
    knots: lines.filter((line) => line.type === 'knot'),
    queries: lines.filter((line) => line.type === 'query'),
  };
}

/** Other tokens have 18 decimals. */
const decimalsByToken: Readonly<Record<string, number>> = { USDC: 6, USDT: 6 };
const version = 1;

/**
 * Writes the events of the set to the database. The order of the set's lines defines the positions of its transactions.
 * @returns event ids of the set by `<wallet> <tx hash> <log index> <part>`
 */
export async function loadEvaluation(database: Database, { knots }: EvaluationSet): Promise<Map<string, string>> {
  const tokens = new Map(knots.map((knot) => [knot.token, knot]));
  const [knotRows, shapeRows] = [new RowWriter(), new RowWriter()];
  const ids = new Map<string, string>();
  const shapes = new Set<string>();
  const blocks = new Map<number, string[]>();
  for (const knot of knots) {
    const shape = toShape(knot, tokens);
    const id = shapeId(shape);
    if (!shapes.has(id)) encodeShape(shapeRows, shape, id);
    shapes.add(id);
    const place = `${knot.wallet} ${knot.tx} ${knot.log_index ?? -1}`;
    let part = 0;
    while (ids.has(`${place} ${part}`)) part++;
    ids.set(`${place} ${part}`, knot.id);
    const hashes = blocks.get(knot.block) ?? [];
    blocks.set(knot.block, hashes);
    if (!hashes.includes(knot.tx)) hashes.push(knot.tx);
    encodeKnot(knotRows, toKnot(knot, hashes.indexOf(knot.tx), part), shape, id, version);
  }
  await database.insertRowBinary('shapes', shapeRows.chunks);
  await database.insertRowBinary('knots', knotRows.chunks);
  return ids;
}

function toShape(knot: EvaluationKnot, tokens: ReadonlyMap<string, EvaluationKnot>): Shape {
  const second = knot.token2 ? tokens.get(knot.token2) : undefined;
  return {
    kind: knot.kind,
    direction: knot.dir,
    status: knot.status,
    failReason: knot.fail_reason ?? '',
    tokenSymbol: knot.token ?? '',
    tokenName: knot.token_name ?? '',
    tokenClass: knot.token_class ?? '',
    secondTokenSymbol: knot.token2 ?? '',
    secondTokenName: second?.token_name ?? '',
    secondTokenClass: second?.token_class ?? '',
    label: knot.cp_label ?? '',
    category: knot.cp_cat ?? '',
    method: knot.method ?? '',
  };
}

function toKnot(knot: EvaluationKnot, txIndex: number, part: number): Knot {
  const decimals = decimalsFor(knot.token, knot.token_class);
  const secondDecimals = decimalsFor(knot.token2 ?? '', '');
  return {
    wallet: knot.wallet,
    timestamp: knot.ts,
    blockNumber: knot.block,
    txIndex,
    part,
    txHash: knot.tx,
    logIndex: knot.log_index ?? -1,
    token: zeroAddress,
    amount: toUnits(knot.amount, decimals),
    decimals,
    secondToken: zeroAddress,
    secondAmount: toUnits(knot.amount2, secondDecimals),
    secondDecimals,
    tokenId: knot.token_id === null ? null : BigInt(knot.token_id),
    counterparty: knot.cp || zeroAddress,
    methodId: '0x00000000',
    feeWei: toUnits(knot.fee, 18),
    usd: knot.usd,
  };
}

function decimalsFor(symbol: string, tokenClass: string): number {
  return tokenClass === 'nft collection' ? 0 : (decimalsByToken[symbol] ?? 18);
}

function toUnits(amount: number | null, decimals: number): bigint {
  if (amount === null) return 0n;
  const [whole = '0', fraction = ''] = amount
    .toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    .split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** Runs all queries of a set. @returns ids of the events found, by query, best first */
export async function runEvaluation(
  deps: SearchDeps,
  { queries, now }: EvaluationSet,
  ids: ReadonlyMap<string, string>,
): Promise<Record<string, string[]>> {
  const run: Record<string, string[]> = {};
  for (const { id, wallet, q } of queries) {
    const { items } = await searchKnots(deps, { wallet, query: q, limit: 10, now });
    run[id] = items.map(({ record }) => {
      const { wallet: owner, tx_hash: hash, log_index: log, part } = record;
      return ids.get(`${owner} ${hash} ${log} ${part}`) ?? '';
    });
  }
  return run;
}
