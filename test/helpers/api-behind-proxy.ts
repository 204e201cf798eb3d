import type { ExecutionContext } from 'ava';
import { type FaultyProxy, startFaultyNode } from './faulty-proxy.ts';
import type { IndexedChain } from './indexed-chain.ts';
import { type RunningApi, startApi } from './service.ts';

/** Starts another API for an indexed chain. A proxy that can inject faults is between the API and its node. */
export async function startApiBehindProxy(
  t: ExecutionContext,
  { chain, pipeline }: Pick<IndexedChain, 'chain' | 'pipeline'>,
): Promise<{ readonly api: RunningApi; readonly proxy: FaultyProxy }> {
  const proxy = await startFaultyNode(chain.rpc.url, () => 'untouched');
  const api = await startApi(pipeline.deps.database, [proxy.url]);
  t.teardown(async () => {
    await api.stop();
    await proxy.stop();
  });
  return { api, proxy };
}
