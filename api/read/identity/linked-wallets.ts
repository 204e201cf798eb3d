import PQueue from 'p-queue';
import { hexDigits } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { FreshCache } from '../../cache/fresh-cache.ts';
import { ApiProblem } from '../../terms/errors.ts';

const maxWallets = 100;

const walletPrefix = 'wallet:';

export const walletIdentity = (address: string): string => walletPrefix + address.toLowerCase();

const ownWallet = (identity: string): string | undefined =>
  identity.startsWith(walletPrefix) ? identity.slice(walletPrefix.length) : undefined;

export class LinkedWallets {
  readonly #linking = new PQueue({ concurrency: 1 });
  readonly #cache: FreshCache<readonly string[]>;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.#cache = new FreshCache('wallets', (identity) => this.#read(identity));
  }

  /** Returns the wallets of an identity, the sign-in wallet first. The result can be 4 s old. @throws StoreError */
  of(identity: string): Promise<readonly string[]> {
    return this.#cache.get(identity);
  }

  /** @throws ApiProblem wallet_conflict if the identity has 100 wallets */
  link(identity: string, wallet: string): Promise<readonly string[]> {
    // one at a time, so that concurrent requests do not exceed the limit
    return this.#linking.add(() => this.#link(identity, wallet));
  }

  async #link(identity: string, wallet: string): Promise<readonly string[]> {
    const wallets = await this.#read(identity);
    if (wallets.includes(wallet)) return this.of(identity);
    if (wallets.length >= maxWallets)
      throw new ApiProblem('wallet_conflict', `an identity may have at most ${maxWallets} wallets; unlink one first`);
    await this.#write(identity, wallet, true);
    return this.of(identity);
  }

  /** @throws ApiProblem not_found; wallet_conflict for the sign-in wallet */
  async unlink(identity: string, wallet: string): Promise<readonly string[]> {
    if (ownWallet(identity) === wallet)
      throw new ApiProblem('wallet_conflict', 'the wallet of your identity cannot be unlinked');
    const wallets = await this.#read(identity);
    if (!wallets.includes(wallet)) throw new ApiProblem('not_found', `${wallet} is not linked to this identity`);
    await this.#write(identity, wallet, false);
    return this.of(identity);
  }

  async #read(identity: string): Promise<readonly string[]> {
    const rows = await this.database.read('linked_wallets', { identity, wallet: '' });
    const linked = rows.map(({ address }) => address);
    const own = ownWallet(identity);
    return [...new Set([...(own ? [own] : []), ...linked])];
  }

  /** Gives the row a higher version than the stored row, even if clocks differ. */
  async #write(identity: string, wallet: string, isLinked: boolean): Promise<void> {
    const [before] = await this.database.read('linked_wallets', { identity, wallet: hexDigits(wallet) });
    const w = new RowWriter(256);
    w.text(identity);
    w.fixed(wallet, 20);
    w.uint8(isLinked ? 1 : 0);
    w.uint64(Date.now());
    w.uint64(Math.max(Date.now(), Number(before?.version ?? 0) + 1));
    await this.database.insertRowBinary('linked_wallets', w.view());
    this.#cache.forget(identity);
  }
}
