/**
 * Stops all credits after a reorg that removed credited deposits, until these are confirmed or acknowledged: the same
 * attacker may pay again. The store keeps this state, so a restart does not end it.
 */
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { entryPrefix } from './credit.ts';
import type { Store } from './store.ts';

/** Entry of a credit that needs a new verdict. Its key ends with that of the credit. */
export interface Recheck {
  /** Whether the log has an error that the credit is orphaned or has another value. */
  readonly isReported: boolean;
  /** Whether nothing is credited until this entry ends. Earlier versions did not store this for reported credits. */
  readonly freezes?: boolean;
}

export type RecheckEntry = readonly [key: string, recheck: Recheck];

/** Time before a freeze is logged again, ms. */
const logMs = 60_000;

export const isFreezing = ([, { isReported, freezes = isReported }]: RecheckEntry): boolean => freezes;

/** Returns the transaction hash of a credit from the key of its entry. */
export const getHash = ([key]: RecheckEntry): string => known(key.split(':').at(-2), 'the hash of a credit');

export class CreditingFreeze {
  /** Event that the last step logged. */
  #event: string | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;
  readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Logs a freeze at once and then every minute, and its end. @returns whether nothing may be credited */
  check(freezing: readonly RecheckEntry[]): boolean {
    const [first] = freezing;
    if (!first) {
      if (this.#event !== undefined) this.log.info({ event: 'deposit_crediting_resumed' });
      this.#event = undefined;
      return false;
    }
    const orphaned = freezing.filter(([, { isReported }]) => isReported).map(getHash);
    const event = orphaned.length > 0 ? 'deposit_crediting_frozen' : 'deposit_crediting_paused';
    if (event === this.#event && performance.now() - this.#loggedAt < logMs) return true;
    [this.#event, this.#loggedAt] = [event, performance.now()];
    const counts = { event, credits: freezing.length };
    if (orphaned.length === 0)
      this.log.warn({ ...counts, txHash: getHash(first) }, 'after a reorg, credits are checked before new ones');
    else
      this.log.error(
        { ...counts, orphaned: orphaned.length, txHash: orphaned[0] },
        'nothing is credited until these credits are confirmed, or acknowledged by "cordscan integrator acknowledge"',
      );
    return true;
  }
}

/**
 * Ends the freeze that a credit causes. The monitor still logs if the deposit is mined again. A repeated call changes
 * nothing.
 * @returns hashes of credits that still freeze
 * @throws Error if the credit is not orphaned, or is still being checked
 */
export async function acknowledgeCredit(store: Store, chainId: number, hash: string): Promise<string[]> {
  const rechecks = await store.list<Recheck>(entryPrefix('recheck', chainId));
  const freezing = rechecks.filter(isFreezing).map(getHash);
  const entry = rechecks.find((one) => getHash(one) === hash);
  if (!entry)
    throw new Error(`${hash} is not a credit that stops credits; these are: ${freezing.join(', ') || 'none'}`);
  if (!entry[1].isReported) throw new Error(`${hash} is still being checked: start the monitor`);
  const [key, recheck] = entry;
  await store.write([{ key, value: { ...recheck, freezes: false } satisfies Recheck }]);
  return freezing.filter((one) => one !== hash);
}
