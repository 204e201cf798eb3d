/** What every process tells Prometheus of itself: memory, event loop, and the lines of its log by event. */
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { NoteLine } from '../log.ts';

/** A registry of its own for one process; nothing is global. */
export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #lines: Counter<'level' | 'event'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#lines = new Counter({
      name: 'cordscan_log_events_total',
      help: 'Lines of the log, warnings and worse, by level and event',
      labelNames: ['level', 'event'] as const,
      registers: [this.registry],
    });
  }

  /** To be given to createLog. */
  readonly noteLine: NoteLine = (level, event) => this.#lines.inc({ level, event });
}
