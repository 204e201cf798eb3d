import test from 'ava';
import { headReader, startApi, startDevChain, startPipeline, startTestEngine } from '#test/helpers/service.ts';

test('a cursor of another index of the chain is compared by the hash of its block', async (t) => {
  const engine = await startTestEngine();
  t.teardown(() => engine.stop());
  const chain = await startDevChain({ blocks: 60, seed: 44 });
  t.teardown(() => chain.stop());
  const index = async (name: string) => {
    const database = await engine.open(name);
    const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
    t.teardown(() => pipeline.stop());
    await pipeline.caughtUp(headReader(chain));
    const api = await startApi(database, [chain.rpc.url]);
    t.teardown(() => api.stop());
    return { api, pipeline };
  };
  const first = await index('first_index');
  const pages = '/api/v1/transactions?limit=5';
  const { nextCursor } = (await first.api.get(pages)).body;
  await first.pipeline.stop();
  await chain.reorg(3);
  await chain.mineLive(1);
  const second = await index('second_index');
  const { status, body } = await second.api.get(`${pages}&cursor=${nextCursor}`);
  t.is(status, 409, JSON.stringify(body).slice(0, 300));
  t.is(body.code, 'snapshot_invalidated');
});
