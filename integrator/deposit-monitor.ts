/**
 * Credits each deposit of an exchange exactly once. Reads transfers with 20 confirmations and requests a verdict for
 * each. Stores each step atomically with the list position, so a kill loses nothing.
 * @source docs/deposits.md
 */
import { createHash } from 'node:crypto';
import { type Cordscan, CordscanError } from '#client/index.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { type Credit, entryPrefix, readPlace } from './credit.ts';
import { CreditRechecks } from './credit-rechecks.ts';
import { CreditingFreeze, getHash } from './crediting-freeze.ts';
import { LongWaits } from './long-waits.ts';
import { assertApplied, type ConfirmationRule, defaultConfirmations, getNeeded } from './needed-confirmations.ts';
import type { Change, Store } from './store.ts';
import { tryEach } from './try-each.ts';

export interface MonitorOptions {
  readonly api: Cordscan;
  readonly store: Store;
  readonly chainId: number;
  /** Deposit addresses, lower case. */
  readonly addresses: readonly string[];
  /** Minimum deposit, wei. */
  readonly minValue: bigint;
  /** Default: 20 for all deposits. */
  readonly confirmations?: ConfirmationRule;
  readonly log: Log;
  /** Called before reading starts at a new position. @throws Error if the API serves another chain */
  readonly assertChain?: () => Promise<void>;
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
  /**
   * Set while the list is read again. Without its old cursor, the monitor can miss a reorg, so it checks the newest
   * credits at the end.
   */
  readonly isReadAgain?: boolean | undefined;
}

/** Error codes that mean a lost cursor or address set. Other errors, such as 403 of a proxy, are temporary. */
const lostPlaceCodes: ReadonlySet<string> = new Set(['snapshot_invalidated', 'invalid_cursor', 'not_found']);
const pageRows = 500;
/** Blocks to read again after the position was lost. */
const overlapBlocks = 100;

export class DepositMonitor {
  readonly #digest: string;
  readonly #waits: LongWaits;
  readonly #rechecks: CreditRechecks;
  readonly #freeze: CreditingFreeze;
  readonly #confirmations: ConfirmationRule;
  /** Block up to which the list has returned transfers; infinity if unknown. */
  #listedThrough = Number.POSITIVE_INFINITY;
  /** The list has reported a reorg, but the checks of removed credits are not stored yet. */
  #hasUnstoredReorg = false;
  readonly options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.options = options;
    this.#waits = new LongWaits(options.log, 'deposit_waits');
    this.#freeze = new CreditingFreeze(options.log);
    this.#confirmations = options.confirmations ?? defaultConfirmations;
    this.#rechecks = new CreditRechecks({ ...options, confirmations: this.#confirmations });
    this.#digest = createHash('sha256')
      .update([...options.addresses].sort().join('\n'))
      .digest('hex');
  }

  /**
   * Stores new transfers and the checks of credits in removed blocks. Then decides stored transfers, even if the list
   * fails, but not while a reorg may have removed a credit.
   * @returns whether there was work
   */
  async step(): Promise<boolean> {
    const [stored] = await Promise.allSettled([this.#storeCandidates()]);
    if (stored.status === 'rejected') this.#listedThrough = Number.POSITIVE_INFINITY;
    const [rechecked] = await Promise.allSettled([this.#rechecks.step()]);
    const isFrozen = this.#freeze.check(await this.#rechecks.listFreezing());
    const decided = isFrozen || this.#hasUnstoredReorg ? 0 : await this.#decideAll();
    if (stored.status === 'rejected') throw stored.reason;
    if (rechecked.status === 'rejected') throw rechecked.reason;
    return stored.value || rechecked.value || decided > 0;
  }

  async listFreezing(): Promise<string[]> {
    return (await this.#rechecks.listFreezing()).map(getHash);
  }

  async nextBlock(): Promise<number> {
    const stored = await this.options.store.get<Position>(this.#placeKey);
    return stored?.digest === this.#digest ? stored.fromBlock : 0;
  }

  async credits(): Promise<Credit[]> {
    return (await this.options.store.list<Credit>(entryPrefix('credit', this.options.chainId))).map(
      ([, credit]) => credit,
    );
  }

  get #placeKey(): string {
    return `place:${this.options.chainId}`;
  }

  /** Returns the key of an entry: chain, transaction, and 0, the position of a plain transfer. */
  #key(kind: 'credit' | 'candidate' | 'rejected', hash: string): string {
    return `${entryPrefix(kind, this.options.chainId)}${hash}:0`;
  }

  /** The API deletes address sets that were unused for a day. */
  async #createSet(place: Pick<Position, 'fromBlock' | 'isReadAgain'>, ...more: readonly Change[]): Promise<Position> {
    const { id } = await this.options.api.post('/api/v1/address-sets', {
      body: { addresses: [...this.options.addresses] },
      idempotent: true, // a second set is harmless: unused, it expires
    });
    const position = { ...place, setId: id, cursor: null, digest: this.#digest };
    await this.options.store.write([{ key: this.#placeKey, value: position }, ...more]);
    return position;
  }

  async #storeCandidates(): Promise<boolean> {
    const { api, store, log } = this.options;
    const stored = await store.get<Position>(this.#placeKey);
    const position = stored?.digest === this.#digest ? stored : await this.#startAgain(stored);
    const { setId, cursor, fromBlock } = position;
    const start = cursor === null ? { fromBlock } : { cursor };
    try {
      const page = await api.get('/api/v1/address-sets/{id}/transfers', {
        path: { id: setId },
        query: { limit: pageRows, minConfirmations: this.#confirmations.least, ...start },
      });
      const candidates: Candidate[] = [];
      for (const { txHash, to, value, blockNumber, kind } of page.items)
        if (kind === 'native' && !(await this.#isDecided(txHash))) candidates.push({ txHash, to, value, blockNumber });
      const next = { ...position, cursor: page.nextCursor, fromBlock: Math.max(fromBlock, page.throughBlock) };
      const isEnd = position.isReadAgain === true && !page.hasMore;
      await store.write([
        ...candidates.map((candidate) => ({ key: this.#key('candidate', candidate.txHash), value: candidate })),
        { key: this.#placeKey, value: isEnd ? { ...next, isReadAgain: undefined } : next },
        ...(isEnd ? await this.#rechecks.requestNewest() : []),
      ]);
      [this.#listedThrough, this.#hasUnstoredReorg] = [page.throughBlock, false];
      return page.hasMore;
    } catch (error) {
      if (!isLostPlace(error)) throw error;
      log.warn({ event: 'deposits_place_lost', code: error.code });
      this.#hasUnstoredReorg = error.code === 'snapshot_invalidated';
      await this.#findPlace(error, position);
      this.#hasUnstoredReorg = false;
      return true;
    }
  }

  /** Stores the position at which reading resumes after the cursor or address set was lost. */
  async #findPlace(error: CordscanError, position: Position): Promise<void> {
    const { block, unchanged } = restart(error, position.fromBlock);
    const indexedFrom = await this.#assertReadable(unchanged ?? position.fromBlock);
    const fromBlock = block <= indexedFrom ? 0 : block; // 0: read from the first indexed block
    const rechecks = await this.#requestRechecks(error, position);
    const place = { fromBlock, isReadAgain: true };
    if (error.code === 'not_found') await this.#createSet(place, ...rechecks);
    else
      await this.options.store.write([
        { key: this.#placeKey, value: { ...position, ...place, cursor: null } },
        ...rechecks,
      ]);
  }

  /** After a change of addresses, reads all history. Transfers already credited or rejected are skipped. */
  async #startAgain(stored: Position | undefined): Promise<Position> {
    if (!stored) return this.#createSet({ fromBlock: 0 });
    await this.#assertReadable(stored.fromBlock);
    return this.#createSet({ fromBlock: 0, isReadAgain: true }, ...(await this.#findReorg(stored)));
  }

  /** Requests new verdicts for credits in blocks that a reorg removed. Only the old cursor reveals the reorg. */
  async #findReorg(position: Position): Promise<Change[]> {
    const { setId: id, cursor } = position;
    if (cursor === null) return [];
    const request = { path: { id }, query: { cursor, limit: 1 } };
    return this.options.api.get('/api/v1/address-sets/{id}/transfers', request).then(
      () => [],
      (error: unknown) => {
        if (!isLostPlace(error)) throw error;
        return this.#requestRechecks(error, position);
      },
    );
  }

  /** Returns the changes that request new verdicts after a reorg; none if only the set or the cursor has expired. */
  async #requestRechecks(error: CordscanError, { fromBlock }: Position): Promise<Change[]> {
    if (error.code !== 'snapshot_invalidated') return [];
    return this.#rechecks.request(restart(error, fromBlock).unchanged ?? 0, error.details['isRepair'] !== true);
  }

  /**
   * Returns the first block of the index.
   * @param through block up to which all transfers were read; 0: none
   * @throws Error if the index lacks blocks after `through`: their deposits would never be credited
   */
  async #assertReadable(through: number): Promise<number> {
    await this.options.assertChain?.();
    const { indexed } = await this.options.api.get('/api/v1/status');
    if (through > 0 && through + 1 < indexed.from)
      throw new Error(
        `the index starts at block ${indexed.from}, but deposits are read up to block ${through}: index again with START_BLOCK ${through + 1} or lower, into another CLICKHOUSE_DATABASE`,
      );
    return indexed.from;
  }

  async #isDecided(hash: string): Promise<boolean> {
    const { store } = this.options;
    const entries = await Promise.all([store.get(this.#key('credit', hash)), store.get(this.#key('rejected', hash))]);
    return entries.some((entry) => entry !== undefined);
  }

  /**
   * A failed candidate does not stop the others; the next step tries it again.
   * @throws Error after several failures in a row, which mean that the API fails
   */
  async #decideAll(): Promise<number> {
    const { store, chainId, log } = this.options;
    let decided = 0;
    await tryEach(
      await store.list<Candidate>(entryPrefix('candidate', chainId)),
      async ([, candidate]) => {
        if (await this.#decide(candidate)) decided++;
      },
      ([, { txHash }], error) => log.warn({ event: 'deposit_undecided', txHash, error: String(error) }),
    );
    return decided;
  }

  async #decide({ txHash, to, value, blockNumber }: Candidate): Promise<boolean> {
    const { api, store, minValue, log } = this.options;
    const minConfirmations = getNeeded(this.#confirmations, value);
    const more = minConfirmations - this.#confirmations.least;
    // the deposit is not deep enough yet, so a request would be useless
    if (more > 0 && blockNumber + more > this.#listedThrough) return false;
    const query = { tx: txHash, to, minValue: String(minValue), minConfirmations };
    const judged = await api.get('/api/v1/deposits/verdict', { query });
    assertApplied(judged.required, minConfirmations);
    if (judged.verdict === 'wait') {
      this.#waits.note(txHash, judged.state, { txHash });
      return false;
    }
    if (judged.verdict !== 'creditable' && judged.verdict !== 'reject')
      throw new Error(`the API returned the verdict ${String(judged.verdict)}, expected creditable, wait or reject`);
    this.#waits.end(txHash);
    const done = { key: this.#key('candidate', txHash), value: undefined };
    if (judged.verdict === 'creditable' && judged.value === value) {
      const credit: Credit = { txHash, to, value, ...readPlace(judged, blockNumber) };
      await store.write([done, { key: this.#key('credit', txHash), value: credit }]);
      log.info({ event: 'deposit_credited', txHash, to, value });
    } else if (judged.verdict === 'creditable') {
      // the block was repaired after the transfer was listed
      const current = known(judged.value, 'the value of a creditable deposit');
      log.error({ event: 'deposit_value_changed', txHash, listed: value, value: current });
      const candidate: Candidate = { txHash, to, value: current, blockNumber };
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

const isLostPlace = (error: unknown): error is CordscanError =>
  error instanceof CordscanError && lostPlaceCodes.has(error.code);

/**
 * Returns the block from which to read transfers again, and the last read block that did not change (undefined:
 * unknown).
 */
function restart({ code, details }: CordscanError, fromBlock: number): { block: number; unchanged?: number } {
  if (code !== 'snapshot_invalidated') return { block: Math.max(0, fromBlock - overlapBlocks), unchanged: fromBlock };
  const fork = details['forkBlock'];
  // without a fork block, the service does not know how far down its blocks changed
  if (typeof fork !== 'number') return { block: 0 };
  const unchanged = Math.min(fork, fromBlock);
  return { block: Math.max(0, unchanged - overlapBlocks), unchanged };
}
