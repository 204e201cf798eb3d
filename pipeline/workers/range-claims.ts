/**
 * A range claim reserves blocks for one worker, to avoid duplicate work. The database rejects writes of an outdated
 * claim, so that a removed range isn't marked done.
 */

import { findGaps, type Interval, overlaps } from '#chain/intervals.ts';
import type { Fence } from '#sql/compile/fence.ts';
import { waitForRunningWrites } from '#sql/quiet-writes.ts';
import type { PlannedStretch } from '../backfill/plan-ranges.ts';
import { livingWorkers, type Worker, type WorkerDeps } from './worker.ts';

interface Claim extends Interval {
  readonly number: number;
  readonly worker: string;
}

const defaultClaimBlocks = 1_000;
export const allBlocks: Interval = { fromBlock: 0, toBlock: Number.MAX_SAFE_INTEGER };
const noBlocks: Interval = { fromBlock: 1, toBlock: 0 };
const isOfAllBlocks = ({ toBlock }: Interval) => toBlock === allBlocks.toBlock;

export class RangeClaims {
  #held: Claim | undefined;
  #lost = new AbortController();
  readonly deps: WorkerDeps;
  readonly worker: Worker;
  readonly claimBlocks: number;

  constructor(deps: WorkerDeps, worker: Worker, claimBlocks = defaultClaimBlocks) {
    this.deps = deps;
    this.worker = worker;
    this.claimBlocks = claimBlocks;
  }

  /**
   * Makes the database reject this worker's writes once another worker has reserved a block of its range (any block if
   * it has none).
   */
  get fence(): Fence {
    return {
      parameters: () => ({
        claim_kind: 'range',
        claim_number: this.#held?.number ?? 0,
        claim_worker: this.worker.id,
        claim_from: this.#held?.fromBlock ?? 0,
        claim_to: this.#held?.toBlock ?? Number.MAX_SAFE_INTEGER,
        claim_marker: '',
      }),
      onRefused: () => this.#lost.abort(),
    };
  }

  /** Aborts when the database rejected a write, because another worker reserved these blocks. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Reserves a part of the planned ranges; undefined when other living workers have reserved all. */
  async claim(plan: readonly PlannedStretch[]): Promise<PlannedStretch | undefined> {
    const taken = await this.#takenByOthers();
    const unit = chooseUnit(plan, taken, this.claimBlocks, this.worker.role === 'head' ? 'lowest' : 'largest');
    if (!unit) return undefined;
    this.#lost = new AbortController();
    const held = await this.#store(unit, undefined);
    if (held && (await this.#takenByOthers()).some(isOfAllBlocks)) {
      // another process has just seized all blocks and waited only for writes that ran then: start no new ones
      await this.#write(noBlocks);
      return undefined;
    }
    this.#held = held;
    return held && unit;
  }

  async extend(plan: readonly PlannedStretch[]): Promise<number | undefined> {
    const held = this.#held;
    if (!held || this.lost.aborted) return undefined;
    const next = held.toBlock + 1;
    const stretch = plan.find(({ fromBlock, toBlock }) => fromBlock <= next && next <= toBlock);
    if (!stretch || stretch.interrupted) return undefined;
    const [free] = findGaps({ fromBlock: next, toBlock: stretch.toBlock }, await this.#takenByOthers());
    if (free?.fromBlock !== next) return undefined;
    const toBlock = Math.min(free.toBlock, unitEnd(next, this.claimBlocks));
    const grown = await this.#store({ fromBlock: held.fromBlock, toBlock }, held);
    if (!grown) return undefined;
    this.#held = grown;
    return toBlock;
  }

  /** Releases the range, so that others need not wait for the lease timeout. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = undefined;
    await this.#write(noBlocks);
  }

  /** Reserves a range even if others hold it, and waits until their writes have ended. @throws the signal's reason */
  async seize(range: Interval, signal?: AbortSignal): Promise<void> {
    let held: Claim | undefined;
    while (!held) held = await this.#store(range, undefined);
    this.#held = held;
    await waitForRunningWrites(this.deps, 'running_writes', signal);
    signal?.throwIfAborted(); // the wait may have ended early
  }

  /**
   * Stores a claim (reservation). Returns undefined when another claim wins.
   * @param before claim to extend; fails if another worker's newer claim overlaps it
   */
  async #store(range: Interval, before: Claim | undefined): Promise<Claim | undefined> {
    await this.#write(range);
    const claims = await this.#read(before?.number ?? 0);
    const own = claims.find(({ worker }) => worker === this.worker.id);
    if (!own) return undefined;
    const others = claims.filter((claim) => claim.worker !== this.worker.id);
    const isOutranked = others.some((claim) => overlaps(claim, range) && ranksAbove(claim, own));
    const wasTaken = before && others.some((claim) => overlaps(claim, before) && ranksAbove(claim, before));
    return isOutranked || wasTaken ? undefined : own;
  }

  async #takenByOthers(): Promise<Claim[]> {
    const living = await livingWorkers(this.deps, this.worker.leaseMs);
    const claims = await this.#read(Number.MAX_SAFE_INTEGER);
    return claims.filter(({ worker }) => worker !== this.worker.id && living.has(worker));
  }

  async #write({ fromBlock, toBlock }: Interval): Promise<void> {
    const claimed = { kind: 'range', worker: this.worker.id, from_block: fromBlock, to_block: toBlock, seen: -1 };
    await this.deps.database.execute('store_claim', claimed);
  }

  async #read(above: number): Promise<Claim[]> {
    const rows = await this.deps.database.read('range_claims', { above });
    return rows.map((row) => ({
      number: Number(row.number),
      worker: row.worker,
      fromBlock: Number(row.from_block),
      toBlock: Number(row.to_block),
    }));
  }
}

/**
 * Chooses a range to reserve. If another worker's range grows into the gap, starts in the middle of the gap, so that
 * both can grow.
 */
export function chooseUnit(
  plan: readonly PlannedStretch[],
  taken: readonly Interval[],
  claimBlocks: number,
  prefers: 'lowest' | 'largest',
): PlannedStretch | undefined {
  const again = plan.find((stretch) => stretch.interrupted && !taken.some((claim) => overlaps(claim, stretch)));
  if (again) return again;
  const gaps = plan.filter((stretch) => !stretch.interrupted).flatMap((stretch) => findGaps(stretch, taken));
  const size = ({ fromBlock, toBlock }: Interval) => toBlock - fromBlock;
  const [gap] = prefers === 'lowest' ? gaps : gaps.toSorted((a, b) => size(b) - size(a));
  if (!gap) return undefined;
  const isGrownToward = taken.some(({ toBlock }) => toBlock === gap.fromBlock - 1);
  const middle = Math.floor((gap.fromBlock + gap.toBlock) / 2);
  const fromBlock = isGrownToward ? Math.max(gap.fromBlock, middle - (middle % claimBlocks)) : gap.fromBlock;
  return { fromBlock, toBlock: Math.min(gap.toBlock, unitEnd(fromBlock, claimBlocks)), interrupted: false };
}

const unitEnd = (block: number, claimBlocks: number) => block - (block % claimBlocks) + claimBlocks - 1;

const ranksAbove = (a: Claim, b: Claim) => (a.number === b.number ? a.worker > b.worker : a.number > b.number);
