/**
 * Compiles sources and compares the result with a contract: gets one question over IPC, sends one result, and ends.
 * Sources are untrusted: the parent limits time and memory, the kernel limits files and network.
 */
import { verifySource } from './verify-source.ts';

process.once('message', async (question) => {
  const result = await verifySource(question as Parameters<typeof verifySource>[0]);
  process.send?.(result, () => process.exit(0));
});
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
