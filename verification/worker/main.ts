/**
 * Compiles sources and compares the result with a contract. Gets one question over IPC, sends one result, ends. Sources
 * are untrusted: the parent limits time and memory, the kernel limits files and network.
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

/**
 * Kills the process at its limit even if the parent has died. Runs in another thread, because a compilation blocks this
 * one.
 */
function limitTime(timeoutMs: number): void {
  const code = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${timeoutMs})`;
  new Worker(code, { eval: true }).unref();
}
