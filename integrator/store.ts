/** On-disk database of credits and payouts. Writes are atomic and survive a power loss. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';

export interface Change {
  readonly key: string;
  /** Undefined deletes the entry. */
  readonly value: unknown;
}

export class Store {
  readonly #level: ClassicLevel<string, unknown>;

  private constructor(directory: string, createIfMissing: boolean) {
    this.#level = new ClassicLevel(directory, { valueEncoding: 'json', createIfMissing });
  }

  /**
   * @param mayCreate false: the store must exist
   * @throws Error if another process uses the directory, or it has no store
   */
  static async open(directory: string, { mayCreate = true }: { readonly mayCreate?: boolean } = {}): Promise<Store> {
    if (!mayCreate && !existsSync(join(directory, 'CURRENT')))
      throw new Error(`${directory} has no store: correct --store`);
    const store = new Store(directory, mayCreate);
    try {
      await store.#level.open();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== 'LEVEL_LOCKED') throw error;
      throw new Error(
        `${directory} is open in another process: stop that process, or set --store to another directory`,
      );
    }
    return store;
  }

  async get<T>(key: string): Promise<T | undefined> {
    try {
      return (await this.#level.get(key)) as T;
    } catch (error) {
      if ((error as { code?: string }).code === 'LEVEL_NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** @param page returns at most `limit` keys after `after`; default: all */
  async list<T>(prefix: string, { after = prefix, limit = -1 } = {}): Promise<[key: string, value: T][]> {
    const range = { gt: after < prefix ? prefix : after, lt: `${prefix}\u{10ffff}`, limit };
    return (await this.#level.iterator(range).all()) as [string, T][];
  }

  /** The changes are on disk when the promise resolves. */
  async write(changes: readonly Change[]): Promise<void> {
    const batch = changes.map(({ key, value }) =>
      value === undefined ? ({ type: 'del', key } as const) : ({ type: 'put', key, value } as const),
    );
    await this.#level.batch(batch, { sync: true });
  }

  close(): Promise<void> {
    return this.#level.close();
  }
}
