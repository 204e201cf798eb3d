import test from 'ava';
import { Random } from '#devchain/random.ts';
import { detectionTime, recordReorg } from '#pipeline/follow/record-reorg.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startPipeline } from '#test/helpers/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;

let indexed: IndexedChain;
let setId: string;
let members: string[];
let pipeline: IndexedChain['pipeline'];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 120, seed: 31 });
  pipeline = indexed.pipeline;
  members = indexed.chain.world.accounts.slice(2, 9);
});

test.after.always(async () => {
  await pipeline?.stop();
  await indexed?.stop();
});

const get = (path: string) => indexed.api.get(`/api/v1${path}`);
const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  indexed.api.get(`/api/v1${path}`, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const caughtUp = () => pipeline.caughtUp(headReader(indexed.chain));

async function standing(
  who: readonly string[] = members,
  toBlock?: number,
): Promise<{ hash: string; block: number }[]> {
  const { head } = (await pipeline.state())!;
  const blocks = await readChainModel(indexed.chain.rpc, Math.min(head, toBlock ?? head));
  return blocks
    .flatMap((block) => block.txs)
    .filter((tx) => tx.value > 0n && tx.status === 1 && tx.to !== null && who.includes(tx.to))
    .map(({ hash, block }) => ({ hash, block }));
}

async function walkSet(query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await get(`/address-sets/${setId}/transfers?${query}${cursor && `&cursor=${cursor}`}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    rows.push(...body.items);
    cursor = body.nextCursor;
    if (!body.hasMore) return rows;
  }
}

test.serial('address set is created from JSON or NDJSON, changed, limited and removed', async (t) => {
  const made = await send('POST', '/address-sets', { addresses: members.slice(0, 3) });
  t.is(made.status, 201);
  t.is(made.body.addresses, 3);
  setId = made.body.id;
  const lines = `${members[0]}\n{"address":"${members[1]!.toUpperCase().replace('0X', '0x')}"}\n`;
  const other = (await send('POST', '/address-sets', lines)).body;
  t.is(other.addresses, 2);
  const changed = await send('PATCH', `/address-sets/${setId}`, { add: members, remove: [`0x${'9'.repeat(40)}`] });
  t.is(changed.body.addresses, members.length);
  t.is((await send('PATCH', `/address-sets/${other.id}`, { remove: [members[0]] })).body.addresses, 1);
  const many = Array.from({ length: 1_001 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
  t.is((await send('POST', '/address-sets', { addresses: many })).body.code, 'bad_query');
  t.regex((await send('POST', '/address-sets', { addresses: ['0x12'] })).body.detail, /address 1 is invalid/);
  t.is((await send('POST', '/address-sets', '{}')).status, 400);
  t.is((await send('DELETE', `/address-sets/${other.id}`, '')).status, 204);
  t.is((await get(`/address-sets/${other.id}`)).status, 404);
  t.is((await get(`/address-sets/${'a'.repeat(32)}/transfers`)).status, 404);
});

test.serial('transfers to a set appear once, in order, at any page size and depth, with tokens', async (t) => {
  const { head } = await caughtUp();
  for (const [limit, confirmations] of [
    [7, 0],
    [200, 0],
    [33, 20],
  ] as const) {
    const expected = (await standing(members, head - confirmations)).map((one) => one.hash);
    const rows = await walkSet(`limit=${limit}&minConfirmations=${confirmations}`);
    t.true(expected.length > 10);
    t.deepEqual(
      rows.map((row) => row.txHash),
      expected,
    );
  }
  const token = indexed.transfers.find((one) => one.standard === 'erc20')!.token;
  const tokens = indexed.transfers.filter((one) => one.token === token && one.value > 0n && members.includes(one.to));
  const rows = await walkSet(`limit=50&minConfirmations=0&tokens=${token}`);
  t.deepEqual(
    rows.filter((row) => row.kind === 'token').map((row) => row.id),
    tokens.map((one) => `${one.txHash}:${one.logIndex}`),
  );
  t.deepEqual(
    rows.filter((row) => row.kind === 'native').map((row) => row.txHash),
    (await standing()).map((one) => one.hash),
  );
});

test.serial('cursor returns new transfers and reports those removed by a reorg', async (t) => {
  await caughtUp();
  for (const name of ['minConfirmations', 'limit'])
    t.is((await get(`/address-sets/${setId}/transfers?${name}=`)).status, 400, 'a variable that is not set');
  let { body } = await get(`/address-sets/${setId}/transfers?limit=1000&minConfirmations=0`);
  const seen = new Set(body.items.map((row: Row) => row.txHash));
  body = (await get(`/address-sets/${setId}/transfers?limit=1000&minConfirmations=0&cursor=${body.nextCursor}`)).body;
  t.deepEqual([body.items, body.hasMore], [[], false]);
  await indexed.chain.mineLive(6);
  await caughtUp();
  body = (await get(`/address-sets/${setId}/transfers?limit=1000&minConfirmations=0&cursor=${body.nextCursor}`)).body;
  t.deepEqual(
    body.items.map((row: Row) => row.txHash),
    (await standing()).map((one) => one.hash).filter((hash) => !seen.has(hash)),
  );
  await indexed.chain.reorg(3);
  await indexed.chain.mineLive(1);
  await caughtUp();
  const invalid = await get(`/address-sets/${setId}/transfers?limit=1000&minConfirmations=0&cursor=${body.nextCursor}`);
  t.is(invalid.body.code, 'snapshot_invalidated');
  t.true(Number.isInteger(invalid.body.details.forkBlock));
});

function fold(t: import('ava').ExecutionContext, events: EventReader['events']) {
  const chain: { number: number; hash: string }[] = [];
  const [seen, creditable] = [new Map<string, string>(), new Map<string, string>()];
  for (const { name, data, id } of events) {
    const key = `${data.txHash}@${data.blockHash}`;
    if (name === 'anchor.added') {
      if (chain.length > 0) t.is(data.parentHash, chain.at(-1)!.hash, `${id} links`);
      chain.push({ number: data.number, hash: data.hash });
    } else if (name === 'anchor.removed') t.is(chain.pop()!.hash, data.hash, id);
    else if (name === 'transfer.seen') {
      t.false(seen.has(key), `${key} is seen once`);
      seen.set(key, data.txHash);
    } else if (name === 'transfer.creditable') {
      t.true(seen.has(key) && !creditable.has(key), `${key} becomes creditable once`);
      t.true(chain.at(-1)!.number - data.blockNumber >= 20);
      creditable.set(key, data.txHash);
    } else {
      t.true(seen.delete(key), `${key} was seen before it is removed`);
      t.false(creditable.has(key), 'nothing creditable is removed by reorgs below 20');
    }
  }
  return { chain, seen: [...seen.values()].sort(), creditable: [...creditable.values()].sort() };
}

test.serial(
  'streams deliver each event once in one order, also on replay, over reorgs and a pipeline crash',
  async (t) => {
    const random = new Random(5);
    const live = await EventReader.open(`${indexed.api.origin}/api/v1/stream/address-sets/${setId}?lastEventId=0`);
    const heads = await EventReader.open(`${indexed.api.origin}/api/v1/stream/heads`, '0');
    for (let i = 0; i < 14; i++) {
      await indexed.chain.mineLive(random.between(1, 4));
      if (random.chance(0.6)) await indexed.chain.reorg(random.between(1, 12));
      if (i % 5 === 4) {
        await pipeline.stop();
        await indexed.chain.mineLive(2);
        pipeline = startPipeline({
          database: pipeline.deps.database,
          urls: [indexed.chain.rpc.url],
          settings: { pollIntervalMs: 30 },
        });
      }
    }
    await indexed.chain.mineLive(2);
    const { head } = await caughtUp();
    const reaches = (reader: EventReader) => async () =>
      reader.events.findLast((event) => event.name === 'anchor.added')?.data.number === head && (await isStill(reader));
    await waitFor(reaches(live), 30_000, 'the stream comes to the head');
    await waitFor(reaches(heads), 30_000, 'the heads come to the head');
    const folded = fold(t, live.events);
    const expected = (await standing()).filter((one) => one.block >= folded.chain[0]!.number);
    t.deepEqual(folded.seen, expected.map((one) => one.hash).sort());
    const firstOfLog = folded.chain[0]!.number;
    t.deepEqual(
      folded.creditable,
      expected
        .filter((one) => one.block + 20 <= head && one.block >= firstOfLog)
        .map((one) => one.hash)
        .sort(),
    );
    t.deepEqual(
      heads.events.map((event) => Number(event.id)),
      heads.events.map((_, i) => i + 1),
      'no gap and no double in the order',
    );
    t.deepEqual(
      live.events.filter((event) => event.name.startsWith('anchor')).map((event) => event.id),
      heads.events.map((event) => `${event.id}-0`),
    );
    for (const at of [0, 17, Math.floor(live.events.length / 2), live.events.length - 3]) {
      const again = await EventReader.open(
        `${indexed.api.origin}/api/v1/stream/address-sets/${setId}`,
        live.events[at]!.id,
      );
      const rest = live.events.slice(at + 1);
      await waitFor(async () => again.events.length >= rest.length, 30_000, `the replay behind ${live.events[at]!.id}`);
      t.deepEqual(again.events, rest);
      again.close();
    }
    live.close();
    heads.close();
    t.is((await get('/stream/heads?lastEventId=nonsense')).status, 400);
    t.is((await get('/stream/heads?lastEventId=99999999')).status, 400);
  },
);

async function isStill(reader: EventReader): Promise<boolean> {
  const before = reader.events.length;
  await new Promise((resolve) => setTimeout(resolve, 250));
  return reader.events.length === before;
}

test.serial('reorgs list the fate of each transaction', async (t) => {
  await indexed.chain.mineLive(5);
  await caughtUp();
  const before = await readChainModel(indexed.chain.rpc, (await pipeline.state())!.head);
  await indexed.chain.reorg(4);
  await indexed.chain.mineLive(1);
  const { head } = await caughtUp();
  const after = await readChainModel(indexed.chain.rpc, head);
  const place = new Map(after.flatMap((block) => block.txs).map((tx) => [tx.hash, tx.block]));
  const [newest] = (await get('/reorgs?limit=1')).body.items;
  const removed = before.filter((block) => after[block.number]?.hash !== block.hash);
  t.is(newest.depth, removed.length);
  t.is(newest.forkBlock, removed[0]!.number - 1);
  t.deepEqual(
    newest.removed,
    removed.map((block) => block.hash),
  );
  const orphans = removed.flatMap((block) => block.txs.map((tx) => ({ hash: tx.hash, from: block.hash })));
  t.deepEqual(
    newest.transactions.map((one: Row) => [one.txHash, one.removedFrom, one.blockNumber]).sort(),
    orphans.map(({ hash, from }) => [hash, from, place.get(hash) ?? null]).sort(),
  );
});

test.serial(
  'verdict is creditable at exactly 20 confirmations, and never for failed, foreign or unknown transfers',
  async (t) => {
    const { head } = await caughtUp();
    const blocks = await readChainModel(indexed.chain.rpc, head);
    const moved = blocks.flatMap((block) => block.txs).filter((tx) => tx.value > 0n && tx.status === 1 && tx.to);
    const verdict = async (tx: string, to: string, minValue = '1') =>
      (await get(`/deposits/verdict?tx=${tx}&to=${to}&minValue=${minValue}`)).body;
    const at = (depth: number) => moved.findLast((tx) => head - tx.block === depth);
    const [deep, shallow] = [moved.findLast((tx) => head - tx.block >= 20)!, moved.find((tx) => head - tx.block < 20)!];
    t.like(await verdict(deep.hash, deep.to!), {
      verdict: 'creditable',
      state: 'creditable',
      rulesFailed: [],
      value: String(deep.value),
      blockHash: blocks[deep.block]!.hash,
    });
    t.like(await verdict(shallow.hash, shallow.to!), { verdict: 'wait', state: 'confirming' });
    for (const [depth, expected] of [
      [19, 'wait'],
      [20, 'creditable'],
    ] as const) {
      const tx = at(depth);
      if (tx) t.is((await verdict(tx.hash, tx.to!)).verdict, expected, `at ${depth}`);
    }
    t.like(await verdict(deep.hash, `0x${'9'.repeat(40)}`), { verdict: 'reject', state: 'mismatch' });
    t.like(await verdict(deep.hash, deep.to!, String(deep.value + 1n)), { verdict: 'reject', state: 'mismatch' });
    t.like(await verdict(`0x${'ab'.repeat(32)}`, deep.to!), { verdict: 'wait', state: 'unknown' });
    const failed = blocks
      .flatMap((block) => block.txs)
      .find((tx) => tx.status === 0 && tx.value > 0n && tx.to && head - tx.block >= 20);
    if (failed) t.like(await verdict(failed.hash, failed.to!), { verdict: 'reject', state: 'failed' });
  },
);

test.serial('a cursor that two reorgs removed names the lower fork', async (t) => {
  const { database } = pipeline.deps;
  const hash = (digits: string) => `0x${digits.repeat(32)}`;
  const detectedMs = Date.now() + 60_000;
  const added = [hash('0f')];
  await recordReorg(database, { detectedMs, forkBlock: 98, removed: [hash('a1'), hash('a2')], added });
  const asked = { ...snapshotParameters((await pipeline.state())!), block_number: 100, hash: 'a2'.repeat(32) };
  t.is((await database.readOne('pinned_block', asked)).fork_block, '98');
  await recordReorg(database, { detectedMs: detectedMs + 1, forkBlock: 90, removed: [hash('b1')], added });
  await recordReorg(database, { detectedMs: detectedMs + 2, forkBlock: 95, removed: [hash('c1')], added });
  t.is((await database.readOne('pinned_block', asked)).fork_block, '90');
  t.is((await database.readOne('pinned_block', { ...asked, hash: 'c1'.repeat(32) })).fork_block, '95');
  t.is((await database.readOne('pinned_block', { ...asked, hash: 'dd'.repeat(32) })).fork_block, null);
  t.is(await detectionTime(database), detectedMs + 3, 'also if the clock has gone back');
});
