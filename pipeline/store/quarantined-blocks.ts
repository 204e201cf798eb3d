/** Table of quarantined blocks, for which no endpoint returned valid data. */

import { RowWriter } from '#sql/row-writer.ts';
import type { JobDeps } from '../deps.ts';

interface Quarantined {
  readonly reason: string;
  readonly attempts: number;
  /** Version of the stored row. */
  readonly version: number;
}

export class QuarantinedBlocks {
  #blocks = new Map<number, Quarantined>();
  readonly deps: Pick<JobDeps, 'database' | 'log'>;

  constructor(deps: Pick<JobDeps, 'database' | 'log'>) {
    this.deps = deps;
  }

  async load(): Promise<void> {
    const rows = await this.deps.database.read('parked_blocks');
    this.#blocks = new Map(
      rows.map(({ block_number, reason, attempts, version }) => [
        Number(block_number),
        { reason, attempts, version: Number(version) },
      ]),
    );
  }

  get numbers(): number[] {
    return [...this.#blocks.keys()].sort((a, b) => a - b);
  }

  async park(block: number, reason: string, attempts: number): Promise<void> {
    const before = this.#blocks.get(block);
    const now = { reason, attempts: (before?.attempts ?? 0) + attempts, version: versionAfter(before) };
    this.#blocks.set(block, now);
    await this.#write(block, now, 0);
    this.deps.log.error({ event: 'block_parked', block, reason, attempts: now.attempts });
  }

  /** Resolves blocks above a height, after a rewind has removed them. */
  async rewind(block: number): Promise<void> {
    await this.load();
    for (const removed of this.numbers.filter((number) => number > block)) await this.resolve(removed);
  }

  async resolve(block: number): Promise<void> {
    const quarantined = this.#blocks.get(block);
    if (!quarantined) return;
    this.#blocks.delete(block);
    await this.#write(block, { ...quarantined, version: versionAfter(quarantined) }, 1);
    this.deps.log.info({ event: 'block_unparked', block });
  }

  async #write(block: number, { reason, attempts, version }: Quarantined, resolved: 0 | 1): Promise<void> {
    const w = new RowWriter(512);
    w.uint64(block);
    w.text(reason.slice(0, 500));
    w.uint32(attempts);
    w.uint8(resolved);
    w.uint64(version);
    w.uint64(Date.now());
    await this.deps.database.insertRowBinary('parked_blocks', w.view());
  }
}

/** Returns a version above the stored row's, which a clock that was ahead may have set. */
const versionAfter = (stored: Quarantined | undefined) => Math.max(Date.now(), (stored?.version ?? 0) + 1);
