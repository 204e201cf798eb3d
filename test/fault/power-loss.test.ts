/** Rows that a power failure took from the disk although later rows survived. */
import test from 'ava';
import type { DevChain } from '#devchain/devchain.ts';
import { forgetRangeMark } from '#pipeline/jobs/job-marks.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { findTableDifferences } from '#pipeline/verify/verify-chain.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { readMark } from '#sql/job-marks.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

const checkedJob = 'rows checked after a start of the database';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 100, seed: 46 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const removeFinal = (database: Database, table: string, where: string) =>
  database.command(`ALTER TABLE ${table} DELETE IN PARTITION (1, 0) WHERE ${where} SETTINGS mutations_sync = 2`);

const dropUnfinalized = async (database: Database, where: string) => {
  const sql = `SELECT table, partition_id FROM system.parts WHERE database = currentDatabase() AND active
    AND startsWith(partition_id, '0-') AND ${where} GROUP BY table, partition_id`;
  const parts = await database.read<{ table: string; partition_id: string }>({
    ...resolveStatement('unfinalized_partitions'),
    sql,
  });
  for (const { table, partition_id } of parts)
    await database.command(`ALTER TABLE ${table} DROP PARTITION ID '${partition_id}'`);
  return parts.length;
};

interface Loss {
  readonly name: string;
  readonly isRestarted: boolean;
  readonly lose: (database: Database, blocks: { finalized: number }) => Promise<unknown>;
  /** Checks that must find the lost rows of finalized blocks. */
  readonly checks: readonly string[];
  /** Events that the pipeline must log. */
  readonly events: readonly string[];
}

const losses: readonly Loss[] = [
  {
    name: 'rows of finalized blocks in single tables, all unfinalized transactions, and a range with its entry in the journal',
    isRestarted: true,
    lose: async (database, { finalized }) => {
      await removeFinal(database, 'logs', `block_number = ${finalized - 3} AND log_index > 0`);
      await removeFinal(database, 'token_transfers', `block_number = ${finalized - 20}`);
      await removeFinal(database, 'address_roles', `block_number = ${finalized - 40} AND bitAnd(roles, 1) = 1`);
      await dropUnfinalized(database, "table = 'transactions'");
      await database.command('ALTER TABLE range_journal DELETE WHERE from_block < 20 SETTINGS mutations_sync = 2');
      for (const table of ['blocks', 'transactions', 'logs', 'address_roles', 'token_transfers', 'block_hashes'])
        await removeFinal(database, table, 'block_number < 20');
    },
    checks: ['block_gaps', 'header_counts', 'roles_missing', 'view_token_transfers'],
    events: ['journal_hole', 'rows_lost', 'window_dropped'],
  },
  {
    name: 'all unfinalized blocks',
    isRestarted: false,
    lose: (database) => dropUnfinalized(database, '1'),
    checks: [],
    events: ['window_dropped'],
  },
];

for (const [i, { name, isRestarted, lose, checks, events }] of losses.entries())
  test.serial(`after a power failure, the pipeline stores again: ${name}`, async (t) => {
    const database = await engine.open(`lost_${i}`);
    const settings = { insertTargetRows: 300, auditEveryMs: 3_600_000 };
    const first = startPipeline({ database, urls: [chain.rpc.url], settings });
    t.teardown(() => first.stop());
    await first.caughtUp(headReader(chain));
    await first.stop();
    const { deps } = first;
    const store = new ChainStateStore(deps);
    await store.load();
    const before = store.state;
    t.true(before.head > before.finalized + 3);
    const { startBlock, finalized, head } = before;
    const findIn = (window: { fromBlock: number; toBlock: number; isFinal: boolean }) =>
      findTableDifferences(deps, before, window);
    t.deepEqual(await findIn({ fromBlock: startBlock, toBlock: finalized, isFinal: true }), [], 'no false alarm');
    t.deepEqual(await findIn({ fromBlock: finalized + 1, toBlock: head, isFinal: false }), [], 'no false alarm');
    await lose(database, before);
    const missed = await findIn({ fromBlock: startBlock, toBlock: finalized, isFinal: true });
    t.deepEqual(
      [...new Set(missed.map(({ where }) => where))].filter((where) => checks.includes(where)),
      checks,
    );
    if (isRestarted) await forgetRangeMark(deps, checkedJob);

    const logged = new Set<string>();
    const note = ({ event }: { event: string }) => void logged.add(event);
    const log = Object.assign(Object.create(silentLog), { warn: note, error: note }) as Log;
    const second = startPipeline({ database, urls: [chain.rpc.url], settings, log });
    t.teardown(() => second.stop());
    await waitFor(
      async () => events.every((event) => logged.has(event)),
      60_000,
      () => `the rows are missed, after ${[...logged]}`,
    );
    if (isRestarted) await waitFor(async () => (await readMark(deps, checkedJob)) > 0, 60_000, 'the rows are checked');
    await second.caughtUp(headReader(chain));
    t.deepEqual((await second.verify()).differences, []);
    if (!isRestarted) return;
    const { version, reorgGeneration } = (await second.state())!;
    t.true(version > before.version + 999_999, 'readers know no later version');
    t.true(reorgGeneration >= before.reorgGeneration + 1_000);
  });
