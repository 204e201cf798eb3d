/**
 * Stops all credits after a reorg removed credited deposits, because the same attacker may pay again. Ends when each
 * deposit is confirmed again or acknowledged by an operator. Survives restarts.
 */
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { entryPrefix } from './credit.ts';
import type { Store } from './store.ts';

/** Credit that needs a new verdict. Its key ends with the key of the credit. */
export interface Recheck {
  /** Whether an error was logged that the credit is orphaned or has another value. */
  readonly isReported: boolean;
  /** Whether this entry stops all credits. Earlier versions did not store this for reported credits. */
  readonly freezes?: boolean;
}

export type RecheckEntry = readonly [key: string, recheck: Recheck];

/** Time before an active freeze is logged again, ms. */
const logMs = 60_000;

export const isFreezing = ([, { isReported, freezes = isReported }]: RecheckEntry): boolean => freezes;

export const getHash = ([key]: RecheckEntry): string => known(key.split(':').at(-2), 'the hash of a credit');

export class CreditingFreeze {
  /** Last logged event. */
  #event: string | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;
  readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Logs the start of a freeze, then every minute, and its end. @returns whether credits are stopped */
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
 * Ends the freeze of one credit. The monitor still logs if its deposit is mined again. Repeating the call changes
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
  if (!entry[1].isReported) throw new Error(`${hash} is still being checked: start the monitor to finish the check`);
  const [key, recheck] = entry;
  await store.write([{ key, value: { ...recheck, freezes: false } satisfies Recheck }]);
  return freezing.filter((one) => one !== hash);
}
