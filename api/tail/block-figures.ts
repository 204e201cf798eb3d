/** What blocks add to figures, as the pipeline has worked it out. */
import { known } from '#runtime/known.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { type ActorKind, type Figures, figuresOfRow } from '../terms/figures.ts';

export type SampleName = 'interval' | 'value' | 'gas_price' | 'fee';

export interface Actor {
  readonly kind: ActorKind;
  /** 0x and 40 hex digits, lower case. */
  readonly address: string;
}

export interface BlockFigures {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
  /** As of a bucket of this block alone; actors and ranks are left out. */
  readonly figures: Figures;
  /** What ranks are of; wei, and seconds since the block before. */
  readonly samples: Readonly<Record<SampleName, readonly bigint[]>>;
  /** Who took which part, each once. */
  readonly actors: readonly Actor[];
}

/** Visible blocks from one to another, both inclusive, lowest first. */
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

/** @param before the row in front of it: the time since that block is worked out here, as the relation paced_figures does it */
function blockFigures(row: BinaryRowOf<'live_blocks'>, before: BinaryRowOf<'live_blocks'> | undefined): BlockFigures {
  const isNext = before !== undefined && Number(before.block_number) === Number(row.block_number) - 1;
  const samples = {
    interval: isNext ? [BigInt(row.timestamp - before.timestamp)] : [],
    value: row.value_samples.map(BigInt),
    gas_price: row.gas_price_samples.map(BigInt),
    fee: row.fee_samples.map(BigInt),
  };
  const prices = extremesOf(samples.gas_price);
  const [interval = 0n] = samples.interval;
  return {
    number: Number(row.block_number),
    time: row.timestamp,
    figures: figuresOfRow({
      ...row,
      interval_count: samples.interval.length,
      interval_seconds: interval,
      interval_max: interval,
      // a block lasts at least a second
      peak_tps_milli: (BigInt(row.transaction_count) * 1000n) / (interval > 1n ? interval : 1n),
      gas_price_min: prices?.least,
      gas_price_max: prices?.most,
    }),
    samples,
    actors: row.actor_kinds.map((kind, i) => ({ kind, address: known(row.actors[i], 'the address of a part') })),
  };
}

/** Undefined of no samples. */
function extremesOf([first, ...others]: readonly bigint[]):
  | { readonly least: bigint; readonly most: bigint }
  | undefined {
  if (first === undefined) return undefined;
  let [least, most] = [first, first];
  for (const sample of others) {
    if (sample < least) least = sample;
    if (sample > most) most = sample;
  }
  return { least, most };
}
