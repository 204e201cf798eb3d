/**
 * Kills the pipeline and the embedded ClickHouse at random moments of storing a chain. Then verifies every row. `npm
 * run bench -- crash --kills 500 [--seed 1] [--blocks 2500]`
 */
import { parseArgs } from 'node:util';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { Random } from '#devchain/random.ts';
import { verifyChain } from '#pipeline/verify/verify-chain.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { Database } from '#sql/client.ts';
import { isBackfilled, readChainState } from '#sql/snapshot.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { recordedChain } from '../replay/record.ts';
import { startReplayServer } from '../replay/replay-server.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '2500' },
  },
});
const [kills, seed, blocks] = [Number(values.kills), Number(values.seed), Number(values.blocks)];
const random = new Random(seed);
const nodePort = await freePort();
await startReplayServer({ chain: await recordedChain(blocks, await freePort()), port: nodePort, latencyMs: 3 });
const dir = scratch();
const engine = await startEngine(dir);
const signal = new AbortController().signal;
const client = new RpcClient({ urls: [`http://127.0.0.1:${nodePort}`], timeoutMs: 10_000, maxInFlight: 8 });
await refreshHeads(client);
const totals = { pipeline: 0, engine: 0, rounds: 0, differences: 0, rows: 0 };

while (totals.pipeline + totals.engine < kills) await round(totals.rounds++);
for (const [name, total] of Object.entries(totals)) report(name, 'count', total);
await engine.stop();
process.exit(totals.differences > 0 ? 1 : 0);

async function round(number: number): Promise<void> {
  const name = `crash_${number}`;
  const database = new Database({ url: engine.url, database: name, log: silentLog, waitMs: 60_000 });
  const env = {
    RPC_URL: `http://127.0.0.1:${nodePort}`,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: name,
    INSERT_TARGET_ROWS: '3000',
    LOG_LEVEL: 'fatal',
  };
  const killsInRound = random.between(3, 9);
  for (let i = 0; i < killsInRound; i++) {
    const child = spawnCordscan(['index'], env);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([ended, waitForRows(database)]);
    await pause(random.between(600, 2_600)); // at startup, or anywhere in its work
    if (random.chance(0.35)) {
      engine.kill();
      totals.engine++;
      await pause(random.between(0, 1_500));
    }
    child.kill('SIGKILL');
    totals.pipeline++;
    await ended;
  }
  const last = spawnCordscan(['index'], env);
  await waitFor(async () => isComplete(database), 120_000, 'the backfill is complete');
  last.kill('SIGTERM');
  await new Promise((resolve) => last.once('exit', resolve));
  const report = await verifyChain({ client, database, signal });
  totals.differences += report.differences.length;
  totals.rows += report.blocks + report.transactions + report.logs + report.roles;
  for (const difference of report.differences.slice(0, 10)) console.log(name, difference);
  console.log(
    `round ${number}: ${killsInRound} kills, ${report.differences.length} differences; ${totals.pipeline} + ${totals.engine} kills so far`,
  );
  await database.command(`DROP DATABASE ${name} SYNC`);
  await database.close();
}

/** Waits for the first stored state, so that a kill interrupts the pipeline's work, not its start. */
async function waitForRows(database: Database): Promise<void> {
  await waitFor(
    async () => (await readChainState(database).catch(() => undefined)) !== undefined,
    60_000,
    'the pipeline starts',
  );
}

async function isComplete(database: Database): Promise<boolean> {
  const state = await readChainState(database).catch(() => undefined);
  return (
    state !== undefined &&
    isBackfilled(state) &&
    state.head >= blocks &&
    state.rollupThrough >= Math.floor((state.finalized + 1) / 2_000) * 2_000
  );
}
