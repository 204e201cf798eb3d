/** Nonces of the hot wallet: those used by the store, and those of transactions that nodes know. */
import { Transaction, type Wallet } from 'ethers';
import type { NodeClient } from './node-client.ts';
import type { Payouts } from './payouts.ts';
import type { Change, Store } from './store.ts';

export interface NonceOptions {
  readonly store: Store;
  readonly writer: NodeClient;
  readonly pool: NodeClient;
  readonly wallet: Pick<Wallet, 'address'>;
  readonly chainId: number;
}

export class WalletNonces {
  readonly #options: NonceOptions;
  readonly #payouts: Payouts;

  constructor(options: NonceOptions, payouts: Payouts) {
    this.#options = options;
    this.#payouts = payouts;
  }

  /**
   * Returns how many transactions of the wallet, mined or pending, are newer than the store's. Above 0, another program
   * uses the wallet, or the store is an old copy or another wallet's. The sender would pay withdrawals again.
   */
  async countUnknown(): Promise<number> {
    return Math.max(0, (await this.#countSent()) - (await this.#known()));
  }

  /** Marks all transactions sent so far as known. Those that the store lacks must not have paid withdrawals. */
  async acceptUnknown(): Promise<void> {
    await this.#options.store.write([{ key: this.#acceptedKey, value: await this.#countSent() }]);
  }

  /** @throws Error if the writer knows transactions that the store does not */
  async next(): Promise<number> {
    const [count, known] = [await this.readCount(), await this.#known()];
    if (count > known)
      throw new Error(
        `the wallet has sent transactions up to nonce ${count - 1}, the store knows those below ${known}`,
      );
    return Math.max(count, await this.#stored());
  }

  use = (nonce: number): Change => ({ key: this.#nextKey, value: nonce + 1 });

  /** Includes pending transactions. @param node default: writer */
  async readCount(node: NodeClient = this.#options.writer): Promise<number> {
    const counts = ['latest', 'pending'].map((tag) =>
      node.readQuantity('eth_getTransactionCount', [this.#options.wallet.address, tag]),
    );
    return Math.max(...(await Promise.all(counts)).map(Number));
  }

  /** Returns whether the current wallet signed a transaction for this chain. A store may outlive both. */
  isOwn({ from, chainId }: Transaction): boolean {
    return from === this.#options.wallet.address && chainId === BigInt(this.#options.chainId);
  }

  /** Returns the higher count of writer and read pool, because one may be behind. */
  async #countSent(): Promise<number> {
    const { writer, pool } = this.#options;
    return Math.max(...(await Promise.all([writer, pool].map((node) => this.readCount(node)))));
  }

  /** Returns the nonce after all nonces that the store used or an operator accepted. */
  async #known(): Promise<number> {
    return Math.max((await this.#options.store.get<number>(this.#acceptedKey)) ?? 0, await this.#stored());
  }

  /** Returns the nonce after those that the store used. */
  async #stored(): Promise<number> {
    return (await this.#options.store.get<number>(this.#nextKey)) ?? this.#afterSigned();
  }

  /** Returns the nonce after those of payouts signed before nonces were stored by chain and wallet. */
  async #afterSigned(): Promise<number> {
    const all = await this.#payouts.all();
    const signed = all.filter(({ raw }) => raw !== undefined && this.isOwn(Transaction.from(raw)));
    return Math.max(0, ...signed.map(({ nonce = -1 }) => nonce + 1));
  }

  get #nextKey(): string {
    return `nextNonce:${this.#options.chainId}:${this.#options.wallet.address}`;
  }

  get #acceptedKey(): string {
    return `acceptedCount:${this.#options.chainId}:${this.#options.wallet.address}`;
  }
}
