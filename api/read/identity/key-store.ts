import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { hexDigits } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { FreshCache } from '../../cache/fresh-cache.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { generateKey, hashKey, keyPrefix } from './api-key.ts';

/** Per identity. @source docs/identity.md#api-keys */
export const maxActiveKeys = 5;
const maxWaiting = 200;

export interface ApiKey {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly hash: string;
  readonly createdMs: number;
  /** Unix ms; 0: active. */
  readonly revokedMs: number;
  /** Unix ms; 0: never. Set only by list(). */
  readonly usedMs: number;
  /** Requests today (UTC) and in total, up to 1 s old. Set only by list(). */
  readonly calls: { readonly today: number; readonly total: number };
}

type KeyRow = RowOf<'api_key'> & Partial<RowOf<'api_keys_of_owner'>>;

export class KeyStore {
  readonly #byHash: FreshCache<ApiKey | undefined>;
  readonly #knownHashes = new LRUCache<string, true>({ max: 50_000 });
  /** One at a time, so that each creation counts the earlier keys. */
  readonly #minting = new PQueue({ concurrency: 1 });
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.#byHash = new FreshCache('api_keys', (hash) => this.#readKey(hash));
  }

  /** Finds an active or revoked key. The result can be 4 s old. @throws StoreError */
  find(hash: string): Promise<ApiKey | undefined> {
    return this.#byHash.get(hash);
  }

  wasFound(hash: string): boolean {
    return this.#knownHashes.has(hash);
  }

  /** Returns all keys, including revoked ones, oldest first. */
  async list(owner: string): Promise<ApiKey[]> {
    return (await this.database.read('api_keys_of_owner', { owner })).map(parseKey);
  }

  /**
   * Stores a new key, then counts the owner's active keys again, so that concurrent processes cannot exceed the limit.
   * @throws ApiProblem key_limit_reached, rate_limited if too many creations wait
   */
  async mint(owner: string, name: string): Promise<{ key: string; stored: ApiKey }> {
    if (this.#minting.size > maxWaiting)
      throw new ApiProblem('rate_limited', 'too many concurrent key requests; try again');
    return this.#minting.add(async () => {
      if (getActive(await this.list(owner)).length >= maxActiveKeys) throw limitReached();
      const key = generateKey();
      const stored: ApiKey = {
        id: randomUUID(),
        owner,
        name,
        prefix: keyPrefix,
        last4: key.slice(-4),
        hash: hashKey(key),
        createdMs: Date.now(),
        revokedMs: 0,
        usedMs: 0,
        calls: { today: 0, total: 0 },
      };
      await this.#write(stored);
      try {
        if (getActive(await this.list(owner)).length > maxActiveKeys) throw limitReached();
      } catch (error) {
        await this.#write({ ...stored, revokedMs: Date.now() }); // the owner never received this key
        throw error;
      }
      this.#knownHashes.set(stored.hash, true); // so that the first use does not count as a guess
      return { key, stored };
    });
  }

  /** @throws ApiProblem not_found */
  async revoke(owner: string, id: string): Promise<void> {
    const key = (await this.list(owner)).find((one) => one.id === id);
    if (!key) throw new ApiProblem('not_found', `you have no API key with id ${id}`);
    if (key.revokedMs === 0) await this.#write({ ...key, revokedMs: Date.now() });
    this.#byHash.forget(key.hash);
  }

  async #readKey(hash: string): Promise<ApiKey | undefined> {
    const [row] = await this.database.read('api_key', { secret_hash: hexDigits(hash) });
    if (row) this.#knownHashes.set(hash, true);
    return row && parseKey(row);
  }

  async #write(key: ApiKey): Promise<void> {
    const w = new RowWriter(512);
    w.fixed(key.hash, 32);
    for (const text of [key.id, key.owner, key.name, key.prefix, key.last4]) w.text(text);
    w.uint64(key.createdMs);
    w.uint64(key.revokedMs);
    w.uint64(key.createdMs + (key.revokedMs > 0 ? 1 : 0)); // row version: a revocation is newer even if clocks differ
    await this.database.insertRowBinary('api_keys', w.view());
  }
}

const getActive = (keys: readonly ApiKey[]) => keys.filter((key) => key.revokedMs === 0);

const limitReached = () =>
  new ApiProblem('key_limit_reached', `an identity may have at most ${maxActiveKeys} active keys: revoke one first`);

function parseKey({
  created_ms,
  revoked_ms,
  used_ms = '0',
  calls_today = '0',
  calls_in_all = '0',
  ...rest
}: KeyRow): ApiKey {
  const times = { createdMs: Number(created_ms), revokedMs: Number(revoked_ms), usedMs: Number(used_ms) };
  return { ...rest, ...times, calls: { today: Number(calls_today), total: Number(calls_in_all) } };
}
