import { createHash } from 'node:crypto';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import test from 'ava';
import { getCreateAddress } from 'ethers';
import { readCoinBalances } from '#api/routes/accounts/coin-snapshot.ts';
import { devTreasury } from '#devchain/anvil.ts';
import { forgetBalances, redoJobs, writeMark } from '#pipeline/jobs/job-marks.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { pausePipelines } from '#pipeline/workers/pause-pipelines.ts';
import { silentLog } from '#runtime/log.ts';
import { checkpointMark, checkpointPrefix, checkpointsJob, readCheckpoints } from '#sql/coin-checkpoints.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { balancesJob, readMark, readMarks } from '#sql/job-marks.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { alterSnapshots } from '#test/helpers/altered-snapshots.ts';
import { checkpointsByHand, compareSnapshots, readBalance, snapshotPath } from '#test/helpers/coin-snapshots.ts';
import { readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';
import { accounts, readStatement as ask, checkpoints, finalized, indexed, low } from './chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

/**
 * Partition of all finalized rows. The pipeline may drop other partitions at any time, which cancels their mutations.
 */
const finalRows = 'IN PARTITION (1, 0)';

const storedCheckpoints = async () => (await readCheckpoints(indexed.pipeline.deps.database)).toSorted((a, b) => a - b);

/** Waits until the job has stored all missing checkpoints, and returns all. */
async function checkpointsInTime(): Promise<number[]> {
  const { database } = indexed.pipeline.deps;
  const { finalized: newest } = (await indexed.pipeline.state())!;
  const areStored = async () => (await readMark({ database }, checkpointsJob)) > newest - checkpoints.blocks;
  await waitFor(areStored, 60_000, 'all checkpoints are stored');
  return storedCheckpoints();
}

/** Makes the job look for missing checkpoints and accounts. @returns as checkpointsInTime */
async function storeAgain(): Promise<number[]> {
  await writeMark(indexed.pipeline.deps, checkpointsJob, 0);
  return checkpointsInTime();
}

/**
 * Mines until the newest block is finalized, its balances are read and the API shows it. @returns the finalized block
 */
async function makeFinal(): Promise<number> {
  const { chain, pipeline } = indexed;
  const newest = await headReader(chain)();
  await chain.mineLive(60);
  await pipeline.caughtUp(headReader(chain));
  await waitFor(async () => (await pipeline.state())!.finalized > newest, 30_000, 'the newest block is final');
  const { finalized: reached } = (await pipeline.state())!;
  await waitFor(async () => (await readMark(pipeline.deps, balancesJob)) >= reached, 60_000, 'balances are read');
  const isShown = async () => (await indexed.api.get('/api/v1/strings/finalized')).body.number >= reached;
  await waitFor(isShown, 10_000, 'the API shows the new blocks');
  return reached;
}

test.serial('coin balances of all accounts after any block equal those of the node', async (t) => {
  const { database } = indexed.pipeline.deps;
  const wanted = checkpointsByHand(indexed.blocks, finalized, checkpoints);
  const compare = () => compareSnapshots(t, indexed, [0, 1, low, 40, finalized - 1, finalized], accounts);
  const damage = (sql: string) => database.command(`ALTER TABLE coin_checkpoints ${sql} SETTINGS mutations_sync = 2`);
  t.deepEqual(await checkpointsInTime(), wanted);
  t.true(wanted.length >= 2 && wanted.some((block) => block > low), String(wanted));
  await compare();
  const richest = (await indexed.api.get(`${snapshotPath}?block=${wanted.at(-1)}`)).body.items[0].address;
  await damage('UPDATE balance = balance + 1 WHERE 1');
  const { status, body } = await indexed.api.get(`${snapshotPath}?block=${low}&limit=10`);
  t.is(`${status} ${body.code}`, '422 state_unavailable', 'a node contradicts the checkpoint');
  const asked = Date.now();
  await redoJobs({ database }, { fromBlock: 1, toBlock: 1 });
  const left = await readMarks({ database }, `${checkpointPrefix} `);
  const early = [...left.values()].filter(({ version }) => version < asked);
  t.deepEqual(early, [], 'none is left that was stored before');
  await checkpointsInTime();
  await compare();
  await damage(`DELETE WHERE address = unhex('${richest.slice(2)}')`);
  await compare(); // uses the balances of a node, because an account is missing
  await pausePipelines({ database, log: silentLog }, (held) => forgetBalances({ database: held }));
  t.deepEqual(await checkpointsInTime(), wanted);
  await compare();
  await damage(`DELETE WHERE address = unhex('${richest.slice(2)}')`);
  await storeAgain(); // adds the missing account
  const sql = `SELECT count() AS rows FROM coin_checkpoints FINAL WHERE address = unhex('${richest.slice(2)}')`;
  const [found] = await database.read<{ rows: string }>({ ...resolveStatement('chain_state'), sql });
  t.is(Number(found?.rows), wanted.length);
  await database.execute('forget_job_marks', { prefix: `${checkpointPrefix} ` });
  await compare();
});

test.serial('the Merkle tree of coin balances equals that of OpenZeppelin', async (t) => {
  const { get } = indexed.api;
  const csv: string = (await get(`${snapshotPath}?block=${low}&format=csv`)).body;
  const rows = csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
  const tree = StandardMerkleTree.of(rows, ['address', 'uint256']);
  const [account, balance] = rows[0]!;
  const merkle = `${snapshotPath}/merkle?block=${low}`;
  const { body } = await get(`${merkle}&account=${account}`);
  t.like(body, {
    root: tree.root,
    accounts: rows.length,
    confirmedByNode: true,
    account: { address: account, balance },
  });
  t.deepEqual(body.account.proof, tree.getProof([account!, balance!]));
  const dump = await get(`${merkle}&format=dump`);
  t.is(StandardMerkleTree.load(dump.body).root, tree.root);
  t.is(`${dump.headers.get('x-as-of-block')} ${dump.headers.get('x-confirmed-by-node')}`, `${low} true`);
  t.is((await get(`${merkle}&account=0x${'12'.repeat(20)}`)).body.code, 'not_found');
  t.is((await get(`${merkle}&account=0x12`)).body.code, 'bad_query');
});

test.serial('checkpoints get an account that took part in no transaction before', async (t) => {
  const { chain, pipeline } = indexed;
  const { database } = pipeline.deps;
  const before = await storeAgain();
  const [late, to] = [devTreasury, accounts[0]!];
  t.false(accounts.includes(late));
  const funded = await readBalance(chain, late, 0);
  t.true(funded > 0n);
  await writeMark({ database }, checkpointsJob, Number.MAX_SAFE_INTEGER); // pauses the job
  await chain.rpc.call('anvil_impersonateAccount', [late]);
  await chain.rpc.call('eth_sendTransaction', [{ from: late, to, value: '0x7', gas: '0x5208' }]);
  await makeFinal(); // finalizes the last block of another checkpoint too
  t.deepEqual(await storedCheckpoints(), before);
  await compareSnapshots(t, indexed, [low, 40], [...accounts, late]); // uses the balances of a node
  const stored = await storeAgain();
  t.deepEqual(stored.slice(0, before.length), before);
  t.true(before.length > 1 && stored.length > before.length);
  const sql = `SELECT block_number AS block, toString(balance) AS balance FROM coin_checkpoints FINAL WHERE address = unhex('${late.slice(2)}') ORDER BY block`;
  const rows = await database.read<{ block: string; balance: string }>({ ...resolveStatement('chain_state'), sql });
  t.deepEqual(
    rows.map(({ block, balance }) => [Number(block), BigInt(balance)]),
    await Promise.all(stored.map(async (block) => [block, await readBalance(chain, late, block)])),
  );
  t.is(BigInt(rows[0]!.balance), funded);
  await compareSnapshots(t, indexed, [low, 40, ...stored], [...accounts, late]);
});

test.serial('the distance of checkpoints doubles until it is twice the number of accounts', async (t) => {
  const { database } = indexed.pipeline.deps;
  const sql = 'SELECT count() AS accounts FROM account_balances FINAL';
  const [found] = await database.read<{ accounts: string }>({ ...resolveStatement('chain_state'), sql });
  for (const transactions of [7, 60, 400]) {
    const through = Math.floor((finalized + 1) / 5) * 5 - 1;
    const rows = await database.read('coin_checkpoint_blocks', { through, blocks: 5, transactions });
    let step = transactions;
    while (step < 2 * Number(found!.accounts)) step *= 2;
    const wanted = checkpointsByHand(indexed.blocks, finalized, { transactions: step, blocks: 5 });
    t.deepEqual(rows.map(({ block }) => Number(block)).reverse(), wanted, String(step));
  }
});

test.serial('validator withdrawals between checkpoints make the earlier ones unknown', async (t) => {
  const { database } = indexed.pipeline.deps;
  const before = await checkpointsInTime();
  const newest = before.at(-1)!;
  await database.execute('forget_job_marks', { prefix: checkpointMark(newest) });
  const mark = (count: number) =>
    database.command(
      `ALTER TABLE blocks UPDATE withdrawal_count = ${count} ${finalRows} WHERE block_number = ${newest} SETTINGS mutations_sync = 2`,
    );
  await mark(1);
  t.deepEqual(await storeAgain(), [newest]);
  const { status, body } = await indexed.api.get(`${snapshotPath}?block=${low}&limit=10`);
  t.is(`${status} ${body.code}`, '422 state_unavailable', 'the recipients of withdrawals are unknown');
  await mark(0);
  t.deepEqual(await storeAgain(), before);
});

test.serial('/status names a background job that keeps failing', async (t) => {
  const { database } = indexed.pipeline.deps;
  const readStatus = async () => (await indexed.api.get('/api/v1/status')).body;
  t.deepEqual((await readStatus()).pipeline.jobFaults, []);
  await database.command('RENAME TABLE coin_checkpoints TO hidden_checkpoints');
  await database.execute('forget_job_marks', { prefix: checkpointPrefix });
  await waitFor(async () => (await readStatus()).pipeline.jobFaults.length > 0, 60_000, 'the fault is reported');
  const { status, alerts, pipeline } = await readStatus();
  t.is(status, 'degraded');
  t.like(pipeline.jobFaults, [{ job: 'storeCheckpoints' }]);
  t.regex(alerts.join(), /the background job storeCheckpoints fails since \S+Z: .*coin_checkpoints/);
  await database.command('RENAME TABLE hidden_checkpoints TO coin_checkpoints');
  await waitFor(async () => (await readStatus()).pipeline.jobFaults.length === 0, 60_000, 'the job works again');
});

test.serial('coin balances of all accounts are also shown by time, as CSV and on a page', async (t) => {
  const path = snapshotPath;
  const time = indexed.blocks[40]!.time;
  t.is((await indexed.api.get(`${path}?time=${time}&limit=1`)).body.block.number, 40);
  const page = await readPage(indexed.api, '/accounts?block=40&limit=25');
  t.regex(page.text, /accounts held .* after block 40 .* A node confirms them/);
  t.regex((await readPage(indexed.api, '/accounts?block=x')).text, /block must be a block number/);
  const csv = await indexed.api.get(`${path}?block=40&format=csv`);
  const lines = (csv.body as string).trim().split('\r\n').slice(1);
  t.is(lines.length, (await indexed.api.get(`${path}?block=40&limit=1`)).body.accounts);
  t.is(csv.headers.get('x-confirmed-by-node'), 'true');
  const { nextCursor } = (await indexed.api.get(`${path}?block=40&limit=1`)).body;
  t.is((await indexed.api.get(`${path}?block=40&format=csv&cursor=${nextCursor}`)).body, csv.body, 'a file is whole');
  t.is(csv.headers.get('repr-digest'), `sha-256=:${createHash('sha256').update(csv.body).digest('base64')}:`);
  t.is((await indexed.api.get(`${path}?block=${(await headReader(indexed.chain)()) + 5}`)).status, 400);
});

test.serial('balances before the first indexed block are refused, also as a file', async (t) => {
  const { deps } = indexed.api;
  const startBlock = 30;
  const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, startBlock }));
  const traced = Object.create(deps.traced, { ranges: { value: async () => [{ from: 0, to: 1e9 }] } });
  const late = Object.assign(Object.create(deps), { snapshots, traced });
  const read = (block: number) => readCoinBalances(late, { caller: 'anyone' }, { block }, { limit: 3 });
  await t.throwsAsync(read(startBlock - 1), { message: /the first indexed block is 30, got 29/ });
  t.is((await read(startBlock)).block, startBlock);
});

test.serial('coin that destroyed contracts lose is not counted as theirs', async (t) => {
  const { chain } = indexed;
  const from = accounts.find((account) => account !== devTreasury)!;
  await chain.rpc.call('anvil_impersonateAccount', [from]);
  await chain.rpc.call('anvil_setBalance', [from, '0xde0b6b3a7640000']);
  const send = (more: object) => chain.rpc.call<string>('eth_sendTransaction', [{ from, gas: '0x30d40', ...more }]);
  const nonce = Number(await chain.rpc.call('eth_getTransactionCount', [from, 'latest']));
  const destroyed = [getCreateAddress({ from, nonce: nonce + 1 })];
  for (const later of [2, 3])
    destroyed.push(getCreateAddress({ from: getCreateAddress({ from, nonce: nonce + later }), nonce: 1 }));
  await send({ to: destroyed[0], value: '0x9' });
  await chain.mineLive(3);
  const funded = await headReader(chain)();
  await send({ data: '0x30ff', value: '0x5' }); // destroys itself with its coin, including the coin it had before
  // both create a contract and then pay it 2 wei: one destroys itself with 3 wei, the other pays out nothing
  await send({ data: '0x6130ff6000526002601e6003f060006000600060006002855af100', value: '0x5' });
  await send({ data: '0x6133ff6000526002601e6000f060006000600060006002855af100', value: '0x2' });
  const reached = await makeFinal();
  t.true(reached > funded + 3);
  const lower = destroyed.map((address) => address.toLowerCase());
  t.is(await readBalance(chain, lower[0]!, funded), 9n);
  t.deepEqual(await Promise.all(lower.map((address) => readBalance(chain, address, reached))), [0n, 0n, 0n]);
  await compareSnapshots(t, indexed, [low, funded, funded + 1, reached], [...accounts, ...lower]);
  const change = await indexed.pipeline.deps.database.readOne('coin_change', {
    ...snapshotParameters((await indexed.pipeline.state())!),
    ...{ accounts: [lower[0]!.slice(2)], from_block: funded + 1, to_block: reached },
  });
  t.is(change.wei, '-9');
});

test.serial('a reward of a block producer that is no transfer is noticed on every page', async (t) => {
  const { chain, pipeline } = indexed;
  const block = (await pipeline.state())!.finalized;
  const path = `${snapshotPath}?block=${block}&limit=1`;
  t.like((await indexed.api.get(path)).body, { confirmedByNode: true });
  const { miner } = await chain.rpc.call<{ miner: string }>('eth_getBlockByNumber', ['latest', false]);
  const balance = await readBalance(chain, miner, await headReader(chain)());
  await chain.rpc.call('anvil_setBalance', [miner, `0x${(balance + 10n ** 15n).toString(16)}`]);
  await makeFinal();
  for (const each of [path, `${snapshotPath}?block=${block}&format=csv`, `${snapshotPath}/merkle?block=${block}`]) {
    const { status, body } = await indexed.api.get(each);
    t.is(`${status} ${body.code}`, '422 state_unavailable', each);
    t.true(body.detail.includes(miner), body.detail);
  }
});

test.serial('a statement says what it can not know', async (t) => {
  const beyond = (await indexed.pipeline.state())!.finalized + 1;
  const { status, body } = await indexed.api.get(`/api/v1/statement?accounts=${accounts[0]}&fromBlock=${beyond}`);
  t.deepEqual([status, body.code], [400, 'bad_query']);
  const { database } = indexed.pipeline.deps;
  await database.command(
    `ALTER TABLE address_roles DELETE ${finalRows} WHERE tx_hash = (SELECT max(hash) FROM transactions WHERE block_number BETWEEN 20 AND 30 AND status = 1 AND value > 0) SETTINGS mutations_sync = 2`,
  );
  let missing = 0;
  for (let at = 0; at < accounts.length; at += 100) {
    const { coin } = await ask({ accounts: accounts.slice(at, at + 100).join(), fromBlock: String(low) });
    missing += coin.filter(({ difference }: Reply) => difference !== '0').length;
  }
  t.true(missing > 0, 'a lost row is named as a difference');

  const snapshot = () => indexed.api.get('/api/v1/accounts/snapshot?block=10&limit=200');
  await database.command(
    `ALTER TABLE transactions DELETE ${finalRows} WHERE hash = (SELECT max(hash) FROM transactions WHERE block_number BETWEEN 20 AND 30 AND status = 1 AND value > 0) SETTINGS mutations_sync = 2`,
  );
  const wrong = await snapshot();
  t.is(`${wrong.status} ${wrong.body.code}`, '422 state_unavailable', 'a node has other balances');
  await database.command('ALTER TABLE traced_ranges DELETE WHERE 1 SETTINGS mutations_sync = 2');
  await indexed.pipeline.stop();
  const store = new ChainStateStore({ database });
  await store.load();
  await store.publish({}); // a new state makes readers read the ranges again
  const untraced = await snapshot();
  t.is(`${untraced.status} ${untraced.body.code}`, '503 indexing', 'internal transfers are missing');
  await store.publish({ doubtedFrom: 9, doubtedSinceMs: Date.now(), doubt: 'a node has other blocks' });
  await new Promise((resolve) => setTimeout(resolve, 300)); // requests share a snapshot for up to 250 ms
  const path = `/api/v1/accounts/${accounts[0]}`;
  const { body: history } = await indexed.api.get(`${path}/balances?points=3`);
  t.is(history.items.at(-1).blockNumber, 8, 'contradicted blocks do not count as finalized');
  t.false(history.complete);
  t.like((await indexed.api.get(`${path}/snapshot`)).body.block, { number: 8, finalized: true });
});
