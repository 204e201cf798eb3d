import { pause } from '../shutdown.ts';

/** Readiness check. Returns undefined if it passes, else the problem. An exception also fails it. */
export type Check = () => Promise<string | undefined> | string | undefined;

interface ReadyReport {
  readonly isReady: boolean;
  /** Reply of /readyz. Each check is `ok` or its problem. */
  readonly body: { readonly status: 'ready' | 'not ready'; readonly checks: Readonly<Record<string, string>> };
}

const checkTimeoutMs = 2_000;
/** How long a report is reused, ms. */
const sharedMs = 500;

export class Readiness {
  #report: Promise<ReadyReport> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly checks: Readonly<Record<string, Check>>;

  constructor(checks: Readonly<Record<string, Check>>) {
    this.checks = checks;
  }

  /** Runs all readiness checks in at most 2 s. Never throws. */
  report(): Promise<ReadyReport> {
    if (!this.#report || performance.now() - this.#askedAt > sharedMs) {
      this.#askedAt = performance.now();
      this.#report = this.#make();
    }
    return this.#report;
  }

  async #make(): Promise<ReadyReport> {
    const outcomes = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    const isReady = outcomes.every(([, outcome]) => outcome === 'ok');
    return { isReady, body: { status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(outcomes) } };
  }
}

async function runCheck(check: Check): Promise<string> {
  const late = new AbortController();
  const timedOut = pause(checkTimeoutMs, late.signal).then(() => `no answer within ${checkTimeoutMs} ms`);
  try {
    // don't expose error messages of dependencies to callers
    const outcome = Promise.resolve()
      .then(check)
      .catch(() => 'check failed');
    return (await Promise.race([outcome, timedOut])) ?? 'ok';
  } finally {
    late.abort();
  }
}
