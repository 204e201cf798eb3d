/** API keys: minted, listed, revoked, found by their hash. @source specification 4.1 and 5 */
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

/** @source specification 5: up to 5 active keys an identity */
export const maxActiveKeys = 5;
/** Mints that wait for their turn. */
const mostWaiting = 200;

export interface ApiKey {
  readonly id: string;
  /** Identity that minted it. */
  readonly owner: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  /** SHA-256, 0x hex. */
  readonly hash: string;
  readonly createdMs: number;
  /** 0 while it is active. */
  readonly revokedMs: number;
  /** When it was last used, as far as that is written; 0: never. Of lists alone. */
  readonly usedMs: number;
}

type KeyRow = RowOf<'api_key'> & Partial<RowOf<'api_keys_of_owner'>>;

export class KeyStore {
  readonly #byHash: FreshCache<ApiKey | undefined>;
  /** Hashes that belong to keys, for as long as they are asked for. */
  readonly #found = new LRUCache<string, true>({ max: 50_000 });
  /** One mint after the other: each one sees the keys of those before. */
  readonly #minting = new PQueue({ concurrency: 1 });
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;

    this.#byHash = new FreshCache('api_keys', (hash) => this.#readKey(hash));
  }

  /** The key with this hash, active or revoked; at most 4 seconds old. @throws StoreError */
  find(hash: string): Promise<ApiKey | undefined> {
    return this.#byHash.get(hash);
  }

  /** True of a hash that was one of a key when it was last looked up. */
  wasFound(hash: string): boolean {
    return this.#found.has(hash);
  }

  /** Keys of an identity, oldest first, revoked ones too. */
  async list(owner: string): Promise<ApiKey[]> {
    return (await this.database.read('api_keys_of_owner', { owner })).map(keyOf);
  }

  /**
   * A new key for its owner, the only time that it is seen. It is stored before the others are counted, so that of mints in
   * several processes at once none more than allowed can stay.
   * @throws ApiProblem key_limit_reached
   */
  async mint(owner: string, name: string): Promise<{ key: string; stored: ApiKey }> {
    if (this.#minting.size > mostWaiting)
      throw new ApiProblem('rate_limited', 'too many keys are minted at once, try again');
    return this.#minting.add(async () => {
      if (activeOf(await this.list(owner)).length >= maxActiveKeys) throw limitReached();
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
      };
      await this.#write(stored);
      try {
        if (activeOf(await this.list(owner)).length > maxActiveKeys) throw limitReached();
      } catch (error) {
        await this.#write({ ...stored, revokedMs: Date.now() }); // a key that nobody was shown takes up no place
        throw error;
      }
      return { key, stored };
    });
  }

  /** Revokes a key; again changes nothing. @throws ApiProblem not_found where the owner has no such key */
  async revoke(owner: string, id: string): Promise<void> {
    const key = (await this.list(owner)).find((one) => one.id === id);
    if (!key) throw new ApiProblem('not_found', 'you have no key with this id');
    if (key.revokedMs === 0) await this.#write({ ...key, revokedMs: Date.now() });
    this.#byHash.forget(key.hash);
  }

  async #readKey(hash: string): Promise<ApiKey | undefined> {
    const [row] = await this.database.read('api_key', { secret_hash: hexDigits(hash) });
    if (row) this.#found.set(hash, true);
    return row && keyOf(row);
  }

  async #write(key: ApiKey): Promise<void> {
    const w = new RowWriter(512);
    w.fixed(key.hash, 32);
    for (const text of [key.id, key.owner, key.name, key.prefix, key.last4]) w.text(text);
    w.uint64(key.createdMs);
    w.uint64(key.revokedMs);
    w.uint64(key.createdMs + (key.revokedMs > 0 ? 1 : 0)); // a revocation outweighs its mint, whatever clock wrote either
    await this.database.insertRowBinary('api_keys', w.view());
  }
}

const activeOf = (keys: readonly ApiKey[]) => keys.filter((key) => key.revokedMs === 0);

const limitReached = () =>
  new ApiProblem('key_limit_reached', `an identity has at most ${maxActiveKeys} active keys: revoke one first`);

function keyOf({ created_ms, revoked_ms, used_ms = '0', ...rest }: KeyRow): ApiKey {
  return { ...rest, createdMs: Number(created_ms), revokedMs: Number(revoked_ms), usedMs: Number(used_ms) };
}
