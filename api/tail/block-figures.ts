/** Chart statistics of single blocks, which the pipeline stores. */
import { known } from '#runtime/known.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { type ActorKind, type Figures, figuresOfRow } from '../terms/figures.ts';

export type SampleName = 'interval' | 'value' | 'gas_price' | 'fee';

export interface Actor {
  readonly kind: ActorKind;
  /** Lower-case 0x hex. */
  readonly address: string;
}

export interface BlockFigures {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
  readonly figures: Figures;
  /** Wei; `interval`: seconds since the previous block. */
  readonly samples: Readonly<Record<SampleName, readonly bigint[]>>;
  readonly actors: readonly Actor[];
  /** The previous block is stored. */
  readonly isNext: boolean;
}

/** Returns the blocks from `from` to `to` (inclusive), lowest first. */
export async function readBlockFigures(
  database: Database,
  state: ChainState,
  from: number,
  to: number,
): Promise<BlockFigures[]> {
  const rows = await database.readBinary('live_blocks', {
    ...snapshotParameters(state),
    from_block: Math.max(0, from - 1),
    to_block: to,
  });
  const blocks = rows.map((row, i) => blockFigures(row, rows[i - 1]));
  return blocks.filter(({ number }) => number >= from);
}

/** Must compute the block interval like the SQL fragment paced_figures. */
function blockFigures(row: BinaryRowOf<'live_blocks'>, before: BinaryRowOf<'live_blocks'> | undefined): BlockFigures {
  const isNext = before !== undefined && Number(before.block_number) === Number(row.block_number) - 1;
  const samples = {
    interval: isNext && before.timestamp > 0 ? [BigInt(row.timestamp - before.timestamp)] : [],
    value: row.value_samples.map(BigInt),
    gas_price: row.gas_price_samples.map(BigInt),
    fee: row.fee_samples.map(BigInt),
  };
  const prices = findExtremes(samples.gas_price);
  const [interval = 0n] = samples.interval;
  return {
    number: Number(row.block_number),
    time: row.timestamp,
    figures: figuresOfRow({
      ...row,
      interval_count: samples.interval.length,
      interval_seconds: interval,
      interval_max: interval,
      // divides by 1 if the previous block has the same time
      peak_tps_milli: (BigInt(row.transaction_count) * 1000n) / (interval > 1n ? interval : 1n),
      gas_price_min: prices?.min,
      gas_price_max: prices?.max,
    }),
    samples,
    isNext,
    actors: row.actor_kinds.map((kind, i) => ({ kind, address: known(row.actors[i], 'the address of an actor') })),
  };
}

function findExtremes([first, ...others]: readonly bigint[]):
  | { readonly min: bigint; readonly max: bigint }
  | undefined {
  if (first === undefined) return undefined;
  let [min, max] = [first, first];
  for (const sample of others) {
    if (sample < min) min = sample;
    if (sample > max) max = sample;
  }
  return { min, max };
}
