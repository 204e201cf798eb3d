import PQueue from 'p-queue';

/** More statements at once would take all query slots of the embedded engine, and readers would have to wait. */
const atOnce = 4;

/** Runs tasks, four at the same time. @throws the first error of a task; then starts no further ones */
export async function runFew(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = new PQueue({ concurrency: atOnce });
  try {
    await queue.addAll(tasks);
  } finally {
    queue.clear();
  }
}
