/**
 * Credits deposits once: transfers with 20 confirmations are taken from the address set, each is judged by all rules, and
 * every step is written together with the place in the list. Killed at any moment it goes on where it was.
 * @source specification 4.14
 */
import { createHash } from 'node:crypto';
import type { Log } from '#runtime/log.ts';
import { type ApiClient, Refused } from './http.ts';
import type { Store } from './store.ts';

export interface MonitorOptions {
  readonly api: ApiClient;
  readonly store: Store;
  readonly chainId: number;
  /** Deposit addresses, lower case. */
  readonly addresses: readonly string[];
  /** Least deposit, wei. */
  readonly minValue: bigint;
  readonly log: Log;
}

export interface Credit {
  readonly txHash: string;
  readonly to: string;
  /** Wei. */
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

interface Place {
  readonly setId: string;
  readonly cursor: string | null;
  /** Of the addresses that are watched. */
  readonly digest: string;
  /** Where a walk without a cursor begins. */
  readonly fromBlock: number;
}

const pageRows = 500;
/** Blocks looked at again when the place was lost: what is credited already is known and left out. */
const overlapBlocks = 100;

export class DepositMonitor {
  readonly #digest: string;
  readonly options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.options = options;

    this.#digest = createHash('sha256')
      .update([...options.addresses].sort().join('\n'))
      .digest('hex');
  }

  /** One round: new transfers are noted, and those that wait are judged. @returns true when there was something to do */
  async step(): Promise<boolean> {
    const isMore = await this.#note();
    const decided = await this.#judgeAll();
    return isMore || decided > 0;
  }

  async credits(): Promise<Credit[]> {
    return (await this.options.store.list<Credit>(`credit:${this.options.chainId}:`)).map(([, credit]) => credit);
  }

  /** A deposit is one of its chain, transaction and place in it; a plain transfer has the place 0. */
  #key(kind: 'credit' | 'candidate' | 'rejected', hash: string): string {
    return `${kind}:${this.options.chainId}:${hash}:0`;
  }

  /** A set that was not asked for in a day is gone: the same addresses are told again. */
  async #newSet(fromBlock: number): Promise<Place> {
    const { id } = await this.options.api.post('/address-sets', { addresses: this.options.addresses });
    const place = { setId: id, cursor: null, fromBlock, digest: this.#digest };
    await this.options.store.write([{ key: 'place', value: place }]);
    return place;
  }

  /** Writes new transfers down as candidates, with the place behind them. @returns true when there are more */
  async #note(): Promise<boolean> {
    const { api, store, log } = this.options;
    const known = await store.get<Place>('place');
    // other addresses than before: all of history is looked at for them; what is credited already is left out
    const place = known?.digest === this.#digest ? known : await this.#newSet(0);
    const from = place.cursor === null ? `fromBlock=${place.fromBlock}` : `cursor=${place.cursor}`;
    try {
      const page = await api.get(`/address-sets/${place.setId}/transfers?limit=${pageRows}&${from}`);
      const candidates: Candidate[] = [];
      for (const { txHash, to, value, blockNumber, kind } of page.items)
        if (kind === 'native' && !(await this.#isDecided(txHash))) candidates.push({ txHash, to, value, blockNumber });
      const next = { ...place, cursor: page.nextCursor, fromBlock: Math.max(place.fromBlock, page.throughBlock) };
      await store.write([
        ...candidates.map((candidate) => ({ key: this.#key('candidate', candidate.txHash), value: candidate })),
        { key: 'place', value: next },
      ]);
      return page.hasMore;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      log.warn({ event: 'deposits_place_lost', code: error.code });
      const fork = Number(error.details['forkBlock'] ?? place.fromBlock);
      await this.#newSet(Math.max(0, Math.min(fork, place.fromBlock) - overlapBlocks));
      return true;
    }
  }

  async #isDecided(hash: string): Promise<boolean> {
    const { store } = this.options;
    const known = await Promise.all([store.get(this.#key('credit', hash)), store.get(this.#key('rejected', hash))]);
    return known.some((entry) => entry !== undefined);
  }

  /** @returns how many were decided */
  async #judgeAll(): Promise<number> {
    let decided = 0;
    for (const [, candidate] of await this.options.store.list<Candidate>(`candidate:${this.options.chainId}:`))
      if (await this.#judge(candidate)) decided++;
    return decided;
  }

  async #judge({ txHash, to, value, blockNumber }: Candidate): Promise<boolean> {
    const { api, store, minValue, log } = this.options;
    const judged = await api.get(`/deposits/verdict?tx=${txHash}&to=${to}&minValue=${minValue}`);
    if (judged.verdict === 'wait') return false;
    const done = { key: this.#key('candidate', txHash), value: undefined };
    if (judged.verdict === 'creditable' && judged.value === value) {
      const credit: Credit = { txHash, to, value, blockNumber, blockHash: judged.blockHash };
      await store.write([done, { key: this.#key('credit', txHash), value: credit }]);
      log.info({ event: 'deposit_credited', txHash, to, value });
    } else {
      const { state } = judged;
      await store.write([done, { key: this.#key('rejected', txHash), value: { txHash, to, value, state } }]);
      log.warn({ event: 'deposit_rejected', txHash, to, state });
    }
    return true;
  }
}
