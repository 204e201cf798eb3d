import type { Log } from '#runtime/log.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import type { RangeSummary } from '../encode/range-rows.ts';

const logEveryMs = 5_000;

export class BackfillProgress {
  readonly #startedAt = Date.now();
  readonly #line = new ProgressLine('backfill');
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
    this.#line.update(this.#blocks / this.totalBlocks, this.#text());
    if (this.#line.isVisible || Date.now() - this.#loggedAt < logEveryMs) return;
    this.#loggedAt = Date.now();
    this.log.info({ event: 'backfill_progress', ...this.figures });
  }

  finish(): void {
    this.#line.finish();
    this.log.info({ event: 'backfill_done', ...this.figures });
  }

  get figures() {
    const seconds = Math.max((Date.now() - this.#startedAt) / 1000, 0.001);
    const blocksPerSecond = this.#blocks / seconds;
    return {
      blocks: this.#blocks,
      ofBlocks: this.totalBlocks,
      transactions: this.#transactions,
      rows: this.#rows,
      seconds: Math.round(seconds * 10) / 10,
      blocksPerSecond: Math.round(blocksPerSecond),
      rowsPerSecond: Math.round(this.#rows / seconds),
      etaSeconds: Math.round((this.totalBlocks - this.#blocks) / Math.max(blocksPerSecond, 0.001)),
    };
  }

  #text(): string {
    const f = this.figures;
    return `${f.blocks}/${f.ofBlocks} blocks  ${f.blocksPerSecond} blocks/s  ${f.rowsPerSecond} rows/s  ETA ${f.etaSeconds} s`;
  }
}
