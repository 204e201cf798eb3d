import type { ForkView } from '#test/helpers/fork-view.ts';
import { startFailingEngine } from '#test/helpers/mortal-engine.ts';
import { startPipeline, type TestEngine } from '#test/helpers/service.ts';

export async function startLife(engine: TestEngine, name: string, views: readonly ForkView[], mayFollow: boolean) {
  const mortal = await startFailingEngine(engine.url, name);
  const pipeline = startPipeline({
    database: mortal.database,
    urls: views.map((view) => view.url),
    settings: {
      finalizedCheckMs: 200,
      auditEveryMs: 2_000,
      jobsEveryMs: 20_000,
      pollIntervalMs: 60,
      leaseMs: 1_000,
      quarantinedRetryMs: 100,
      ...(mayFollow ? { deepReorg: 'follow' as const } : {}),
    },
  });
  return { pipeline, mortal };
}

export function spoil(view: ForkView, block: number): void {
  view.setFault(({ calls, replies }) => {
    let outcome: 'changed' | 'untouched' = 'untouched';
    for (const [i, { method }] of calls.entries()) {
      const result = replies[i]?.result;
      if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') {
        if (!result?.transactions || Number(result.number) !== block || typeof result.transactions[0] === 'string')
          continue;
        result.gasUsed = '0x1';
        outcome = 'changed';
      }
    }
    return outcome;
  });
}
