import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { OnLogLine } from '../log.ts';

export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #lines: Counter<'level' | 'event'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#lines = new Counter({
      name: 'cordscan_log_events_total',
      help: 'Number of log lines of level warn or above, by level and event',
      labelNames: ['level', 'event'] as const,
      registers: [this.registry],
    });
  }

  /** For createLog. */
  readonly countLogLine: OnLogLine = (level, event) => this.#lines.inc({ level, event });
}
