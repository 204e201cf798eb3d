import type { Log } from '#runtime/log.ts';
import { describePace, inDigits, type Pace, perSecond, secondsLeft } from '#runtime/pace.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import type { RangeSummary } from '../encode/range-rows.ts';

const logEveryMs = 5_000;

export class BackfillProgress {
  readonly #startedAt = Date.now();
  readonly #line = new ProgressLine('index');
  #blocks = 0;
  #transactions = 0;
  #rows = 0;
  #loggedAt = Date.now();
  readonly totalBlocks: number;
  readonly log: Log;

  constructor(totalBlocks: number, log: Log) {
    this.totalBlocks = totalBlocks;
    this.log = log;
  }

  add(range: RangeSummary): void {
    this.#blocks += range.toBlock - range.fromBlock + 1;
    this.#transactions += range.transactionCount;
    this.#rows += range.toBlock - range.fromBlock + 1 + range.transactionCount + range.logCount + range.roleCount;
    this.#line.update(this.#blocks / this.totalBlocks, describePace(this.#pace, 'blocks'));
    if (this.#line.isVisible || Date.now() - this.#loggedAt < logEveryMs) return;
    this.#loggedAt = Date.now();
    this.log.info({ event: 'backfill_progress', ...this.figures }, describePace(this.#pace, 'blocks'));
  }

  finish(): void {
    this.#line.finish();
    this.log.info({ event: 'backfill_done', ...this.figures }, `${inDigits(this.#blocks)} blocks are indexed`);
  }

  get figures() {
    const pace = this.#pace;
    return {
      blocks: this.#blocks,
      ofBlocks: this.totalBlocks,
      transactions: this.#transactions,
      rows: this.#rows,
      seconds: Math.round(pace.seconds * 10) / 10,
      blocksPerSecond: Math.round(perSecond(pace)),
      rowsPerSecond: Math.round(this.#rows / pace.seconds),
      etaSeconds: Math.round(secondsLeft(pace)),
    };
  }

  get #pace(): Pace {
    const seconds = Math.max((Date.now() - this.#startedAt) / 1000, 0.001);
    return { done: this.#blocks, total: this.totalBlocks, seconds };
  }
}
