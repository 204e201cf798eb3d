/** Prevents duplicate blocks and logs for clients, and finds the logs to retract after a reorg. */
import { LRUCache } from 'lru-cache';

export interface Head {
  readonly number: string;
  readonly hash: string;
  readonly parentHash?: string;
}

export interface ChainLog {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

const rememberedBlocks = 256;
const rememberedRetractions = 20_000;
/** Number of blocks checked for missing logs. A node sends the logs of a block right after its header. */
const recheckedBlocks = 32;

export class SentChain {
  readonly #heads = new Map<number, string>();
  readonly #logs = new Map<string, Map<string, ChainLog>>();
  /** Logs that clients were asked to remove, by block hash and log index. */
  readonly #retracted = new LRUCache<string, true>({ max: rememberedRetractions });
  /** Hashes of replaced blocks whose logs the node may not have retracted. */
  readonly #replaced = new Set<string>();

  /** Cached, because it is read for each log. */
  #newest: number | undefined;

  get newest(): number | undefined {
    return this.#newest;
  }

  hashAt(height: number): string | undefined {
    return this.#heads.get(height);
  }

  /** Returns whether a block is too old to know if clients have it. A node that resumes late sends old blocks. */
  #isForgotten(height: number): boolean {
    return height < (this.#newest ?? height) - rememberedBlocks;
  }

  /** Records a block header and forgets headers at its height or above. @returns false if already sent or too old */
  addHead({ number, hash }: Head): boolean {
    const height = Number(number);
    if (this.#heads.get(height) === hash || this.#isForgotten(height)) return false;
    for (const [known, knownHash] of [...this.#heads]) {
      if (known >= height) this.#replaced.add(knownHash);
      if (known >= height || known < height - rememberedBlocks) this.#heads.delete(known);
    }
    this.#heads.set(height, hash);
    this.#newest = height;
    this.#replaced.delete(hash);
    for (const block of [...this.#logs.keys()].slice(0, -rememberedBlocks)) this.#logs.delete(block);
    for (const block of this.#replaced) if (!this.#logs.get(block)?.size) this.#replaced.delete(block);
    return true;
  }

  /**
   * Returns logs of replaced blocks that the node has not retracted before a later block, for example of blocks that
   * only the writer had.
   * @param head next block to send
   */
  takeReplaced({ number }: Head): ChainLog[] {
    if (this.#newest === undefined || Number(number) <= this.#newest) return [];
    return this.#retract([...this.#replaced].reverse());
  }

  /**
   * Records a log, or its retraction if `removed` is set. The client may have read the retracted log another way.
   * @returns false if already sent or retracted, or too old
   */
  addLog(log: ChainLog): boolean {
    if (!log.removed && this.#isForgotten(Number(log.blockNumber))) return false;
    const known = this.#logs.get(log.blockHash) ?? new Map<string, ChainLog>();
    this.#logs.set(log.blockHash, known);
    if (log.removed) {
      const wasRetracted = this.#retracted.has(toPlaceKey(log));
      this.#retracted.set(toPlaceKey(log), true);
      return known.delete(log.logIndex) || !wasRetracted;
    }
    this.#retracted.delete(toPlaceKey(log));
    if (known.has(log.logIndex)) return false;
    known.set(log.logIndex, log);
    return true;
  }

  /**
   * Returns blocks whose logs may be incomplete, oldest first. Nodes send logs in block order, so these are the newest
   * block with a log and all later blocks.
   */
  blocksToRecheck(): { height: number; hash: string }[] {
    const newest = [...this.#heads].sort(([a], [b]) => b - a).slice(0, recheckedBlocks);
    const complete = newest.findIndex(([, hash]) => this.#logs.get(hash)?.size);
    const open = complete < 0 ? newest : newest.slice(0, complete + 1);
    return open.reverse().map(([height, hash]) => ({ height, hash }));
  }

  /** Forgets heads above a height. @returns the logs to retract: those of these heads and of replaced blocks */
  cutAbove(height: number): ChainLog[] {
    const removed = [...this.#heads].filter(([number]) => number > height).sort(([a], [b]) => b - a);
    for (const [number] of removed) this.#heads.delete(number);
    this.#newest = this.#heads.size === 0 ? undefined : Math.max(...this.#heads.keys());
    const hashes = [...[...this.#replaced].reverse(), ...removed.map(([, hash]) => hash)];
    return this.#retract(hashes);
  }

  #retract(hashes: readonly string[]): ChainLog[] {
    this.#replaced.clear();
    return hashes.flatMap((hash) => {
      const logs = [...(this.#logs.get(hash)?.values() ?? [])].reverse();
      this.#logs.delete(hash);
      for (const log of logs) this.#retracted.set(toPlaceKey(log), true);
      return logs;
    });
  }
}

const toPlaceKey = ({ blockHash, logIndex }: ChainLog) => `${blockHash} ${logIndex}`;
