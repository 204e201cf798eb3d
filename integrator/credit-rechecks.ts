/**
 * Asks for new verdicts on credited deposits after a reorg that removed their blocks: the exchange must know of a credit
 * whose deposit is gone. What waits for a verdict is stored, so a kill loses nothing.
 */
import type { Cordscan } from '#client/index.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { type Credit, entryPrefix, readPlace } from './credit.ts';
import { LongWaits } from './long-waits.ts';
import type { Change, Store } from './store.ts';

export interface RecheckOptions {
  readonly api: Cordscan;
  readonly store: Store;
  readonly chainId: number;
  readonly log: Log;
}

/** The key of an entry ends with that of its credit. */
interface Recheck {
  /** Whether the log has named the credit as orphaned. */
  readonly isReported: boolean;
}

/** Time before all deposits are asked for again, ms. */
const everyMs = 10_000;
/** So few that new deposits wait for no long time. */
const atOnce = 20;
/** Number of newest credits to check after a time in which a reorg can have passed unnoticed. Each needs a verdict. */
const mostNewest = 10_000;
/** States of a deposit that is gone, or has not been mined again. Others may end when nodes and index are at one head. */
const lostStates: ReadonlySet<string> = new Set(['unknown', 'pending', 'failed', 'mismatch']);

export class CreditRechecks {
  #nextAt = Number.NEGATIVE_INFINITY;
  /** Key after which the next step continues. */
  #after = '';
  readonly #waits: LongWaits;
  readonly #options: RecheckOptions;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#waits = new LongWaits(options.log, 'deposit_recheck_waits');
  }

  /** Returns the changes that request new verdicts for all credits of blocks after `fork`. */
  async request(fork: number): Promise<Change[]> {
    const credits = await this.#listCredits();
    return this.#toChanges(credits.filter(([, { blockNumber }]) => blockNumber > fork));
  }

  /** Returns the changes that request new verdicts for the newest credits: a reorg may have removed their blocks. */
  async requestNewest(): Promise<Change[]> {
    const credits = await this.#listCredits();
    return this.#toChanges(credits.sort(([, a], [, b]) => b.blockNumber - a.blockNumber).slice(0, mostNewest));
  }

  #listCredits(): Promise<[string, Credit][]> {
    return this.#options.store.list<Credit>(entryPrefix('credit', this.#options.chainId));
  }

  async #toChanges(credits: readonly (readonly [string, Credit])[]): Promise<Change[]> {
    this.#nextAt = Number.NEGATIVE_INFINITY;
    const waiting = new Set((await this.#options.store.list<Recheck>(this.#prefix)).map(([key]) => key));
    const keys = credits.map(([credit]) => `${this.#prefix}${credit}`);
    // a credit that was reported as orphaned must not be reported again
    return keys
      .filter((key) => !waiting.has(key))
      .map((key) => ({ key, value: { isReported: false } satisfies Recheck }));
  }

  /** Asks for verdicts, and names credits in the log whose deposits are not on the chain any more. */
  async step(): Promise<void> {
    if (performance.now() < this.#nextAt) return;
    const due = await this.#options.store.list<Recheck>(this.#prefix, { after: this.#after, limit: atOnce });
    for (const [key, recheck] of due) {
      await this.#judge(key, recheck);
      this.#after = key;
    }
    if (due.length === atOnce) return;
    this.#after = '';
    this.#nextAt = performance.now() + everyMs;
  }

  async #judge(key: string, { isReported }: Recheck): Promise<void> {
    const { api, store, log } = this.#options;
    const creditKey = key.slice(this.#prefix.length);
    const credit = known(await store.get<Credit>(creditKey), 'a credit that waits for a verdict');
    const { txHash, to, value, blockNumber } = credit;
    const judged = await api.get('/api/v1/deposits/verdict', { query: { tx: txHash, to, minValue: value } });
    const { verdict, state, evidence } = judged;
    const { index } = evidence;
    const isSame = verdict !== 'reject' && judged.value === value;
    // a repair of rows is no reorg; nodes may have pruned old receipts, so that there is no other verdict
    const isUnmoved = isSame && index.found && index.status === 1 && index.blockHash === credit.blockHash;
    if (isUnmoved && !isReported) return this.#end(key);
    if (isUnmoved || (isSame && verdict === 'creditable')) {
      const moved: Credit = isUnmoved ? credit : { ...credit, ...readPlace(judged, blockNumber) };
      await this.#end(key, { key: creditKey, value: moved });
      log.info({ event: 'deposit_credit_confirmed', txHash, to, value });
    } else if (verdict !== 'creditable' && !lostStates.has(state)) {
      this.#waits.note(key, state, { txHash });
    } else if (!isReported) {
      this.#waits.end(key);
      await store.write([{ key, value: { isReported: true } satisfies Recheck }]);
      const event = verdict === 'creditable' ? 'deposit_credit_changed' : 'deposit_credit_orphaned';
      log.error({ event, txHash, to, value, state, found: judged.value });
    }
  }

  async #end(key: string, ...more: readonly Change[]): Promise<void> {
    this.#waits.end(key);
    await this.#options.store.write([{ key, value: undefined }, ...more]);
  }

  get #prefix(): string {
    return entryPrefix('recheck', this.#options.chainId);
  }
}
