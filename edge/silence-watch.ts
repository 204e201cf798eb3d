import { okLagBlocks } from '#gateway/upstreams.ts';

export interface SilenceLimits {
  /** Time without a new head after which the connection is made again, while other nodes have newer blocks, ms. */
  readonly maxSilenceMs: number;
  readonly checkEveryMs: number;
}

/** Notices that a node sends no new head although other nodes have newer blocks: its import may hang. */
export class SilenceWatch {
  /** Time since which other nodes have blocks that this node has not sent, performance.now(). */
  #since: number | undefined;
  #newest: number | undefined;
  readonly maxSilenceMs: number;

  constructor(maxSilenceMs: number) {
    this.maxSilenceMs = maxSilenceMs;
  }

  reset(): void {
    this.#since = undefined;
  }

  /**
   * @param newest newest head that the node has sent
   * @param head newest block of the nodes
   */
  isSilent(newest: number | undefined, head: number): boolean {
    const isBehind = newest !== undefined && newest === this.#newest && head - newest > okLagBlocks;
    this.#newest = newest;
    this.#since = isBehind ? (this.#since ?? performance.now()) : undefined;
    return this.#since !== undefined && performance.now() - this.#since >= this.maxSilenceMs;
  }
}
