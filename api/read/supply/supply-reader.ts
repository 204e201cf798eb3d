import { pause } from '#runtime/shutdown.ts';
import { ApiProblem, isIndexing } from '../../terms/errors.ts';
import { type Reconciliation, reconcile, type SupplyDeps } from './reconcile.ts';

/** The cached supply is refreshed from this age on, ms. */
const freshMs = 1_000;
/** A request waits for the refresh from this age on, ms. */
const usableMs = 5_000;
/** Maximum wait for the refresh while the cached supply is still usable, ms. */
const waitMs = 2_000;
/** Maximum age of the supply after failed refreshes, ms. */
const maxAgeMs = 600_000;
/** Interval of checks that log a wrong supply even without requests, ms. */
const watchEveryMs = 3_000;

export interface SupplyReaderDeps extends SupplyDeps {
  readonly supply: SupplyReader;
}

export class SupplyReader {
  #latest: Reconciliation | undefined;
  #running: Promise<Reconciliation> | undefined;
  #lastState: string | undefined;
  #failure: { readonly sinceMs: number; readonly reason: string } | undefined;
  readonly make: (deps: SupplyDeps) => Promise<Reconciliation>;
  readonly now: () => number;

  constructor(make: (deps: SupplyDeps) => Promise<Reconciliation> = reconcile, now: () => number = Date.now) {
    this.make = make;
    this.now = now;
  }

  /** @throws as reconcile, if the cached supply is missing or too old */
  async read(deps: SupplyDeps): Promise<Reconciliation> {
    const known = this.#latest;
    const ageMs = known ? this.now() - known.computedAtMs : Number.POSITIVE_INFINITY;
    if (known && ageMs < freshMs) return known;
    const next = this.#refresh(deps);
    if (known && ageMs < usableMs) {
      next.catch(() => undefined);
      return known;
    }
    if (!known || ageMs >= maxAgeMs) return next;
    // a hanging node must not delay replies while the last value is usable
    const ended = new AbortController();
    const reply = next.catch(() => known);
    void reply.then(() => ended.abort());
    return Promise.race([reply, pause(waitMs, ended.signal).then(() => known)]);
  }

  /** Returns the cached supply; undefined if too old. Refreshes an old one in the background. */
  peek(deps: SupplyDeps): Reconciliation | undefined {
    this.read(deps).catch(() => undefined);
    const known = this.#latest;
    return known && this.now() - known.computedAtMs < maxAgeMs ? known : undefined;
  }

  /**
   * Returns why the supply is unknown; undefined if it is known, or its computation has failed only for a short time.
   */
  get fault(): string | undefined {
    const { sinceMs, reason } = this.#failure ?? {};
    return sinceMs !== undefined && this.now() - sinceMs >= maxAgeMs ? reason : undefined;
  }

  async watch(deps: SupplyDeps, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.read(deps).catch((error: unknown) => {
        // expected until all blocks are indexed
        if (!signal.aborted && !isIndexing(error)) deps.log.warn({ event: 'supply_error', error: String(error) });
      });
      await pause(watchEveryMs, signal);
    }
  }

  #refresh(deps: SupplyDeps): Promise<Reconciliation> {
    this.#running ??= this.make(deps)
      .then(
        (made) => {
          this.#latest = made;
          this.#failure = undefined;
          this.#report(deps, made);
          return made;
        },
        (error: unknown) => {
          this.#noteFailure(error);
          throw error;
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Missing blocks are not an error of the supply: /status shows them. */
  #noteFailure(error: unknown): void {
    if (isIndexing(error)) this.#failure = undefined;
    else
      this.#failure = {
        sinceMs: this.#failure?.sinceMs ?? this.now(),
        reason: error instanceof ApiProblem ? error.detail : 'the log of the service has the reason (supply_error)',
      };
  }

  #report({ log }: Pick<SupplyDeps, 'log'>, { migration, block }: Reconciliation): void {
    const state = `${migration.state} ${migration.alerts.join('; ')}`;
    if (state === this.#lastState) return;
    this.#lastState = state;
    const entry = { event: 'supply_state', state: migration.state, block, alerts: migration.alerts };
    if (migration.state === 'broken') log.error(entry);
    else log.info(entry);
  }
}
