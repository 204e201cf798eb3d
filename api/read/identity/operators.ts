/**
 * Wallets with operator scope, granted by the service's operator alone and read live: a list, or `@file` with one address a
 * line, looked at again every second. @source specification 5, SEMANTIC_OPERATOR_WALLETS
 */
import { readFile } from 'node:fs/promises';
import { isAddress } from '#chain/codec/hex.ts';
import type { Log } from '#runtime/log.ts';

const lookEveryMs = 1_000;

export class Operators {
  #wallets: ReadonlySet<string> = new Set();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  readonly source: string;
  readonly log: Log;

  /** @param source addresses apart by commas, or @path */
  constructor(source: string, log: Log) {
    this.source = source;
    this.log = log;
  }

  /** True when one of the wallets is on the list now. A file that cannot be read grants nothing. */
  async includeAny(wallets: readonly string[]): Promise<boolean> {
    if (performance.now() - this.#lookedAt > lookEveryMs) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return wallets.some((wallet) => this.#wallets.has(wallet));
  }

  async #look(): Promise<void> {
    const lookedAt = performance.now();
    const text = this.source.startsWith('@') ? await this.#readFile(this.source.slice(1)) : this.source;
    const entries = text
      .split(/[\s,]+/)
      .map((entry) => entry.toLowerCase())
      .filter((entry) => entry !== '');
    const unknown = entries.filter((entry) => !isAddress(entry));
    if (unknown.length > 0) this.log.error({ event: 'operator_list_faulty', entries: unknown.length });
    this.#wallets = new Set(entries.filter(isAddress));
    this.#lookedAt = lookedAt;
  }

  async #readFile(path: string): Promise<string> {
    try {
      return (await readFile(path, 'utf8')).replace(/#.*$/gm, '');
    } catch (error) {
      this.log.error({ event: 'operator_list_unreadable', error: (error as NodeJS.ErrnoException).code });
      return '';
    }
  }
}
