/** Process that serves a recorded chain: `main.ts <blocks> <port> [<latency of a request, ms>]`. */
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { recordedChain } from './record.ts';
import { startReplayServer } from './replay-server.ts';

const [blocks = '10000', port = '8555', latencyMs = '0'] = process.argv.slice(2);
const signal = shutdownSignal();
await startReplayServer({
  chain: await recordedChain(Number(blocks), Number(port) + 1),
  port: Number(port),
  latencyMs: Number(latencyMs),
});
process.send?.({ listening: Number(port) });
await aborted(signal);
process.exit(0);
