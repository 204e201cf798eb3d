/** `cordscan devchain` */
import type { Config } from '../config.ts';
import { DevRpc } from '../devchain/dev-rpc.ts';
import { DevChain, forceReorg } from '../devchain/devchain.ts';
import { writeSampleDocuments } from '../devchain/sample-documents.ts';
import { createLog } from '../log.ts';
import { ProgressLine } from '../progress-line.ts';
import { aborted, shutdownSignal } from '../shutdown.ts';

export interface DevChainArguments {
  readonly blocks: number;
  readonly seed: number;
  readonly blockSeconds: number;
  readonly genesisTime?: number;
  /** Pause between live blocks, ms; 0: none are mined. */
  readonly interval: number;
  readonly reorg?: number;
  /** Directory that sample documents are written to. */
  readonly documents?: string;
}

export async function runDevChain(config: Config, options: DevChainArguments): Promise<void> {
  const log = createLog('devchain', config.LOG_LEVEL);
  if (options.reorg !== undefined) {
    const rpc = new DevRpc(`http://${config.HOST}:${config.DEVCHAIN_PORT}`);
    await forceReorg(rpc, options.reorg);
    await rpc.close();
    log.info({ event: 'reorg_forced', depth: options.reorg });
    return;
  }
  const signal = shutdownSignal();
  const line = new ProgressLine('dev chain');
  const chain = await DevChain.start({
    ...{ port: config.DEVCHAIN_PORT, host: config.HOST, chainId: config.CHAIN_ID },
    ...options,
    onProgress: (done, total) => line.update(done / total, `${done}/${total} blocks`),
  });
  line.finish();
  if (options.documents !== undefined) await writeSampleDocuments(options.documents, chain);
  process.send?.({ listening: config.DEVCHAIN_PORT });
  log.info({ event: 'devchain_ready', url: chain.rpc.url, blocks: options.blocks });
  if (options.interval > 0) {
    await chain.runLive(options.interval, signal, (error) =>
      log.warn({ event: 'devchain_fault', error: String(error) }),
    );
  }
  await aborted(signal);
  await chain.stop();
  process.exit(0);
}
