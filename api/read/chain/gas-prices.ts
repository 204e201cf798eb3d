import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { BlockRows } from '../../tail/block-rows.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import { firstOfNewest } from './block-window.ts';
import { indexInfo } from './freshness.ts';

const windowBlocks = 200;

export type FeeRecord = RowOf<'recent_fees'>;

const shownRatios = 20;

const getFeeCache = perDatabase(
  (database) =>
    new BlockRows<FeeRecord>({
      read: (state, from_block) => database.read('recent_fees', { ...snapshotParameters(state), from_block }),
      getNumber: ({ block_number }) => Number(block_number),
    }),
);

const levels = { slow: 0, average: 1, fast: 2 } as const;

/** Returns the first block from which gas prices are computed. */
export const firstGasBlock = (state: ChainState): number => firstOfNewest(state, windowBlocks);

/** Computes gas prices from priority fees (tips) in recent blocks. */
export async function readGasPrices(deps: StoreDeps & CoverageDeps, state: ChainState) {
  const oldest = firstGasBlock(state);
  const rows = await getFeeCache(deps.database).of(
    state,
    () => oldest,
    (row) => Number(row.block_number) >= oldest,
  );
  const last = rows.at(-1);
  const next = last ? nextBaseFee(last) : null;
  const price = (rank: number) => {
    const tip = medianTip(rows, rank);
    return {
      maxPriorityFeePerGas: tip.toString(),
      maxFeePerGas: (2n * (next ?? 0n) + tip).toString(),
      estSeconds: secondsToInclusion(rows, tip),
    };
  };
  const gasPrices = {
    lastBlock: state.head,
    baseFee: last?.base_fee ?? null,
    nextBaseFee: next?.toString() ?? null,
    slow: price(levels.slow),
    average: price(levels.average),
    fast: price(levels.fast),
    gasUsedRatio: rows.slice(-shownRatios).map((row) => ratio(row)),
    window: { blocks: rows.length, transactions: rows.reduce((sum, row) => sum + Number(row.transactions), 0) },
    index: indexInfo(deps, state),
  };
  return { gasPrices, rows };
}

/** Gas of a coin transfer. @source Ethereum yellow paper, G_transaction */
const transferGas = 21_000;

/**
 * Returns the mean time until a block accepts a tip, s. A full block accepts its own lowest tip. A block with free gas
 * accepts the lowest tip of all sampled blocks.
 * @returns null if no block has a transaction, or no block except the oldest accepts the tip
 */
export function secondsToInclusion(rows: readonly FeeRecord[], tip: bigint): number | null {
  const lowest = rows.flatMap(({ lowest_tip }) => (lowest_tip === null ? [] : [BigInt(lowest_tip)]));
  const floor = lowest.reduce<bigint | null>((least, each) => (least === null || each < least ? each : least), null);
  if (floor === null || tip < floor) return null;
  const accepts = (row: FeeRecord) =>
    Number(row.gas_limit) - Number(row.gas_used) >= transferGas ||
    (row.lowest_tip !== null && tip >= BigInt(row.lowest_tip));
  let [seconds, count, acceptedAt] = [0, 0, undefined as number | undefined];
  for (const row of rows.toReversed()) {
    if (acceptedAt !== undefined) [seconds, count] = [seconds + acceptedAt - row.time, count + 1];
    if (accepts(row)) acceptedAt = row.time;
  }
  return count === 0 ? null : Math.round((1000 * seconds) / count) / 1000;
}

const ratio = (row: FeeRecord) => (row.gas_limit === '0' ? 0 : Number(row.gas_used) / Number(row.gas_limit));

/** @source EIP-1559 */
function nextBaseFee(block: Pick<FeeRecord, 'base_fee' | 'gas_used' | 'gas_limit'>): bigint | null {
  if (block.base_fee === null) return null;
  const [base, used, target] = [BigInt(block.base_fee), BigInt(block.gas_used), BigInt(block.gas_limit) / 2n];
  if (target === 0n || used === target) return base;
  if (used < target) return base - (base * (target - used)) / target / 8n;
  const up = (base * (used - target)) / target / 8n;
  return base + (up > 1n ? up : 1n);
}

function medianTip(rows: readonly FeeRecord[], rank: number): bigint {
  const tips = rows.filter((row) => row.transactions !== '0').map((row) => BigInt(row.tips_at_ranks[rank] ?? '0'));
  tips.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return tips[Math.floor(tips.length / 2)] ?? 0n;
}
