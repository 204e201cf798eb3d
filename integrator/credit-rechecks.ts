/**
 * After a reorg, requests new verdicts for credited deposits of the removed blocks, and reports credits whose deposits
 * are gone. The store keeps waiting credits, so a kill loses nothing.
 */
import type { Cordscan } from '#client/index.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { type Credit, entryPrefix, readPlace } from './credit.ts';
import { getHash, isFreezing, type Recheck, type RecheckEntry } from './crediting-freeze.ts';
import { LongWaits } from './long-waits.ts';
import { assertApplied, type ConfirmationRule, getNeeded } from './needed-confirmations.ts';
import type { Change, Store } from './store.ts';
import { tryEach } from './try-each.ts';

export interface RecheckOptions {
  readonly api: Cordscan;
  readonly store: Store;
  readonly chainId: number;
  readonly confirmations: ConfirmationRule;
  readonly log: Log;
}

/** Time before all verdicts are requested again, ms. */
const everyMs = 10_000;
/** Verdicts per step, few enough that new deposits do not wait long. */
const atOnce = 20;
/** Number of newest credits to check after a time in which a reorg may have gone unnoticed. Each needs a verdict. */
const mostNewest = 10_000;
/**
 * States of a deposit that is gone or not mined again. Other states may change when nodes and index have the same head.
 */
const lostStates: ReadonlySet<string> = new Set(['unknown', 'pending', 'failed', 'mismatch']);

export class CreditRechecks {
  #nextAt = Number.NEGATIVE_INFINITY;
  /** Key after which the next step continues. */
  #after = '';
  /** Entries that stop credits; undefined: read them again. */
  #freezing: readonly RecheckEntry[] | undefined;
  readonly #waits: LongWaits;
  readonly #options: RecheckOptions;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#waits = new LongWaits(options.log, 'deposit_recheck_waits');
  }

  /**
   * Returns the changes that request new verdicts for all credits above block `fork`.
   * @param freezes whether these entries stop new credits
   */
  async request(fork: number, freezes: boolean): Promise<Change[]> {
    const credits = await this.#listCredits();
    const removed = credits.filter(([, { blockNumber }]) => blockNumber > fork);
    return this.#toChanges(removed, freezes);
  }

  /**
   * Returns the changes that request new verdicts for the newest credits, because a reorg may have removed their
   * blocks.
   */
  async requestNewest(): Promise<Change[]> {
    const credits = await this.#listCredits();
    const newest = credits.sort(([, a], [, b]) => b.blockNumber - a.blockNumber).slice(0, mostNewest);
    return this.#toChanges(newest, false);
  }

  #listCredits(): Promise<[string, Credit][]> {
    return this.#options.store.list<Credit>(entryPrefix('credit', this.#options.chainId));
  }

  async listFreezing(): Promise<readonly RecheckEntry[]> {
    this.#freezing ??= (await this.#options.store.list<Recheck>(this.#prefix)).filter(isFreezing);
    return this.#freezing;
  }

  async #toChanges(credits: readonly (readonly [string, Credit])[], freezes: boolean): Promise<Change[]> {
    this.#nextAt = Number.NEGATIVE_INFINITY;
    this.#freezing = undefined;
    const waiting = new Map(await this.#options.store.list<Recheck>(this.#prefix));
    const keys = credits.map(([credit]) => `${this.#prefix}${credit}`);
    // report an orphaned credit only once
    return keys
      .filter((key) => !waiting.get(key)?.isReported)
      .map((key) => ({
        key,
        value: { isReported: false, freezes: freezes || waiting.get(key)?.freezes === true } satisfies Recheck,
      }));
  }

  /**
   * Requests verdicts and logs credits whose deposits are no longer on the chain. Repeats failed requests later.
   * @returns whether the next step has more to request
   * @throws Error after several failures in a row
   */
  async step(): Promise<boolean> {
    if (performance.now() < this.#nextAt) return false;
    const due = await this.#options.store.list<Recheck>(this.#prefix, { after: this.#after, limit: atOnce });
    const judge = ([key, recheck]: RecheckEntry) => {
      this.#after = key;
      return this.#judge(key, recheck);
    };
    await tryEach(due, judge, (entry, error) =>
      this.#options.log.warn({ event: 'deposit_recheck_failed', txHash: getHash(entry), error: String(error) }),
    );
    if (due.length === atOnce) return true;
    this.#after = '';
    this.#nextAt = performance.now() + everyMs;
    return false;
  }

  async #judge(key: string, { isReported }: Recheck): Promise<void> {
    const { api, store, log } = this.#options;
    const creditKey = key.slice(this.#prefix.length);
    const credit = known(await store.get<Credit>(creditKey), 'a credit that waits for a verdict');
    const { txHash, to, value, blockNumber } = credit;
    const minConfirmations = getNeeded(this.#options.confirmations, value);
    const query = { tx: txHash, to, minValue: value, minConfirmations };
    const judged = await api.get('/api/v1/deposits/verdict', { query });
    assertApplied(judged.required, minConfirmations);
    const { verdict, state, evidence } = judged;
    const { index } = evidence;
    const isSame = verdict !== 'reject' && judged.value === value;
    // keep a credit whose block is unchanged, for example after a repair of rows: if nodes have pruned the receipt, the
    // verdict will never be creditable
    const isOnNodes = [evidence.writerReceipt, evidence.poolReceipt].every(
      (seen) => (seen?.hashAtHeight ?? credit.blockHash) === credit.blockHash,
    );
    const isUnmoved = isSame && isOnNodes && index.found && index.status === 1 && index.blockHash === credit.blockHash;
    if (isUnmoved && !isReported) return this.#end(key);
    if (isUnmoved || (isSame && verdict === 'creditable')) {
      const moved: Credit = isUnmoved ? credit : { ...credit, ...readPlace(judged, blockNumber) };
      await this.#end(key, { key: creditKey, value: moved });
      log.info({ event: 'deposit_credit_confirmed', txHash, to, value });
    } else if (verdict !== 'creditable' && !lostStates.has(state)) {
      this.#waits.note(key, state, { txHash });
    } else if (!isReported) {
      this.#waits.end(key);
      await this.#write({ key, value: { isReported: true, freezes: true } satisfies Recheck });
      const event = verdict === 'creditable' ? 'deposit_credit_changed' : 'deposit_credit_orphaned';
      log.error({ event, txHash, to, value, state, found: judged.value });
    }
  }

  async #end(key: string, ...more: readonly Change[]): Promise<void> {
    this.#waits.end(key);
    await this.#write({ key, value: undefined }, ...more);
  }

  async #write(...changes: readonly Change[]): Promise<void> {
    await this.#options.store.write(changes);
    this.#freezing = undefined;
  }

  get #prefix(): string {
    return entryPrefix('recheck', this.#options.chainId);
  }
}
