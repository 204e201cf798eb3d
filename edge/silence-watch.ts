import { okLagBlocks } from '#gateway/upstreams.ts';

export interface SilenceLimits {
  /** Time without a new head after which to reconnect if other nodes have newer blocks, ms. */
  readonly maxSilenceMs: number;
  readonly checkEveryMs: number;
}

/** Detects a node that sends no new head although other nodes have newer blocks. Its import may hang. */
export class SilenceWatch {
  /** Time since which other nodes have newer blocks, performance.now(). */
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
   * @param newest newest head sent by the node
   * @param head newest block of all nodes
   */
  isSilent(newest: number | undefined, head: number): boolean {
    const isBehind = newest !== undefined && newest === this.#newest && head - newest > okLagBlocks;
    this.#newest = newest;
    this.#since = isBehind ? (this.#since ?? performance.now()) : undefined;
    return this.#since !== undefined && performance.now() - this.#since >= this.maxSilenceMs;
  }
}
