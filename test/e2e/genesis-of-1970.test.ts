import test from 'ava';
import { Random } from '#devchain/random.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import {
  headReader,
  type RunningApi,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
} from '#test/helpers/service.ts';

let api: RunningApi;
let node: FaultyProxy;
let stop: () => Promise<unknown>;
const blocks = 60;

// many private chains have a genesis block with the timestamp 0
test.before(async () => {
  const [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks, seed: 12 })]);
  node = await startFaultyProxy({
    target: chain.rpc.url,
    random: new Random(1),
    share: 1,
    budget: Number.POSITIVE_INFINITY,
    fault: ({ replies }) => {
      for (const { result } of replies)
        if (result?.number === '0x0' && result.timestamp !== undefined) result.timestamp = '0x0';
      return 'changed';
    },
  });
  const database = await engine.open('genesis_of_1970');
  const pipeline = startPipeline({ database, urls: [node.url] });
  await pipeline.caughtUp(headReader(chain));
  api = await startApi(database, [node.url]);
  stop = async () => {
    await api.stop();
    await pipeline.stop();
    await node.stop();
    await Promise.all([chain.stop(), engine.stop()]);
  };
});
test.after.always(() => stop?.());

const read = async (path: string) => {
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
};

test('the time between the genesis block and the next one is no block time', async (t) => {
  t.is((await read('/api/v1/strings/0')).timestamp, 0);
  for (const resolution of ['hour', 'day', 'year'])
    for (const chart of ['averageBlockTime', 'blockTimeMax']) {
      const { points } = await read(`/api/v1/stats/charts/${chart}?resolution=${resolution}`);
      t.true(points.length > 0);
      for (const { value } of points) t.true(value === null || Number(value) <= 60, `${chart} ${resolution}: ${value}`);
    }
  const stats = await read('/api/v1/stats');
  t.true(stats.averageBlockTime <= 60, String(stats.averageBlockTime));
  t.true(stats.tps > 0);
  const countdown = await read('/api?module=block&action=getblockcountdown&blockno=1000000');
  t.true(Number(countdown.result.EstimateTimeInSec) <= 60 * Number(countdown.result.RemainingBlock));
});

test('the genesis block counts in statistics of all blocks', async (t) => {
  const { series, index } = await read('/api/v1/stats/query?of=blocks&measure=count&resolution=all');
  t.is(Number(series[0].total), index.head + 1);
});

test('charts begin with the first block after the genesis block', async (t) => {
  const first = (await read('/api/v1/strings/1')).timestamp;
  const { points } = await read('/api/v1/stats/charts/newTxns?resolution=day');
  t.is(points[0].timestamp, first - (first % 86_400));
  const daily = 'module=stats&action=dailytx&startdate=1970-01-01&enddate=2100-01-01&sort=asc';
  const rows = (await read(`/api?${daily}`)).result;
  t.is(Number(rows[0].unixTimeStamp), first - (first % 86_400));
  const chart = await api.get('/charts/newTxns');
  t.is(chart.status, 200);
});
