/**
 * Credits each deposit of an exchange exactly once. Reads transfers with 20 confirmations, and asks the API whether to
 * credit each. Stores each step atomically with the position in the list of transfers, so a kill loses nothing.
 * @source docs/deposits.md
 */
import { createHash } from 'node:crypto';
import { type Cordscan, CordscanError } from '#client/index.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { LongWaits } from './long-waits.ts';
import type { Store } from './store.ts';

export interface MonitorOptions {
  readonly api: Cordscan;
  readonly store: Store;
  readonly chainId: number;
  /** Deposit addresses in lower case. */
  readonly addresses: readonly string[];
  /** Minimum deposit, wei. */
  readonly minValue: bigint;
  readonly log: Log;
}

export interface Credit {
  readonly txHash: string;
  readonly to: string;
  /** Amount, wei. */
  readonly value: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

interface Candidate {
  readonly txHash: string;
  readonly to: string;
  readonly value: string;
  readonly blockNumber: number;
}

interface Position {
  readonly setId: string;
  readonly cursor: string | null;
  /** SHA-256 of the deposit addresses, to detect changes. */
  readonly digest: string;
  readonly fromBlock: number;
}

const pageRows = 500;
const maxFailuresInRow = 3;
/** Blocks to read again after the position was lost. */
const overlapBlocks = 100;

export class DepositMonitor {
  readonly #digest: string;
  readonly #waits: LongWaits;
  readonly options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.options = options;
    this.#waits = new LongWaits(options.log, 'deposit_waits');

    this.#digest = createHash('sha256')
      .update([...options.addresses].sort().join('\n'))
      .digest('hex');
  }

  /**
   * Stores new transfers, then credits or rejects stored ones, also if the list of transfers fails.
   * @returns whether there was work
   */
  async step(): Promise<boolean> {
    const [stored] = await Promise.allSettled([this.#storeCandidates()]);
    const decided = await this.#decideAll();
    if (stored.status === 'rejected') throw stored.reason;
    return stored.value || decided > 0;
  }

  async nextBlock(): Promise<number> {
    const stored = await this.options.store.get<Position>(this.#placeKey);
    return stored?.digest === this.#digest ? stored.fromBlock : 0;
  }

  async credits(): Promise<Credit[]> {
    return (await this.options.store.list<Credit>(`credit:${this.options.chainId}:`)).map(([, credit]) => credit);
  }

  get #placeKey(): string {
    return `place:${this.options.chainId}`;
  }

  /** Returns the key of an entry: chain, transaction, and 0, the position of a plain transfer. */
  #key(kind: 'credit' | 'candidate' | 'rejected', hash: string): string {
    return `${kind}:${this.options.chainId}:${hash}:0`;
  }

  /** The API deletes address sets that were not used for a day. */
  async #createSet(fromBlock: number): Promise<Position> {
    const { id } = await this.options.api.post('/api/v1/address-sets', {
      body: { addresses: [...this.options.addresses] },
      idempotent: true, // a second set is harmless: it is unused and expires
    });
    const position = { setId: id, cursor: null, fromBlock, digest: this.#digest };
    await this.options.store.write([{ key: this.#placeKey, value: position }]);
    return position;
  }

  async #storeCandidates(): Promise<boolean> {
    const { api, store, log } = this.options;
    const stored = await store.get<Position>(this.#placeKey);
    // after a change of addresses, read all history; decided transfers are skipped
    const position = stored?.digest === this.#digest ? stored : await this.#createSet(0);
    const { setId, cursor, fromBlock } = position;
    const start = cursor === null ? { fromBlock } : { cursor };
    try {
      const page = await api.get('/api/v1/address-sets/{id}/transfers', {
        path: { id: setId },
        query: { limit: pageRows, ...start },
      });
      const candidates: Candidate[] = [];
      for (const { txHash, to, value, blockNumber, kind } of page.items)
        if (kind === 'native' && !(await this.#isDecided(txHash))) candidates.push({ txHash, to, value, blockNumber });
      const next = { ...position, cursor: page.nextCursor, fromBlock: Math.max(fromBlock, page.throughBlock) };
      await store.write([
        ...candidates.map((candidate) => ({ key: this.#key('candidate', candidate.txHash), value: candidate })),
        { key: this.#placeKey, value: next },
      ]);
      return page.hasMore;
    } catch (error) {
      if (!(error instanceof CordscanError) || error.isTemporary) throw error;
      log.warn({ event: 'deposits_place_lost', code: error.code });
      const block = restartBlock(error, fromBlock);
      const { indexed } = await api.get('/api/v1/status');
      const from = block <= indexed.from ? 0 : block; // 0: from the first block of the index
      if (error.code === 'not_found') await this.#createSet(from);
      else await store.write([{ key: this.#placeKey, value: { ...position, cursor: null, fromBlock: from } }]);
      return true;
    }
  }

  async #isDecided(hash: string): Promise<boolean> {
    const { store } = this.options;
    const entries = await Promise.all([store.get(this.#key('credit', hash)), store.get(this.#key('rejected', hash))]);
    return entries.some((entry) => entry !== undefined);
  }

  /**
   * Decides candidates, also those behind one that fails, which the next step tries again.
   * @throws Error after several failures in a row: then the API fails, not one verdict
   */
  async #decideAll(): Promise<number> {
    let [decided, failuresInRow] = [0, 0];
    for (const [, candidate] of await this.options.store.list<Candidate>(`candidate:${this.options.chainId}:`))
      try {
        if (await this.#decide(candidate)) decided++;
        failuresInRow = 0;
      } catch (error) {
        if (++failuresInRow >= maxFailuresInRow) throw error;
        this.options.log.warn({ event: 'deposit_undecided', txHash: candidate.txHash, error: String(error) });
      }
    return decided;
  }

  async #decide({ txHash, to, value, blockNumber }: Candidate): Promise<boolean> {
    const { api, store, minValue, log } = this.options;
    const judged = await api.get('/api/v1/deposits/verdict', {
      query: { tx: txHash, to, minValue: String(minValue) },
    });
    if (judged.verdict === 'wait') {
      this.#waits.note(txHash, judged.state, { txHash });
      return false;
    }
    this.#waits.end(txHash);
    const done = { key: this.#key('candidate', txHash), value: undefined };
    if (judged.verdict === 'creditable' && judged.value === value) {
      const credit: Credit = {
        txHash,
        to,
        value,
        // a reorg may have moved the transaction since it was listed
        blockNumber: judged.evidence.index.blockNumber ?? blockNumber,
        blockHash: known(judged.blockHash, 'the block of a creditable deposit'),
      };
      await store.write([done, { key: this.#key('credit', txHash), value: credit }]);
      log.info({ event: 'deposit_credited', txHash, to, value });
    } else if (judged.verdict === 'creditable' && judged.value !== null) {
      // the block was repaired after the transfer was listed
      log.error({ event: 'deposit_value_changed', txHash, listed: value, value: judged.value });
      const candidate: Candidate = { txHash, to, value: judged.value, blockNumber };
      await store.write([{ key: this.#key('candidate', txHash), value: candidate }]);
      return false;
    } else {
      const { state } = judged;
      await store.write([done, { key: this.#key('rejected', txHash), value: { txHash, to, value, state } }]);
      log.warn({ event: 'deposit_rejected', txHash, to, state });
    }
    return true;
  }
}

/** Returns the block from which transfers must be read again after an error of the cursor or the set. */
function restartBlock({ code, details }: CordscanError, fromBlock: number): number {
  if (code !== 'snapshot_invalidated') return Math.max(0, fromBlock - overlapBlocks);
  const fork = details['forkBlock'];
  // without a fork block, the service does not know how far down its blocks changed
  return typeof fork === 'number' ? Math.max(0, Math.min(fork, fromBlock) - overlapBlocks) : 0;
}
