/** What listeners were told of the newest blocks: nothing is told twice, and what is gone can be taken back. */

export interface Head {
  readonly number: string;
  readonly hash: string;
}

export interface ChainLog {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

/** Blocks that are remembered. */
const rememberedBlocks = 256;

export class ToldChain {
  /** Hash by height. */
  readonly #heads = new Map<number, string>();
  /** Logs by block hash, then by their index. */
  readonly #logs = new Map<string, Map<string, ChainLog>>();

  get newest(): number | undefined {
    return this.#heads.size === 0 ? undefined : Math.max(...this.#heads.keys());
  }

  hashAt(height: number): string | undefined {
    return this.#heads.get(height);
  }

  /** @returns false when it was told already and is still the newest of its height */
  addHead({ number, hash }: Head): boolean {
    const height = Number(number);
    if (this.#heads.get(height) === hash) return false;
    for (const known of [...this.#heads.keys()])
      if (known >= height || known < height - rememberedBlocks) this.#heads.delete(known);
    this.#heads.set(height, hash);
    for (const block of [...this.#logs.keys()].slice(0, -rememberedBlocks)) this.#logs.delete(block);
    return true;
  }

  /** @returns false when it was told already, or taken back already */
  addLog(log: ChainLog): boolean {
    const known = this.#logs.get(log.blockHash) ?? new Map<string, ChainLog>();
    this.#logs.set(log.blockHash, known);
    if (log.removed) {
      known.delete(log.logIndex);
      return true;
    }
    if (known.has(log.logIndex)) return false;
    known.set(log.logIndex, log);
    return true;
  }

  /** Forgets the blocks above a height. @returns their logs, to be taken back, newest first */
  cutAbove(height: number): ChainLog[] {
    const gone = [...this.#heads].filter(([number]) => number > height).sort(([a], [b]) => b - a);
    return gone.flatMap(([number, hash]) => {
      this.#heads.delete(number);
      const logs = [...(this.#logs.get(hash)?.values() ?? [])].reverse();
      this.#logs.delete(hash);
      return logs;
    });
  }
}
