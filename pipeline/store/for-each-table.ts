import PQueue from 'p-queue';

/** Deletions that run at once: more would take all query slots of the embedded engine, and readers would have to wait. */
const atOnce = 4;

/** Runs a statement per table, for example a deletion that waits until all parts are rewritten. @throws the first error */
export async function forEachTable<T extends string>(
  tables: readonly T[],
  run: (table: T) => Promise<unknown>,
): Promise<void> {
  const queue = new PQueue({ concurrency: atOnce });
  try {
    await queue.addAll(tables.map((table) => () => run(table)));
  } finally {
    queue.clear();
  }
}
