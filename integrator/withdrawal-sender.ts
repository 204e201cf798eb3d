/**
 * Pays withdrawals once: each is signed once, kept with its bytes and hash before it is sent, and only those bytes are ever
 * sent again. Another signature is made only when another transaction with its nonce is final, on writer and read pool, and
 * paid something else. @source specification 4.14
 */
import { isAddress, Transaction, type Wallet } from 'ethers';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { type ApiClient, type NodeClient, RpcRefused } from './http.ts';
import type { Store } from './store.ts';

export interface SenderOptions {
  readonly api: ApiClient;
  /** The writer; transactions go nowhere else. */
  readonly writer: NodeClient;
  /** The read pool: receipts are read there and from the writer. */
  readonly pool: NodeClient;
  readonly store: Store;
  readonly wallet: Pick<Wallet, 'address' | 'signTransaction'>;
  readonly chainId: number;
  /** Wei that stay in the wallet for gas. */
  readonly gasFloat: bigint;
  /** Withdrawals under way at once. */
  readonly maxPending: number;
  readonly log: Log;
}

export interface Payout {
  /** The exchange's own id of the withdrawal. */
  readonly id: string;
  readonly to: string;
  /** Wei. */
  readonly value: string;
  readonly state: 'requested' | 'signed' | 'complete' | 'failed';
  readonly nonce?: number;
  readonly raw?: string;
  readonly hash?: string;
  /** The transaction that paid it in the place of `hash`: same sender and nonce, same recipient and value. */
  readonly paidBy?: string;
}

type SignedPayout = Payout & Required<Pick<Payout, 'nonce' | 'raw' | 'hash'>>;

/** Nonce, bytes and hash are stored with that state. */
const isSigned = (payout: Payout): payout is SignedPayout => payout.state === 'signed';

const gasLimit = 21_000n;
/** Blocks that must stand on a transaction. @source specification 4.14 */
const requiredDepth = 20;
const knownToNode = /already known|already imported|already in mempool|known transaction|nonce too low/i;
/** The same bytes are sent again after this, ms. */
const resendMs = 2_000;

export class WithdrawalSender {
  /** When bytes were last sent, by hash. */
  readonly #sentAt = new Map<string, number>();
  readonly options: SenderOptions;

  constructor(options: SenderOptions) {
    this.options = options;
  }

  /** Takes a withdrawal on; one that is known is left as it is. @throws Error where it is none, or the id stands for another one */
  async request(id: string, to: string, value: bigint): Promise<void> {
    if (!isAddress(to) || value <= 0n) throw new Error(`withdrawal ${id} needs a recipient and a value above 0`);
    const known = await this.options.store.get<Payout>(`payout:${id}`);
    if (known && (known.to !== to.toLowerCase() || known.value !== value.toString()))
      throw new Error(`withdrawal ${id} is already known with another recipient or value`);
    if (known) return;
    const payout: Payout = { id, to: to.toLowerCase(), value: value.toString(), state: 'requested' };
    await this.options.store.write([{ key: `payout:${id}`, value: payout }]);
  }

  async payouts(): Promise<Payout[]> {
    return (await this.options.store.list<Payout>('payout:')).map(([, payout]) => payout);
  }

  /** One round: what is under way is followed, and what waits is signed and sent. @returns true while something is open */
  async step(): Promise<boolean> {
    const all = await this.payouts();
    const signed = all.filter(isSigned).sort((a, b) => a.nonce - b.nonce);
    const requested = all.filter(({ state }) => state === 'requested');
    for (const payout of signed) await this.#guarded(payout, () => this.#follow(payout));
    const room = Math.max(0, this.options.maxPending - signed.length);
    for (const payout of requested.slice(0, room)) await this.#guarded(payout, () => this.#pay(payout));
    return signed.length + requested.length > 0;
  }

  /** One withdrawal that can't go on does not hold up the others. */
  async #guarded({ id }: Payout, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) =>
      this.options.log.error({ event: 'withdrawal_fault', id, error: String(error) }),
    );
  }

  /** Leaves it as it is where the wallet does not hold enough, what is signed already set aside. */
  async #pay(payout: Payout): Promise<void> {
    const { writer, wallet, gasFloat, store, chainId, log } = this.options;
    const gasPrice = 2n * BigInt(await writer.read<string>('eth_gasPrice'));
    const balance = BigInt(await writer.read<string>('eth_getBalance', [wallet.address, 'latest']));
    const pending = (await this.payouts()).filter(isSigned);
    const promised = pending.reduce((sum, one) => sum + BigInt(one.value) + gasPrice * gasLimit, 0n);
    if (balance < promised + BigInt(payout.value) + gasPrice * gasLimit + gasFloat) {
      log.error({ event: 'withdrawal_waits_for_funds', id: payout.id, balance: balance.toString() });
      return;
    }
    const nonce = await this.#nextNonce();
    const fields = { type: 0, chainId, nonce, to: payout.to, value: BigInt(payout.value), gasLimit, gasPrice };
    const raw = await wallet.signTransaction(fields);
    const hash = known(Transaction.from(raw).hash, 'the hash of what is signed');
    const signed: SignedPayout = { ...payout, state: 'signed', nonce, raw, hash };
    // kept before it is sent: what may be on its way is never unknown
    await store.write([
      { key: `payout:${payout.id}`, value: signed },
      { key: 'nextNonce', value: nonce + 1 },
    ]);
    await this.#send(signed);
  }

  async #nextNonce(): Promise<number> {
    const { writer, wallet, store } = this.options;
    const counts = ['latest', 'pending'].map((tag) =>
      writer.read<string>('eth_getTransactionCount', [wallet.address, tag]),
    );
    const known = (await store.get<number>('nextNonce')) ?? 0;
    return Math.max(known, ...(await Promise.all(counts)).map(Number));
  }

  /** Sends the bytes, once. A fault on the way leaves it signed: the same bytes are sent again. */
  async #send({ id, raw, hash }: SignedPayout): Promise<void> {
    const { writer, log } = this.options;
    this.#sentAt.set(hash, Date.now());
    try {
      await writer.once('eth_sendRawTransaction', [raw]);
    } catch (error) {
      const said = error instanceof RpcRefused ? error.nodeMessage : String(error);
      if (error instanceof RpcRefused && knownToNode.test(said)) return;
      log.warn({ event: 'withdrawal_send_fault', id, hash, said });
    }
  }

  async #follow(payout: SignedPayout): Promise<void> {
    const { api, store, log } = this.options;
    const { raw, hash, id } = payout;
    const standing = await api.post('/withdrawals', { raw, broadcast: false });
    if (standing.hash !== hash.toLowerCase()) throw new Error(`the service names another hash for withdrawal ${id}`);
    if (standing.state === 'complete' || standing.state === 'failed') {
      const mined = await this.#minedAt(hash);
      if (mined?.status !== (standing.state === 'complete' ? 1 : 0)) return; // asked again: a node does not confirm it yet
      await store.write([{ key: `payout:${id}`, value: { ...payout, state: standing.state } }]);
      log.info({ event: `withdrawal_${standing.state}`, id, hash });
    } else if (standing.state === 'replaced') {
      await this.#finalizeReplaced(payout, standing.replacedBy);
    } else if (standing.state !== 'mined' && Date.now() - (this.#sentAt.get(hash) ?? 0) > resendMs) {
      await this.#send(payout);
    }
  }

  /**
   * Another transaction has used up the nonce, so this one can never be mined. Whether anything is signed again depends on
   * what the other one did: where it paid the same order, the withdrawal is complete.
   */
  async #finalizeReplaced(payout: Payout, rivalHash: string): Promise<void> {
    const { store, log } = this.options;
    const { id, hash } = payout;
    const rival = await this.#minedAt(rivalHash);
    if (!rival || rival.sender !== this.options.wallet.address.toLowerCase() || rival.nonce !== payout.nonce) {
      log.warn({ event: 'withdrawal_rival_unconfirmed', id, hash, by: rivalHash });
      return; // asked again: writer and read pool must agree on it first
    }
    if (rival.status === 1 && rival.to === payout.to && rival.value === payout.value) {
      await store.write([{ key: `payout:${id}`, value: { ...payout, state: 'complete', paidBy: rivalHash } }]);
      log.warn({ event: 'withdrawal_paid_by_replacement', id, hash, by: rivalHash });
      return;
    }
    log.error({ event: 'withdrawal_replaced', id, hash, by: rivalHash });
    const { nonce: _, raw: __, hash: ___, ...rest } = payout;
    await store.write([{ key: `payout:${id}`, value: { ...rest, state: 'requested' } }]);
  }

  /** A transaction as writer and read pool agree on it, 20 blocks deep at both; undefined: not yet. @source specification 4.14 */
  async #minedAt(hash: string): Promise<Mined | undefined> {
    const { writer, pool } = this.options;
    const [asWriter, asPool] = await Promise.all([writer, pool].map((node) => readMined(node, hash)));
    const isAgreed = asWriter && asPool && asWriter.blockHash === asPool.blockHash && asWriter.status === asPool.status;
    return isAgreed && asWriter.depth >= requiredDepth && asPool.depth >= requiredDepth ? asWriter : undefined;
  }
}

/** What a node says of a transaction that is in a block. */
interface Mined {
  readonly blockHash: string;
  readonly depth: number;
  readonly status: number;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string | null;
  /** Wei. */
  readonly value: string;
}

async function readMined(node: NodeClient, hash: string): Promise<Mined | undefined> {
  const [receipt, sent, latest] = await Promise.all([
    node.read<{ status: string; blockNumber: string; blockHash: string } | null>('eth_getTransactionReceipt', [hash]),
    node.read<{ from: string; nonce: string; to: string | null; value: string } | null>('eth_getTransactionByHash', [
      hash,
    ]),
    node.read<string>('eth_blockNumber'),
  ]);
  if (!receipt || !sent) return undefined;
  return {
    blockHash: receipt.blockHash.toLowerCase(),
    status: Number(receipt.status),
    depth: Number(latest) - Number(receipt.blockNumber),
    nonce: Number(sent.nonce),
    sender: sent.from.toLowerCase(),
    to: sent.to?.toLowerCase() ?? null,
    value: BigInt(sent.value).toString(),
  };
}
