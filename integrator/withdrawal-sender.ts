/**
 * Pays each withdrawal of an exchange exactly once. Stores a signed transaction before sending it, and resends the same
 * bytes. Signs again only if writer and read pool agree on a finalized transaction that used the nonce without paying.
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
import { WalletNonces } from './wallet-nonces.ts';

export interface SenderOptions {
  readonly api: Cordscan;
  /** Only this node receives transactions. */
  readonly writer: NodeClient;
  /** Nodes for reads. Receipts are read from this pool and from the writer. */
  readonly pool: NodeClient;
  readonly store: Store;
  readonly wallet: Pick<Wallet, 'address' | 'signTransaction'>;
  readonly chainId: number;
  /** Balance reserved for gas, wei. */
  readonly gasFloat: bigint;
  /** Maximum gas price, wei per gas. */
  readonly maxGasPrice: bigint;
  readonly maxPending: number;
  readonly log: Log;
}

/** Confirmations of a finalized transaction. @source docs/withdrawals.md#or-write-your-own */
const requiredDepth = 20;
const knownToNode = /already known|already imported|already in mempool|\bknown transaction|nonce too low/i;
const resendMs = 2_000;
/** Interval at which nonces of sent withdrawals are compared with the node, ms. */
const nonceCheckMs = 60_000;
/** Pause before another attempt for a recipient that rejects the payout, ms. */
const refusedCheckMs = 60_000;
/** When no withdrawal can be paid: pause before the next check, and before the next log, ms. */
const [heldCheckMs, heldLogMs] = [500, 60_000];
/** State requests for all open withdrawals. Without a key, the API allows 10 per second. */
const followsPerSecond = 8;

/** The request is invalid, so repeating it fails too. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
}

export class WithdrawalSender {
  /** Time of the last send by hash, performance.now(). */
  readonly #sentAt = new Map<string, number>();
  #noncesCheckedAt = Number.NEGATIVE_INFINITY;
  /** Times of the next attempts by id, for recipients that reject the payout. */
  readonly #refusedUntil = new Map<string, number>();
  readonly #followAt = new Map<string, number>();
  #heldAt = Number.NEGATIVE_INFINITY;
  readonly #heldLoggedAt = new Map<string, number>();
  readonly #payouts: Payouts;
  readonly nonces: WalletNonces;
  readonly #waits: LongWaits;
  readonly options: SenderOptions;

  constructor(options: SenderOptions) {
    this.options = options;
    this.#waits = new LongWaits(options.log, 'withdrawal_waits');
    this.#payouts = new Payouts(options.store);
    this.nonces = new WalletNonces(options, this.#payouts);
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

  /** Returns all withdrawals, including finished ones. */
  payouts(): Promise<Payout[]> {
    return this.#payouts.all();
  }

  /**
   * Updates sent withdrawals, then sends new ones.
   * @returns whether unfinished withdrawals remain
   */
  async step(): Promise<boolean> {
    const all = await this.#payouts.open();
    const signed = all.filter(isSigned).sort((a, b) => a.nonce - b.nonce);
    const requested = all.filter(({ state }) => state === 'requested');
    const due = requested.filter(({ id }) => performance.now() >= (this.#refusedUntil.get(id) ?? 0));
    for (const payout of signed) await this.#guarded(payout, () => this.#followInTurn(payout, signed.length));
    await this.#logNonceGap(signed);
    const room = this.options.maxPending - signed.length;
    if (room > 0 && due.length > 0 && performance.now() - this.#heldAt >= heldCheckMs)
      await this.#payDue(due, this.#own(signed), room);
    return signed.length + requested.length > 0;
  }

  /** @param room number of payouts that may be signed */
  async #payDue(due: readonly Payout[], own: readonly SignedPayout[], room: number): Promise<void> {
    const unknown = await this.nonces.countUnknown();
    // another program may have paid these withdrawals
    if (unknown > 0) return this.#hold('withdrawal_unknown_transactions', due, { transactions: unknown });
    const funds = await readFunds(this.options, own);
    const { gasPrice, balance } = funds;
    const { maxGasPrice } = this.options;
    if (gasPrice > maxGasPrice)
      return this.#hold('withdrawal_waits_for_gas_price', due, {
        gasPrice: `${gasPrice}`,
        maxGasPrice: `${maxGasPrice}`,
      });
    const waiting: Payout[] = [];
    for (const payout of due) {
      if (room <= 0) break;
      await this.#guarded(payout, async () => {
        if (await this.#pay(payout, funds)) room--;
        else waiting.push(payout);
      });
    }
    if (waiting.length > 0) this.#hold('withdrawal_waits_for_funds', waiting, { balance: balance.toString() });
  }

  /** Returns the withdrawals that the current wallet signed. A store may outlive a wallet. */
  #own(signed: readonly SignedPayout[]): SignedPayout[] {
    return signed.filter(({ raw }) => this.nonces.isOwn(Transaction.from(raw)));
  }

  /** Logs if a nonce below all signed withdrawals is unused. No block can include them until a transaction uses it. */
  async #logNonceGap(signed: readonly SignedPayout[]): Promise<void> {
    if (signed.length === 0 || performance.now() - this.#noncesCheckedAt < nonceCheckMs) return;
    this.#noncesCheckedAt = performance.now();
    const [lowest] = this.#own(signed);
    if (!lowest) return;
    const { log } = this.options;
    await this.#guarded(lowest, async () => {
      const unused = await this.nonces.readCount();
      if (unused < lowest.nonce)
        log.error({ event: 'withdrawal_nonce_gap', id: lowest.id, nonce: lowest.nonce, unused });
    });
  }

  /** Logs the reason why no withdrawal is paid, and pauses payments. */
  #hold(event: string, waiting: readonly Payout[], fields: Readonly<Record<string, unknown>>): void {
    this.#heldAt = performance.now();
    if (this.#heldAt - (this.#heldLoggedAt.get(event) ?? Number.NEGATIVE_INFINITY) < heldLogMs) return;
    this.#heldLoggedAt.set(event, this.#heldAt);
    this.options.log.error({ event, id: waiting[0]?.id, count: waiting.length, ...fields });
  }

  /** Logs errors, so that one failing withdrawal does not stop the others. */
  async #guarded({ id }: Payout, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) =>
      this.options.log.error({ event: 'withdrawal_error', id, error: String(error) }),
    );
  }

  /**
   * Signs, stores and sends a withdrawal. Sends nothing if the balance is too low.
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
    const nonce = await this.nonces.next();
    const fields = { type: 0, chainId, nonce, to: payout.to, value, gasLimit, gasPrice };
    const raw = await wallet.signTransaction(fields);
    const hash = known(Transaction.from(raw).hash, 'the hash of the signed transaction');
    const signed: SignedPayout = { ...payout, state: 'signed', nonce, raw, hash };
    // store first: after a crash, the store must contain every sent transaction
    await this.#payouts.save(signed, this.nonces.use(nonce));
    funds.left -= cost;
    await this.#send(signed);
    return true;
  }

  /** Errors are only logged. The same bytes are sent again later. */
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

  /**
   * Sends the request only if the API's limit allows another one. @param open number of withdrawals that share the
   * limit
   */
  async #followInTurn(payout: SignedPayout, open: number): Promise<void> {
    const { hash } = payout;
    if (performance.now() < (this.#followAt.get(hash) ?? Number.NEGATIVE_INFINITY)) return;
    this.#followAt.set(hash, performance.now() + (1_000 * open) / followsPerSecond);
    await this.#follow(payout).catch((error: unknown) => {
      this.#followAt.set(hash, performance.now() + resendMs);
      throw error;
    });
  }

  async #follow(payout: SignedPayout): Promise<void> {
    const { api } = this.options;
    const { raw, hash, id } = payout;
    const body = { raw, broadcast: false };
    const status = await api.post('/api/v1/withdrawals', { body, idempotent: true }).catch(async (error: unknown) => {
      if (this.#isDue(hash)) await this.#send(payout); // the transaction must reach the chain even if the API fails
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

  /** Ends a payout if writer and read pool confirm its final state. Otherwise tries again later. */
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

  #forget({ hash }: SignedPayout): void {
    this.#waits.end(hash);
    this.#sentAt.delete(hash);
    this.#followAt.delete(hash);
  }

  #isDue(hash: string): boolean {
    return performance.now() - (this.#sentAt.get(hash) ?? Number.NEGATIVE_INFINITY) > resendMs;
  }

  /**
   * Completes a withdrawal if the transaction that used its nonce paid it. Otherwise prepares it for a new signature.
   */
  async #finalizeReplaced(payout: SignedPayout, rivalHash: string): Promise<void> {
    const { log } = this.options;
    const { id, hash } = payout;
    const rival = await this.#minedAt(rivalHash);
    // the wallet may have changed since the payout was signed
    const sender = Transaction.from(payout.raw).from?.toLowerCase();
    if (!rival || rival.sender !== sender || rival.nonce !== payout.nonce) {
      log.warn({ event: 'withdrawal_rival_unconfirmed', id, hash, by: rivalHash });
      return; // try again until writer and read pool agree
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
