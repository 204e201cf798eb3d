/** What every process tells Prometheus of itself: memory, event loop, and the lines of its log by event. */
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { NoteLine } from '../log.ts';

export interface ProcessMetrics {
  readonly registry: Registry;
  /** To be given to createLog. */
  readonly noteLine: NoteLine;
}

/** A registry of its own for one process; nothing is global. */
export function createProcessMetrics(): ProcessMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const lines = new Counter({
    ...{ name: 'cordscan_log_events_total', help: 'Lines of the log, warnings and worse, by level and event' },
    ...{ labelNames: ['level', 'event'] as const, registers: [registry] },
  });
  return { registry, noteLine: (level, event) => lines.inc({ level, event }) };
}
