/** Whether a process can do its work now, check by check. */
import { pause } from '../shutdown.ts';

/** Resolves with undefined where all is well, with what is wrong otherwise; throwing is failing too. */
export type Check = () => Promise<string | undefined> | string | undefined;

interface ReadyReport {
  readonly isReady: boolean;
  /** Body of the reply: `ok`, or what is wrong, by check. */
  readonly body: { readonly status: 'ready' | 'not ready'; readonly checks: Readonly<Record<string, string>> };
}

const checkTimeoutMs = 2_000;
/** Callers within this time share a report, ms. */
const sharedMs = 500;

export class Readiness {
  #report: Promise<ReadyReport> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly checks: Readonly<Record<string, Check>>;

  constructor(checks: Readonly<Record<string, Check>>) {
    this.checks = checks;
  }

  /** Never throws; takes 2 s at the most. */
  report(): Promise<ReadyReport> {
    if (!this.#report || performance.now() - this.#askedAt > sharedMs) {
      this.#askedAt = performance.now();
      this.#report = this.#make();
    }
    return this.#report;
  }

  async #make(): Promise<ReadyReport> {
    const outcomes = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    );
    const isReady = outcomes.every(([, outcome]) => outcome === 'ok');
    return { isReady, body: { status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(outcomes) } };
  }
}

async function outcomeOf(check: Check): Promise<string> {
  const late = new AbortController();
  const timedOut = pause(checkTimeoutMs, late.signal).then(() => `no answer within ${checkTimeoutMs} ms`);
  try {
    // what a dependency says in its own words stays inside
    const outcome = Promise.resolve()
      .then(check)
      .catch(() => 'it failed');
    return (await Promise.race([outcome, timedOut])) ?? 'ok';
  } finally {
    late.abort();
  }
}
