/** The command line: configuration, refusals, short commands. */
import test from 'ava';
import { ConfigError, configTable, readConfig } from '#runtime/config.ts';
import type { DevChain } from '#runtime/devchain/devchain.ts';
import { runCordscan } from '#test/helpers/processes.ts';
import { headOf, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 60 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const settings = (more: Record<string, string>) => ({
  RPC_URL: chain.rpc.url,
  CLICKHOUSE_URL: engine.url,
  LOG_LEVEL: 'warn',
  ...more,
});

test.serial('a faulty configuration exits 2 and lists every fault', async (t) => {
  const { code, output } = await runCordscan(['index'], {
    PORT: 'http',
    FINALITY_DEPTH: '5',
    GENESIS_HASH: '0x12',
    RPC_URL: 'ftp://x',
  });
  t.is(code, 2);
  for (const name of ['PORT', 'FINALITY_DEPTH', 'GENESIS_HASH', 'RPC_URL']) t.regex(output, new RegExp(`- ${name}\\b`));
});

test.serial('contradictions are faults too, defaults are none', (t) => {
  const faults = (env: Record<string, string>) =>
    t.throws(() => readConfig(env), { instanceOf: ConfigError })?.faults ?? [];
  t.regex(faults({ PORT: '3001' })[0]!, /EDGE_PORT and PORT/);
  t.regex(faults({ RPC_WS_URL: 'ws://localhost:1' })[0]!, /without RPC_URL/);
  t.regex(faults({ RPC_URL: 'http://a/,http://a/' })[0]!, /twice/);
  const config = readConfig({ RPC_URL: '', PORT: '' });
  t.is(config.PORT, 3000);
  t.is(config.rpcUrls[0], 'http://127.0.0.1:8545');
  t.true(configTable().every((row) => row.description.length > 0));
});

test.serial('a node of another chain id or genesis is refused at start', async (t) => {
  const otherId = await runCordscan(['index'], settings({ CHAIN_ID: '1', CLICKHOUSE_DATABASE: 'other_id' }));
  t.is(otherId.code, 2);
  t.regex(otherId.output, /serves chain 271828, CHAIN_ID is 1/);
  const otherGenesis = await runCordscan(
    ['index'],
    settings({ GENESIS_HASH: `0x${'1'.repeat(64)}`, CLICKHOUSE_DATABASE: 'other_genesis' }),
  );
  t.is(otherGenesis.code, 2);
  t.regex(otherGenesis.output, /serves genesis 0x[0-9a-f]{64}, expected 0x1111/);
});

test.serial('a database that holds another chain is refused', async (t) => {
  const database = await engine.open('stored_chain');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headOf(chain));
  await pipeline.stop();
  const other = await startDevChain({ blocks: 40, genesisTime: 1_600_000_000 });
  t.teardown(() => other.stop());
  const refused = await runCordscan(
    ['index'],
    settings({ RPC_URL: other.rpc.url, CLICKHOUSE_DATABASE: 'stored_chain' }),
  );
  t.is(refused.code, 2);
  t.regex(refused.output, /serves genesis/);
  await other.stop();
  const verified = await runCordscan(['verify'], settings({ CLICKHOUSE_DATABASE: 'stored_chain' }));
  t.is(verified.code, 0, verified.output);
  t.regex(verified.output, /61 blocks.*0 differences/);
  const rewound = await runCordscan(['rewind', '20'], settings({ CLICKHOUSE_DATABASE: 'stored_chain' }));
  t.is(rewound.code, 0, rewound.output);
  const status = await runCordscan(['status'], settings({ CLICKHOUSE_DATABASE: 'stored_chain' }));
  t.regex(status.output, /head: 20,/);
});
