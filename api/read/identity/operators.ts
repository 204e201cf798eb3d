/**
 * Operator wallets from a setting: a list, or `@file` with one address per line. Reloaded at most once per second.
 * @source docs/identity.md#wallets-of-an-identity
 */
import { readFile } from 'node:fs/promises';
import { isAddress } from '#chain/codec/hex.ts';
import type { Log } from '#runtime/log.ts';

const reloadIntervalMs = 1_000;

export class Operators {
  #wallets: ReadonlySet<string> = new Set();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  readonly source: string;
  readonly log: Log;

  constructor(source: string, log: Log) {
    this.source = source;
    this.log = log;
  }

  /** Returns false if the operator file is unreadable. */
  async includeAny(wallets: readonly string[]): Promise<boolean> {
    if (performance.now() - this.#loadedAt > reloadIntervalMs) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
    return wallets.some((wallet) => this.#wallets.has(wallet));
  }

  async #load(): Promise<void> {
    const loadedAt = performance.now();
    const text = this.source.startsWith('@') ? await this.#readFile(this.source.slice(1)) : this.source;
    const entries = text
      .split(/[\s,]+/)
      .map((entry) => entry.toLowerCase())
      .filter((entry) => entry !== '');
    const unknown = entries.filter((entry) => !isAddress(entry));
    if (unknown.length > 0) this.log.error({ event: 'operator_list_invalid', entries: unknown.length });
    this.#wallets = new Set(entries.filter(isAddress));
    this.#loadedAt = loadedAt;
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
