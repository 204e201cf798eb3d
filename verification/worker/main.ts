/**
 * Compiles sources and compares the result with a contract: gets one question over IPC, sends one result, and ends.
 * Sources are untrusted: the parent limits time and memory, the kernel limits files and network.
 */
import { Worker } from 'node:worker_threads';
import { verifySource } from './verify-source.ts';

process.once('message', async (message) => {
  const question = message as Parameters<typeof verifySource>[0];
  limitTime(question.timeoutMs);
  const result = await verifySource(question);
  process.send?.(result, () => process.exit(0));
});
process.once('disconnect', () => process.exit(1));
process.send?.('ready');

/** Ends the process also if the parent was killed: a running compilation blocks this thread, and so its events. */
function limitTime(timeoutMs: number): void {
  const code = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${timeoutMs})`;
  new Worker(code, { eval: true }).unref();
}
