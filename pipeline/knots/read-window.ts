/** Rows of a window of settled blocks, and what is known of the tokens in it. */

import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import { distinctBy, groupBy } from '#runtime/lists.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { PipelineDeps } from '../deps.ts';
import { type Asset, nativeAsset, tokenAsset } from './asset.ts';
import { transfersOf } from './derive-knots.ts';
import type { KnotFacts, KnotLog, KnotTransaction } from './knot.ts';
import { knotTopics } from './known-events.ts';

export interface BlockWindow {
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface WindowRows {
  readonly transactions: readonly KnotTransaction[];
  /** By transaction: `block:index`. */
  readonly logsOf: ReadonlyMap<string, readonly KnotLog[]>;
}

/** Failed calls of one window that are asked why; reasons of more are left open. */
const maxFailedCalls = 20;
/** Gas that finding out may burn at most. */
const maxGas = 5_000_000n;
/** Longest reason that is kept, characters. */
const maxReason = 120;
const topics = knotTopics.map(hexDigits);

export async function readWindow(deps: PipelineDeps, { fromBlock, toBlock }: BlockWindow): Promise<WindowRows> {
  const { database } = deps;
  const bounds = { from_block: fromBlock, to_block: toBlock };
  const [transactions, logs] = await Promise.all([
    database.readBinary('knot_transactions', bounds),
    database.readBinary('knot_logs', { ...bounds, topics }),
  ]);
  // an insert that was repeated leaves doubles
  const each = distinctBy(logs, (log) => `${log.block_number}:${log.log_index}`);
  return { transactions: distinctBy(transactions, placeOf), logsOf: groupBy(each, placeOf) };
}

/** Contracts whose logs move tokens. */
export function movingTokens({ logsOf }: WindowRows): Set<string> {
  const logs = [...logsOf.values()].flat();
  return new Set(logs.filter((log) => transfersOf(log).length > 0).map(({ address }) => address));
}

export const placeOf = (row: { readonly block_number: string; readonly tx_index: number }): string =>
  `${row.block_number}:${row.tx_index}`;

/**
 * @param moving contracts that moved tokens in the window
 * @returns undefined while one of them was not asked for its name yet
 */
export async function readFacts(
  deps: PipelineDeps,
  { fromBlock, toBlock }: BlockWindow,
  moving: ReadonlySet<string>,
): Promise<KnotFacts | undefined> {
  const { database, settings } = deps;
  const bounds = { from_block: fromBlock, to_block: toBlock };
  const coin = settings.nativeCoin ?? { symbol: 'FAT', name: 'FAT' };
  const tokens = await database.read('knot_tokens', { ...bounds, topics });
  // contracts that moved tokens are asked sooner or later; others emit events of these names and never are
  if (tokens.some((token) => token.is_asked === 0 && moving.has(token.address))) return undefined;
  const assets = new Map<string, Asset>(tokens.map((token) => [token.address, tokenAsset(token, coin.symbol)]));
  const reasons = await readFailReasons(deps, bounds);
  return {
    native: nativeAsset(coin.symbol, coin.name),
    tokenOf: (address) => assets.get(address) ?? tokenAsset({ ...unknownToken, address }, coin.symbol),
    failReasonOf: (hash) => reasons.get(hash) ?? '',
  };
}

const unknownToken = { standard: 'unknown' as const, name: null, symbol: null, decimals: null };

/** Asks the node to run failed calls again on the state before their block; a node without that state says nothing. */
async function readFailReasons(
  deps: PipelineDeps,
  bounds: { from_block: number; to_block: number },
): Promise<Map<string, string>> {
  const calls = await deps.database.readBinary('knot_failed_calls', { ...bounds, limit: maxFailedCalls });
  const reasons = new Map<string, string>();
  for (const call of calls) {
    const reason = await reasonOf(deps, call);
    if (reason !== undefined) reasons.set(call.hash, reason);
  }
  return reasons;
}

async function reasonOf(
  { client, signal }: PipelineDeps,
  call: BinaryRowOf<'knot_failed_calls'>,
): Promise<string | undefined> {
  const { from, to, input } = call;
  const limit = BigInt(call.gas_limit);
  const [value, gas] = [toQuantity(BigInt(call.value)), toQuantity(limit < maxGas ? limit : maxGas)];
  const at = toQuantity(Math.max(0, Number(call.block_number) - 1));
  try {
    await client.call('eth_call', [{ from, to, value, gas, data: input }, at], { retries: 0, signal });
    return undefined;
  } catch (error) {
    if (!(error instanceof NodeError) || !/revert|invalid|out of gas|stack/i.test(error.message)) return undefined;
    const text = error.message.replace(/^eth_call: /, '').replace(/ \(-?\d+\)$/, '');
    return plainReason(text);
  }
}

/** Without control characters and without numbers: what differs in an amount or an id alone is one reason. */
function plainReason(text: string): string {
  return text
    .slice(0, 4 * maxReason)
    .replace(/\p{C}/gu, ' ')
    .replace(/0x[0-9a-fA-F]+|\d+/g, '#')
    .slice(0, maxReason);
}
