import { Counter, Histogram, type Registry } from 'prom-client';
import type { StoreObserver } from './client.ts';

export class StoreMetrics implements StoreObserver {
  readonly #statements: Histogram<'statement'>;
  readonly #inserts: Histogram<'table'>;
  readonly #errors: Counter<'kind'>;
  readonly #rows: Counter<'table' | 'final'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#statements = new Histogram({
      name: 'cordscan_statement_duration_seconds',
      help: 'Duration of a statement, seconds',
      labelNames: ['statement'] as const,
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    });
    this.#inserts = new Histogram({
      name: 'cordscan_insert_duration_seconds',
      help: 'Duration of an insert into a table, seconds',
      labelNames: ['table'] as const,
      registers,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.#errors = new Counter({
      name: 'cordscan_store_faults_total',
      help: 'Number of failed database calls, by kind: away (the database was not available, and the call is retried) or refused (not retried)',
      labelNames: ['kind'] as const,
      registers,
    });
    this.#rows = new Counter({
      name: 'cordscan_inserted_rows_total',
      help: 'Number of inserted rows of block data; the label final is 1 for finalized blocks, else 0',
      labelNames: ['table', 'final'] as const,
      registers,
    });
    for (const kind of ['away', 'refused']) this.#errors.inc({ kind }, 0);
  }

  recordCall(name: string, seconds: number): void {
    if (name.startsWith(insertPrefix)) this.#inserts.observe({ table: name.slice(insertPrefix.length) }, seconds);
    else this.#statements.observe({ statement: name }, seconds);
  }

  recordRows(table: string, final: 0 | 1, rows: number): void {
    this.#rows.inc({ table, final: String(final) }, rows);
  }

  recordError(isRetryable: boolean): void {
    this.#errors.inc({ kind: isRetryable ? 'away' : 'refused' });
  }
}

const insertPrefix = 'insert ';
