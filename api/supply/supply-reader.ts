/** The newest reconciliation, kept in memory: asking for it waits for nothing while it is recent. */
import { pause } from '#runtime/shutdown.ts';
import type { ApiDeps } from '../deps.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

/** From this age on it is made anew beside the reply, ms. */
const freshMs = 1_000;
/** From this age on the reply waits for the new one, ms. */
const usableMs = 5_000;
/** Pause between two looks that nobody asks for, ms: a broken invariant is noticed without visitors. */
const watchEveryMs = 3_000;

export class SupplyReader {
  #latest: Reconciliation | undefined;
  #running: Promise<Reconciliation> | undefined;
  #lastState: string | undefined;

  /** @throws what reconcile throws, where there is nothing recent */
  async read(deps: ApiDeps): Promise<Reconciliation> {
    const ageMs = this.#latest ? Date.now() - this.#latest.computedAtMs : Number.POSITIVE_INFINITY;
    if (ageMs < freshMs) return this.#latest!;
    const next = this.#refresh(deps);
    if (ageMs >= usableMs) return next;
    next.catch(() => undefined);
    return this.#latest!;
  }

  /** The newest one there is, for those who must not wait; undefined before the first. */
  peek(deps: ApiDeps): Reconciliation | undefined {
    this.read(deps).catch(() => undefined);
    return this.#latest;
  }

  /** Keeps it recent until the signal fires. */
  async watch(deps: ApiDeps, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.read(deps).catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ event: 'supply_fault', error: String(error) });
      });
      await pause(watchEveryMs, signal);
    }
  }

  #refresh(deps: ApiDeps): Promise<Reconciliation> {
    this.#running ??= reconcile(deps)
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
  #report({ log }: ApiDeps, { migration, block }: Reconciliation): void {
    const state = `${migration.state} ${migration.alerts.join('; ')}`;
    if (state === this.#lastState) return;
    this.#lastState = state;
    const entry = { event: 'supply_state', state: migration.state, block, alerts: migration.alerts };
    if (migration.state === 'broken') log.error(entry);
    else log.info(entry);
  }
}
