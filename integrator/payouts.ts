/** Withdrawals in the sender's store, with an index of unfinished ones. */
import { Transaction } from 'ethers';
import type { Change, Store } from './store.ts';

export interface Payout {
  readonly id: string;
  readonly to: string;
  /** Amount, wei. */
  readonly value: string;
  readonly state: 'requested' | 'signed' | 'complete' | 'failed';
  readonly nonce?: number;
  readonly raw?: string;
  readonly hash?: string;
  /** Hash of another transaction with the same sender, nonce, recipient and value that paid the withdrawal. */
  readonly paidBy?: string;
}

export type SignedPayout = Payout & Required<Pick<Payout, 'nonce' | 'raw' | 'hash'>>;

export const isSigned = (payout: Payout): payout is SignedPayout => payout.state === 'signed';

const isOpen = ({ state }: Payout) => state === 'requested' || state === 'signed';

const [prefix, openPrefix, chainKey] = ['payout:', 'open:', 'chain'];

interface Chain {
  readonly chainId: number;
  readonly genesisHash: string;
}

class OtherChainError extends Error {
  override readonly name = 'OtherChainError';
}

const createOtherChain = (stored: string, { chainId, genesisHash }: Chain) =>
  new OtherChainError(
    `the store belongs to ${stored}, but this is chain ${chainId} with genesis ${genesisHash}: correct --store, or --edge and CHAIN_ID`,
  );

const toChanges = (payout: Payout): Change[] => [
  { key: prefix + payout.id, value: payout },
  { key: openPrefix + payout.id, value: isOpen(payout) ? true : undefined },
];

export class Payouts {
  readonly #store: Store;
  #isIndexed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Binds the store to its first chain. On another chain, withdrawals whose ids were already paid would be skipped.
   * @throws OtherChainError if the store belongs to another chain
   */
  async bindTo(chain: Chain): Promise<void> {
    const stored = await this.#store.get<Chain>(chainKey);
    if (stored) {
      if (stored.chainId !== chain.chainId || stored.genesisHash !== chain.genesisHash)
        throw createOtherChain(`chain ${stored.chainId} with genesis ${stored.genesisHash}`, chain);
      return;
    }
    // a store of an earlier version may also contain payouts of a test chain
    const chainIds = (await this.all()).flatMap(({ raw }) =>
      raw === undefined ? [] : Number(Transaction.from(raw).chainId),
    );
    const [first] = chainIds;
    if (first !== undefined && !chainIds.includes(chain.chainId)) throw createOtherChain(`chain ${first}`, chain);
    await this.#store.write([{ key: chainKey, value: chain }]);
  }

  async all(): Promise<Payout[]> {
    return (await this.#store.list<Payout>(prefix)).map(([, payout]) => payout);
  }

  /** Returns unfinished withdrawals. Reading all past ones would slow down each step. */
  async open(): Promise<Payout[]> {
    if (!this.#isIndexed) {
      // the last writer may be an earlier version of this program, which stores no list of open withdrawals
      const open = (await this.all()).filter(isOpen);
      await this.#store.write(open.map(({ id }) => ({ key: openPrefix + id, value: true })));
      this.#isIndexed = true;
    }
    const ids = (await this.#store.list(openPrefix)).map(([key]) => key.slice(openPrefix.length));
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found.filter((payout): payout is Payout => payout !== undefined && isOpen(payout));
  }

  find(id: string): Promise<Payout | undefined> {
    return this.#store.get(prefix + id);
  }

  /** Stores a withdrawal and other entries atomically. They are on disk when the promise resolves. */
  save(payout: Payout, ...more: readonly Change[]): Promise<void> {
    return this.#store.write([...toChanges(payout), ...more]);
  }
}
