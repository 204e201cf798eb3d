/**
 * Pays each withdrawal of an exchange exactly once. Stores a signed transaction before sending it, and resends the same
 * bytes. Signs again only if writer and read pool agree that a finalized transaction used the nonce and did not pay.
 * @source docs/withdrawals.md#or-write-your-own
 */
import { isAddress, Transaction, type Wallet } from 'ethers';
import type { Cordscan } from '#client/index.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { computeCost, estimateGas, type Funds, readFunds, transferGas } from './funds.ts';
import { LongWaits } from './long-waits.ts';
import { type Mined, readMined } from './mined.ts';
import { type NodeClient, RpcRefused } from './node-client.ts';
import { isSigned, type Payout, Payouts, type SignedPayout } from './payouts.ts';
import type { Store } from './store.ts';

export interface SenderOptions {
  readonly api: Cordscan;
  /** The only node that receives transactions. */
  readonly writer: NodeClient;
  /** Group of nodes. Receipts are read from this pool and from the writer. */
  readonly pool: NodeClient;
  readonly store: Store;
  readonly wallet: Pick<Wallet, 'address' | 'signTransaction'>;
  readonly chainId: number;
  /** Balance reserved for gas, wei. */
  readonly gasFloat: bigint;
  readonly maxPending: number;
  readonly log: Log;
}

/** Confirmations of a final transaction. @source docs/withdrawals.md#or-write-your-own */
const requiredDepth = 20;
const knownToNode = /already known|already imported|already in mempool|\bknown transaction|nonce too low/i;
const resendMs = 2_000;
/** Interval at which the nonces of sent withdrawals are compared with the node, ms. */
const nonceCheckMs = 60_000;
/** Time before a payout that its recipient refuses is tried again, ms. */
const refusedCheckMs = 60_000;
/** Time before the balance is read again, after it was too low, and before this is logged again, ms. */
const [shortCheckMs, shortLogMs] = [500, 60_000];

/** The request itself is wrong, so a repetition would be too. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
}

export class WithdrawalSender {
  /** Times on a clock that never goes back, ms. */
  readonly #sentAt = new Map<string, number>();
  #noncesCheckedAt = Number.NEGATIVE_INFINITY;
  /** Times of the next attempts for recipients that refuse the payout, by id. */
  readonly #refusedUntil = new Map<string, number>();
  #shortAt = Number.NEGATIVE_INFINITY;
  #shortLoggedAt = Number.NEGATIVE_INFINITY;
  readonly #payouts: Payouts;
  readonly #waits: LongWaits;
  readonly options: SenderOptions;

  constructor(options: SenderOptions) {
    this.options = options;
    this.#waits = new LongWaits(options.log, 'withdrawal_waits');
    this.#payouts = new Payouts(options.store);
  }

  /**
   * Registers a withdrawal. A repeated call changes nothing.
   * @throws Error if the withdrawal is invalid or differs from the registered one
   */
  async request(id: string, to: string, value: bigint): Promise<void> {
    // isAddress also accepts other forms, which can't be signed
    if (!to.startsWith('0x') || !isAddress(to) || value <= 0n)
      throw new RefusedRequest(`withdrawal ${id} must have a recipient address and a value above 0`);
    const stored = await this.#payouts.find(id);
    if (stored && (stored.to !== to.toLowerCase() || stored.value !== value.toString()))
      throw new RefusedRequest(`withdrawal ${id} is already registered with another recipient or value`);
    if (stored) return;
    const payout: Payout = { id, to: to.toLowerCase(), value: value.toString(), state: 'requested' };
    await this.#payouts.save(payout);
  }

  /**
   * Returns how many transactions of the wallet, mined or pending, are newer than those of the store. If there are any, the
   * store may be an old copy or that of another wallet, and its withdrawals would be paid again.
   */
  async countUnknown(): Promise<number> {
    const accepted = (await this.options.store.get<number>(this.#acceptedKey)) ?? 0;
    return Math.max(0, (await this.#countSent()) - Math.max(accepted, await this.#storedNonce()));
  }

  /** Remembers that the transactions sent until now paid no withdrawal that the store lacks. */
  async acceptUnknown(): Promise<void> {
    await this.options.store.write([{ key: this.#acceptedKey, value: await this.#countSent() }]);
  }

  /** Returns the transactions of the wallet that writer or read pool know: one of them may be behind. */
  async #countSent(): Promise<number> {
    const { writer, pool } = this.options;
    return Math.max(...(await Promise.all([writer, pool].map((node) => this.#readCount(node)))));
  }

  /** Returns all withdrawals, also finished ones. */
  payouts(): Promise<Payout[]> {
    return this.#payouts.all();
  }

  /**
   * Follows sent withdrawals, then sends new ones.
   * @returns whether unfinished withdrawals remain
   */
  async step(): Promise<boolean> {
    const all = await this.#payouts.open();
    const signed = all.filter(isSigned).sort((a, b) => a.nonce - b.nonce);
    const requested = all.filter(({ state }) => state === 'requested');
    const due = requested.filter(({ id }) => performance.now() >= (this.#refusedUntil.get(id) ?? 0));
    for (const payout of signed) await this.#guarded(payout, () => this.#follow(payout));
    await this.#logNonceGap(signed);
    let room = this.options.maxPending - signed.length;
    if (room > 0 && due.length > 0 && performance.now() - this.#shortAt >= shortCheckMs) {
      const funds = await readFunds(this.options, signed);
      const waiting: string[] = [];
      for (const payout of due) {
        if (room <= 0) break;
        await this.#guarded(payout, async () => {
          if (await this.#pay(payout, funds)) room--;
          else waiting.push(payout.id);
        });
      }
      if (waiting.length > 0) this.#logWaiting(waiting, funds);
    }
    return signed.length + requested.length > 0;
  }

  /** Logs if a nonce below all signed withdrawals is unused: no node includes these before somebody uses it. */
  async #logNonceGap([lowest]: readonly SignedPayout[]): Promise<void> {
    if (!lowest || performance.now() - this.#noncesCheckedAt < nonceCheckMs) return;
    this.#noncesCheckedAt = performance.now();
    const { writer, log } = this.options;
    await this.#guarded(lowest, async () => {
      const unused = await this.#readCount(writer);
      if (unused < lowest.nonce)
        log.error({ event: 'withdrawal_nonce_gap', id: lowest.id, nonce: lowest.nonce, unused });
    });
  }

  #logWaiting(ids: readonly string[], { balance }: Funds): void {
    this.#shortAt = performance.now();
    if (this.#shortAt - this.#shortLoggedAt < shortLogMs) return;
    this.#shortLoggedAt = this.#shortAt;
    const fields = { event: 'withdrawal_waits_for_funds', id: ids[0], count: ids.length };
    this.options.log.error({ ...fields, balance: balance.toString() });
  }

  /** Logs errors: one failing withdrawal must not block the others. */
  async #guarded({ id }: Payout, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) =>
      this.options.log.error({ event: 'withdrawal_error', id, error: String(error) }),
    );
  }

  /**
   * Signs, stores and sends a withdrawal. If too little is left, it sends nothing.
   * @returns whether the withdrawal was signed
   */
  async #pay(payout: Payout, funds: Funds): Promise<boolean> {
    const { wallet, chainId } = this.options;
    const { gasPrice } = funds;
    const value = BigInt(payout.value);
    if (funds.left < computeCost({ value, gasLimit: transferGas, gasPrice })) return false;
    const gasLimit = await estimateGas(this.options, payout.to, value).catch((error: unknown) => {
      this.#refusedUntil.set(payout.id, performance.now() + refusedCheckMs);
      throw error;
    });
    this.#refusedUntil.delete(payout.id);
    const cost = computeCost({ value, gasLimit, gasPrice });
    if (funds.left < cost) return false;
    const nonce = await this.#nextNonce();
    const fields = { type: 0, chainId, nonce, to: payout.to, value, gasLimit, gasPrice };
    const raw = await wallet.signTransaction(fields);
    const hash = known(Transaction.from(raw).hash, 'the hash of the signed transaction');
    const signed: SignedPayout = { ...payout, state: 'signed', nonce, raw, hash };
    // store first: after a crash, every sent transaction is known
    await this.#payouts.save(signed, { key: this.#nonceKey, value: nonce + 1 });
    funds.left -= cost;
    await this.#send(signed);
    return true;
  }

  async #nextNonce(): Promise<number> {
    return Math.max(await this.#storedNonce(), await this.#readCount(this.options.writer));
  }

  /** Returns the number of transactions of the wallet that a node knows, pending ones included. */
  async #readCount(node: NodeClient): Promise<number> {
    const { address } = this.options.wallet;
    const counts = ['latest', 'pending'].map((tag) => node.read<string>('eth_getTransactionCount', [address, tag]));
    return Math.max(...(await Promise.all(counts)).map(Number));
  }

  /** Returns the nonce after those that the store has used. */
  async #storedNonce(): Promise<number> {
    return (await this.options.store.get<number>(this.#nonceKey)) ?? this.#nonceAfterSigned();
  }

  /** Returns the nonce after those of payouts that were signed before nonces were stored by chain and wallet. */
  async #nonceAfterSigned(): Promise<number> {
    const signed = (await this.payouts()).filter(({ raw }) => raw !== undefined && this.#isOwn(Transaction.from(raw)));
    return Math.max(0, ...signed.map(({ nonce = -1 }) => nonce + 1));
  }

  #isOwn({ from, chainId }: Transaction): boolean {
    return from === this.options.wallet.address && chainId === BigInt(this.options.chainId);
  }

  /** Names chain and wallet, because a store may outlive both. */
  get #nonceKey(): string {
    return `nextNonce:${this.options.chainId}:${this.options.wallet.address}`;
  }

  get #acceptedKey(): string {
    return `acceptedCount:${this.options.chainId}:${this.options.wallet.address}`;
  }

  /** After an error, the same bytes are sent again later. */
  async #send({ id, raw, hash }: SignedPayout): Promise<void> {
    const { writer, log } = this.options;
    this.#sentAt.set(hash, performance.now());
    try {
      await writer.once('eth_sendRawTransaction', [raw]);
    } catch (error) {
      const said = error instanceof RpcRefused ? error.nodeMessage : String(error);
      if (error instanceof RpcRefused && knownToNode.test(said)) return;
      log.warn({ event: 'withdrawal_send_error', id, hash, said });
    }
  }

  async #follow(payout: SignedPayout): Promise<void> {
    const { api } = this.options;
    const { raw, hash, id } = payout;
    const body = { raw, broadcast: false };
    const status = await api.post('/api/v1/withdrawals', { body, idempotent: true }).catch(async (error: unknown) => {
      if (this.#isDue(hash)) await this.#send(payout); // it must reach the chain although the API can't follow it
      throw error;
    });
    if (status.hash !== hash.toLowerCase())
      throw new Error(
        `the API returned transaction hash ${status.hash} for withdrawal ${id}, expected the signed transaction ${hash}`,
      );
    if (status.state === 'complete' || status.state === 'failed') return this.#confirm(payout, status.state);
    this.#noteWait(payout, status.state);
    if (status.state === 'replaced') {
      await this.#finalizeReplaced(payout, known(status.replacedBy, 'the replacing transaction'));
    } else if (status.state !== 'mined' && this.#isDue(hash)) {
      await this.#send(payout);
    }
  }

  /** Ends a payout if writer and read pool confirm its final state; else it is tried again. */
  async #confirm(payout: SignedPayout, state: 'complete' | 'failed'): Promise<void> {
    const { log } = this.options;
    const { id, hash } = payout;
    const mined = await this.#minedAt(hash);
    if (mined?.status !== (state === 'complete' ? 1 : 0)) return this.#noteWait(payout, 'unconfirmed');
    await this.#finish({ ...payout, state });
    if (state === 'complete') log.info({ event: 'withdrawal_complete', id, hash });
    else log.error({ event: 'withdrawal_failed', id, hash }, 'the transaction is final, but its execution failed');
  }

  #noteWait({ id, hash, nonce }: SignedPayout, state: string): void {
    this.#waits.note(hash, state, { id, hash, nonce });
  }

  async #finish(payout: SignedPayout): Promise<void> {
    await this.#payouts.save(payout);
    this.#forget(payout);
  }

  /** Forgets when a transaction that is no longer followed was sent, and how long it waited. */
  #forget({ hash }: SignedPayout): void {
    this.#waits.end(hash);
    this.#sentAt.delete(hash);
  }

  /** Returns whether a transaction may be sent again now. */
  #isDue(hash: string): boolean {
    return performance.now() - (this.#sentAt.get(hash) ?? Number.NEGATIVE_INFINITY) > resendMs;
  }

  /**
   * Completes a withdrawal if the transaction that used its nonce paid it. Otherwise prepares it to be signed again.
   */
  async #finalizeReplaced(payout: SignedPayout, rivalHash: string): Promise<void> {
    const { log } = this.options;
    const { id, hash } = payout;
    const rival = await this.#minedAt(rivalHash);
    if (!rival || rival.sender !== this.options.wallet.address.toLowerCase() || rival.nonce !== payout.nonce) {
      log.warn({ event: 'withdrawal_rival_unconfirmed', id, hash, by: rivalHash });
      return; // retried until writer and read pool agree
    }
    if (rival.status === 1 && rival.to === payout.to && rival.value === payout.value) {
      await this.#finish({ ...payout, state: 'complete', paidBy: rivalHash });
      log.warn({ event: 'withdrawal_paid_by_replacement', id, hash, by: rivalHash });
      return;
    }
    log.error({ event: 'withdrawal_replaced', id, hash, by: rivalHash });
    this.#forget(payout);
    const { nonce: _, raw: __, hash: ___, ...rest } = payout;
    await this.#payouts.save({ ...rest, state: 'requested' });
  }

  /** Returns a transaction if writer and read pool agree on it with 20 confirmations. */
  async #minedAt(hash: string): Promise<Mined | undefined> {
    const { writer, pool } = this.options;
    const [asWriter, asPool] = await Promise.all([writer, pool].map((node) => readMined(node, hash)));
    const isAgreed = asWriter && asPool && asWriter.blockHash === asPool.blockHash && asWriter.status === asPool.status;
    return isAgreed && asWriter.depth >= requiredDepth && asPool.depth >= requiredDepth ? asWriter : undefined;
  }
}
