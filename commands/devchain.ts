import { join } from 'node:path';
import { hiddenLoopback } from '#devchain/anvil.ts';
import { unusedPort } from '#devchain/dev-node.ts';
import { DevRpc } from '#devchain/dev-rpc.ts';
import { DevChain, forceReorg } from '#devchain/devchain.ts';
import { type RunningFeed, startOrderBookFeed } from '#devchain/order-book-feed.ts';
import { sampleFiles, writeAtomically, writeSampleDocuments } from '#devchain/sample-documents.ts';
import { devMethods } from '#devchain/x-methods.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { toOrigin } from '#runtime/origins.ts';
import { describePace } from '#runtime/pace.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';

export interface DevChainArguments {
  readonly blocks: number;
  readonly seed: number;
  readonly blockSeconds: number;
  readonly genesisTime?: number;
  /** Block interval, ms; 0: no new blocks after the history. */
  readonly interval: number;
  readonly reorg?: number;
  /** Directory for sample documents; unset: none. */
  readonly documents?: string;
}

export async function runDevChain(config: Config, options: DevChainArguments): Promise<void> {
  const log = createLog('devchain', config.LOG_LEVEL);
  if (options.reorg !== undefined) {
    const rpc = new DevRpc(toOrigin(config.HOST, config.DEVCHAIN_PORT));
    await forceReorg(rpc, options.reorg);
    await rpc.close();
    log.info({ event: 'reorg_forced', depth: options.reorg });
    return;
  }
  const signal = shutdownSignal();
  const line = new ProgressLine('chain');
  const startedAt = Date.now();
  const host = hiddenLoopback();
  const chain = await DevChain.start({
    host,
    port: await unusedPort(host),
    chainId: config.CHAIN_ID,
    ...options,
    onProgress: (done, total) =>
      line.update(done / total, describePace({ done, total, seconds: (Date.now() - startedAt) / 1000 }, 'blocks')),
  });
  line.finish();
  chain.anvil.process.once('exit', (code, killedBy) => {
    if (signal.aborted) return;
    log.error({ event: 'devchain_lost', code, killedBy }, 'anvil ended, so the blocks of the dev chain are lost');
    process.exit(1);
  });
  const feed = options.documents === undefined ? undefined : await writeDocuments(options.documents, chain);
  const node = await chain.serve({ port: config.DEVCHAIN_PORT, host: config.HOST, methods: devMethods(chain.rpc) });
  process.send?.({ listening: config.DEVCHAIN_PORT });
  log.info({ event: 'devchain_ready', url: node.url, blocks: options.blocks }, 'dev chain is ready');
  if (options.interval > 0) {
    await chain.runLive(options.interval, signal, (error) =>
      log.warn({ event: 'devchain_error', error: String(error) }),
    );
  }
  await aborted(signal);
  await feed?.stop();
  await chain.stop();
  process.exit(0);
}

async function writeDocuments(dir: string, chain: DevChain): Promise<RunningFeed> {
  await writeSampleDocuments(dir, chain);
  const running = await startOrderBookFeed(chain.rpc, chain.world, '127.0.0.1');
  await writeAtomically(join(dir, sampleFiles.feed), running.feed);
  return running;
}
