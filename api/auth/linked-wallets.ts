/** Which wallets belong to an identity: the one that it signed in with, and those linked by a signature of their own. */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { ApiProblem } from '../errors.ts';
import { FreshCache } from '../fresh-cache.ts';

/** Most wallets of one identity. */
export const maxWallets = 100;

const walletPrefix = 'wallet:';

/** Identity of a wallet that signs in by itself. */
export const walletIdentity = (address: string): string => walletPrefix + address.toLowerCase();

/** The wallet that such an identity is; undefined of an external provider's. */
const ownWallet = (identity: string): string | undefined =>
  identity.startsWith(walletPrefix) ? identity.slice(walletPrefix.length) : undefined;

export class LinkedWallets {
  readonly #cache: FreshCache<readonly string[]>;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {
    this.#cache = new FreshCache((identity) => this.#read(identity));
  }

  /** Wallets of an identity, lower case, its own first; at most 4 seconds old. @throws StoreError */
  of(identity: string): Promise<readonly string[]> {
    return this.#cache.get(identity);
  }

  /** @throws ApiProblem wallet_conflict where there are too many */
  async link(identity: string, wallet: string): Promise<readonly string[]> {
    const wallets = await this.#read(identity);
    if (wallets.includes(wallet)) return wallets;
    if (wallets.length >= maxWallets)
      throw new ApiProblem('wallet_conflict', `an identity has at most ${maxWallets} wallets`);
    await this.#write(identity, wallet, true);
    return this.of(identity);
  }

  /** @throws ApiProblem not_found, or wallet_conflict of the wallet that the identity is */
  async unlink(identity: string, wallet: string): Promise<readonly string[]> {
    if (ownWallet(identity) === wallet)
      throw new ApiProblem('wallet_conflict', 'this is the wallet that you signed in with: it is the identity itself');
    const wallets = await this.#read(identity);
    if (!wallets.includes(wallet)) throw new ApiProblem('not_found', `${wallet} is not linked to this identity`);
    await this.#write(identity, wallet, false);
    return this.of(identity);
  }

  async #read(identity: string): Promise<readonly string[]> {
    const statement = getStatement(this.statements, 'linked_wallets');
    const rows = await this.database.read<{ address: string }>(statement, { identity });
    const own = ownWallet(identity);
    return [...new Set([...(own ? [own] : []), ...rows.map((row) => row.address)])];
  }

  async #write(identity: string, wallet: string, isLinked: boolean): Promise<void> {
    const w = new RowWriter(256);
    w.text(identity);
    w.fixed(wallet, 20);
    w.uint8(isLinked ? 1 : 0);
    for (let i = 0; i < 2; i++) w.uint64(Date.now());
    await this.database.insertRowBinary('linked_wallets', w.view());
    this.#cache.forget(identity);
  }
}
