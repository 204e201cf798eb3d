import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import { distinctBy, groupBy } from '#runtime/lists.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import type { JobSettings } from '../jobs/job-settings.ts';
import { type Asset, nativeAsset, tokenAsset } from './asset.ts';
import { decodeLogTransfers } from './derive-knots.ts';
import type { KnotFacts, KnotLog, KnotTransaction } from './knot.ts';
import { knotTopics } from './known-events.ts';

export interface FactDeps extends StoreDeps, NodeDeps {
  readonly settings: Pick<JobSettings, 'nativeCoin'>;
}

export interface BlockWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface WindowRows {
  readonly transactions: readonly KnotTransaction[];
  /** Logs by transaction, as `block:index`. */
  readonly logsByTransaction: ReadonlyMap<string, readonly KnotLog[]>;
}

/** Maximum failed calls per block range to run again for their failure reasons. */
const maxFailedCalls = 20;
/** Maximum failed calls per block range to search for those without a stored reason. */
const maxListedCalls = 1_000;
const maxGas = 5_000_000n;
const maxReason = 120;
const topics = knotTopics.map(hexDigits);

export async function readWindow(deps: StoreDeps, { fromBlock, toBlock }: BlockWindow): Promise<WindowRows> {
  const { database } = deps;
  const bounds = { from_block: fromBlock, to_block: toBlock };
  const [transactions, logs] = await Promise.all([
    database.readBinary('knot_transactions', bounds),
    database.readBinary('knot_logs', { ...bounds, topics }),
  ]);
  // repeated inserts leave duplicate rows
  const each = distinctBy(logs, (log) => `${log.block_number}:${log.log_index}`);
  return { transactions: distinctBy(transactions, toPlaceKey), logsByTransaction: groupBy(each, toPlaceKey) };
}

export function movingTokens({ logsByTransaction }: WindowRows): Set<string> {
  const logs = [...logsByTransaction.values()].flat();
  return new Set(logs.filter((log) => decodeLogTransfers(log).length > 0).map(({ address }) => address));
}

export const toPlaceKey = (row: { readonly block_number: string; readonly tx_index: number }): string =>
  `${row.block_number}:${row.tx_index}`;

/**
 * Reads tokens and failure reasons for wallet events.
 * @param moving contracts that transferred tokens
 * @param isRenamed the events are stored already: use their failure reasons
 * @returns undefined until all names of these tokens are read
 */
export async function readFacts(
  deps: FactDeps,
  { fromBlock, toBlock }: BlockWindow,
  moving: ReadonlySet<string>,
  isRenamed: boolean,
): Promise<KnotFacts | undefined> {
  const { database, settings } = deps;
  const bounds = { from_block: fromBlock, to_block: toBlock };
  const coin = settings.nativeCoin ?? { symbol: 'FAT', name: 'FAT' };
  const tokens = await database.read('knot_tokens', { ...bounds, topics });
  // names of contracts without token transfers are never read
  if (tokens.some((token) => token.is_asked === 0 && moving.has(token.address))) return undefined;
  const assets = new Map<string, Asset>(tokens.map((token) => [token.address, tokenAsset(token, coin.symbol)]));
  const reasons = await readFailReasons(deps, bounds, isRenamed);
  return {
    native: nativeAsset(coin.symbol, coin.name),
    wrapped: settings.nativeCoin?.wrapped,
    getToken: (address) => assets.get(address) ?? tokenAsset({ ...unknownToken, address }, coin.symbol),
    getFailReason: (hash) => reasons.get(hash) ?? '',
  };
}

const unknownToken = { standard: 'unknown' as const, name: null, symbol: null, decimals: null };

/** Reads stored failure reasons. For others, repeats calls on the state before their block. */
async function readFailReasons(
  deps: StoreDeps & NodeDeps,
  bounds: { from_block: number; to_block: number },
  isRenamed: boolean,
): Promise<Map<string, string>> {
  // prefer stored reasons: nodes may have pruned the state, and few calls per range are repeated
  const stored = isRenamed ? await deps.database.read('stored_fail_reasons', bounds) : [];
  const reasons = new Map(stored.map(({ hash, reason }) => [hash, reason]));
  const calls = await deps.database.readBinary('knot_failed_calls', {
    ...bounds,
    limit: Math.min(maxFailedCalls + reasons.size, maxListedCalls),
  });
  for (const call of calls.filter(({ hash }) => !reasons.has(hash)).slice(0, maxFailedCalls)) {
    const reason = await readReason(deps, call);
    if (reason !== undefined) reasons.set(call.hash, reason);
  }
  return reasons;
}

async function readReason(
  { client, signal }: NodeDeps,
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

function plainReason(text: string): string {
  return text
    .slice(0, 4 * maxReason)
    .replace(/\p{C}/gu, ' ')
    .replace(/0x[0-9a-fA-F]+|\d+/g, '#')
    .slice(0, maxReason);
}
