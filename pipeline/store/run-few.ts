import PQueue from 'p-queue';

/** More would take all query slots of the embedded engine, and readers would wait. */
const atOnce = 4;

/** Runs tasks, four at a time. @throws the first error of a task; then starts no further tasks */
export async function runFew(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = new PQueue({ concurrency: atOnce });
  try {
    await queue.addAll(tasks);
  } finally {
    queue.clear();
  }
}
