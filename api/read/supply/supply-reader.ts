/** The newest reconciliation, kept in memory: asking for it waits for nothing while it is recent. */
import { pause } from '#runtime/shutdown.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type Reconciliation, reconcile, type SupplyDeps } from './reconcile.ts';

/** From this age on it is made anew beside the reply, ms. */
const freshMs = 1_000;
/** From this age on the reply waits for the new one, ms. */
const usableMs = 5_000;
/** Up to this age it is given, with its block and `stale`, where no new one can be made, ms. */
const keptMs = 600_000;
/** From this age on it is called stale, ms. */
export const staleMs = 30_000;
/** Pause between two looks that nobody asks for, ms: a broken invariant is noticed without visitors. */
const watchEveryMs = 3_000;

export interface SupplyReaderDeps extends SupplyDeps {
  readonly supply: SupplyReader;
}

export class SupplyReader {
  #latest: Reconciliation | undefined;
  #running: Promise<Reconciliation> | undefined;
  #lastState: string | undefined;
  readonly make: (deps: SupplyDeps) => Promise<Reconciliation>;
  readonly now: () => number;

  constructor(make: (deps: SupplyDeps) => Promise<Reconciliation> = reconcile, now: () => number = Date.now) {
    this.make = make;
    this.now = now;
  }

  /** @throws what reconcile throws, where there is nothing to be given instead */
  async read(deps: SupplyDeps): Promise<Reconciliation> {
    const known = this.#latest;
    const ageMs = known ? this.now() - known.computedAtMs : Number.POSITIVE_INFINITY;
    if (known && ageMs < freshMs) return known;
    const next = this.#refresh(deps);
    if (known && ageMs < usableMs) {
      next.catch(() => undefined);
      return known;
    }
    return next.catch((error: unknown) => {
      if (known && ageMs < keptMs) return known;
      throw error;
    });
  }

  /** The newest one there is, for those who must not wait; undefined before the first. */
  peek(deps: SupplyDeps): Reconciliation | undefined {
    this.read(deps).catch(() => undefined);
    return this.#latest;
  }

  /** Keeps it recent until the signal fires. */
  async watch(deps: SupplyDeps, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.read(deps).catch((error: unknown) => {
        // before the history is complete there is no supply to compute
        if (!signal.aborted && !(error instanceof ApiProblem && error.code === 'indexing'))
          deps.log.warn({ event: 'supply_fault', error: String(error) });
      });
      await pause(watchEveryMs, signal);
    }
  }

  #refresh(deps: SupplyDeps): Promise<Reconciliation> {
    this.#running ??= this.make(deps)
      .then((made) => {
        this.#latest = made;
        this.#report(deps, made);
        return made;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Says in the log when the state of the migration changes. */
  #report({ log }: Pick<SupplyDeps, 'log'>, { migration, block }: Reconciliation): void {
    const state = `${migration.state} ${migration.alerts.join('; ')}`;
    if (state === this.#lastState) return;
    this.#lastState = state;
    const entry = { event: 'supply_state', state: migration.state, block, alerts: migration.alerts };
    if (migration.state === 'broken') log.error(entry);
    else log.info(entry);
  }
}
