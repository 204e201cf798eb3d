import test from 'ava';
import type { AnchorEvent } from '#api/read/deposits/anchor-events.ts';
import { setEvents } from '#api/read/deposits/set-events.ts';
import type { StreamEvent } from '#api/read/deposits/stream-event.ts';
import { listSetTransfers } from '#api/routes/deposits/list-set-transfers.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { alterSnapshots } from '#test/helpers/altered-snapshots.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startPipeline } from '#test/helpers/service.ts';

interface Page {
  readonly items: readonly { readonly txHash: string; readonly blockNumber: number }[];
  readonly nextCursor: string;
}

const getHash = ({ txHash }: { readonly txHash: string }) => txHash;

let indexed: IndexedChain;
let pipeline: IndexedChain['pipeline'];
let setId: string;
let steps: AnchorEvent[];
let expected: StreamEvent[];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 31 });
  pipeline = indexed.pipeline;
  await indexed.chain.mineLive(40);
  const { head } = await pipeline.caughtUp(headReader(indexed.chain));
  const body = JSON.stringify({ addresses: indexed.chain.world.accounts.slice(2, 9) });
  setId = (await indexed.api.get('/api/v1/address-sets', { method: 'POST', body })).body.id;
  const { anchorEvents } = indexed.api.deps;
  await waitFor(async () => (await anchorEvents.after(0)).at(-1)?.number === head, 10_000, 'all steps are logged');
  steps = await anchorEvents.after(0);
  expected = [...(await setEvents(indexed.api.deps, setId)(steps)).events];
});

test.after.always(async () => {
  await pipeline?.stop();
  await indexed?.stop();
});

test.serial('events stop before the first step whose blocks are hidden, and continue without a loss', async (t) => {
  const { deps } = indexed.api;
  const low = steps[0]!.number;
  const high = steps.at(-1)!.number;
  const hidings: [hides: Partial<ChainState>, last: number][] = [
    [{ quarantined: [low + 7] }, low + 6],
    [{ quarantined: [low + 2, high - 3] }, low + 1],
    [{ backfilledBefore: low + 5, followFrom: low + 9 }, low + 4],
    [{ head: high - 4, finalized: low }, high - 4],
  ];
  for (const [hides, last] of hidings) {
    let hidden: Partial<ChainState> = hides;
    const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, ...hidden }));
    const readEvents = setEvents(Object.assign(Object.create(deps), { snapshots }), setId);
    const first = await readEvents(steps);
    const text = JSON.stringify(hides);
    t.is(steps.find(({ sequence }) => sequence === first.through)!.number, last, text);
    const rest = steps.filter(({ sequence }) => sequence > first.through);
    await t.throwsAsync(() => readEvents(rest), { message: /not indexed yet/ }, text);
    hidden = {};
    t.deepEqual([...first.events, ...(await readEvents(rest)).events], expected, text);
  }
  const before = { backfilledBefore: low - 15, followFrom: low };
  const state = { ...(await deps.snapshots.current())!, ...before };
  const snapshots = alterSnapshots(deps.snapshots, () => state);
  const { events } = await setEvents(Object.assign(Object.create(deps), { snapshots }), setId)(steps);
  t.deepEqual(events, expected, 'a backfill below the first step delays nothing');
});

test.serial('a list of transfers to a set ends before a hidden block, and is refused only at this block', async (t) => {
  const { deps } = indexed.api;
  const { head } = (await deps.snapshots.current())!;
  const gap = head - 30;
  const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, quarantined: [gap] }));
  const hidden = Object.assign(Object.create(deps), { snapshots });
  const listFrom = (cursor?: string) => {
    const query = { cursor, fromBlock: 1, limit: 1_000, minConfirmations: 0 };
    return listSetTransfers.handle(hidden, { params: { id: setId }, query } as never) as Promise<Page>;
  };
  const page = await listFrom();
  const all = (await indexed.api.get(`/api/v1/address-sets/${setId}/transfers?limit=1000&minConfirmations=0`)).body;
  const expectedHashes = all.items.filter((item: Page['items'][0]) => item.blockNumber < gap).map(getHash);
  t.deepEqual(page.items.map(getHash), expectedHashes);
  t.true(expectedHashes.length > 0);
  t.like(page, { throughBlock: gap - 1, hasMore: true });
  await t.throwsAsync(listFrom(page.nextCursor), {
    message: new RegExp(`blocks ${gap} to ${gap} are not indexed yet`),
  });
});

test.serial('a reorg does not skip the deposits of a hidden block that one of its steps made creditable', async (t) => {
  const { deps } = indexed.api;
  const { head } = (await pipeline.state())!;
  await indexed.chain.reorg(1);
  await indexed.chain.mineLive(2);
  const { head: newest } = await pipeline.caughtUp(headReader(indexed.chain));
  const isLogged = async () => (await deps.anchorEvents.after(0)).at(-1)?.number === newest;
  await waitFor(isLogged, 10_000, 'all steps are logged');
  steps = await deps.anchorEvents.after(0);
  t.deepEqual(
    steps.filter(({ number }) => number === head).map(({ kind }) => kind),
    ['added', 'removed', 'added'],
  );
  expected = [...(await setEvents(deps, setId)(steps)).events];
  let hidden: Partial<ChainState> = { quarantined: [head - 20] };
  const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, ...hidden }));
  const readEvents = setEvents(Object.assign(Object.create(deps), { snapshots }), setId);
  const later = steps.filter(({ number }) => number > head - 20);
  const earlier = await setEvents(deps, setId)(steps.filter(({ number }) => number <= head - 20));
  const first = await readEvents(later);
  t.is(steps.find(({ sequence }) => sequence === first.through)!.number, head - 1);
  const rest = steps.filter(({ sequence }) => sequence > first.through);
  await t.throwsAsync(() => readEvents(rest), { message: /not indexed yet/ });
  hidden = {};
  t.deepEqual([...earlier.events, ...first.events, ...(await readEvents(rest)).events], expected);
});

test.serial('a stream waits for blocks that a rewind removed, and then has each event once', async (t) => {
  const block = steps.at(-1)!.number - 30;
  await pipeline.stop();
  await rewind({ ...pipeline.deps, leaseMs: 500 }, block);
  const url = `${indexed.api.origin}/api/v1/stream/address-sets/${setId}`;
  const reader = await EventReader.open(url, String(steps[0]!.sequence - 1));
  t.teardown(() => reader.close());
  const shown = expected.filter(({ id }) => {
    const step = steps.find(({ sequence }) => sequence === Number(id.split('-')[0]));
    return step!.number <= block;
  });
  await waitFor(async () => reader.events.length >= shown.length, 10_000, 'events before the rewind');
  await new Promise((resolve) => setTimeout(resolve, 700));
  t.deepEqual(
    reader.events.map(({ id }) => id),
    shown.map(({ id }) => id),
  );
  pipeline = startPipeline({ database: pipeline.deps.database, urls: [indexed.chain.rpc.url] });
  await pipeline.caughtUp(headReader(indexed.chain));
  await waitFor(async () => reader.events.length >= expected.length, 20_000, 'the other events');
  t.deepEqual(
    reader.events.map(({ id, name, data }) => ({ id, name, data })),
    expected.map(({ id, name, data }) => ({ id, name, data })),
  );
  t.true(expected.some(({ name }) => name === 'transfer.creditable'));
});

test.serial('blocks that the chain replaces after a rewind are removed as by a reorg', async (t) => {
  const { deps } = indexed.api;
  const readSteps = async (headHash: string) => {
    await waitFor(async () => (await deps.anchorEvents.after(0)).at(-1)?.hash === headHash, 20_000, 'steps are logged');
    return deps.anchorEvents.after(0);
  };
  let last: AnchorEvent | undefined;
  for (let i = 0; i < 30 && !last; i++) {
    await indexed.chain.mineLive(1);
    const step = (await readSteps((await pipeline.caughtUp(headReader(indexed.chain))).headHash)).at(-1)!;
    const { events } = await setEvents(deps, setId)([step]);
    if (events.some(({ name }) => name === 'transfer.seen')) last = step;
  }
  const { head, headHash, reorgGeneration } = (await pipeline.state())!;
  const reorgs = (await indexed.api.get('/api/v1/reorgs')).body.items.length;
  await pipeline.stop();
  await rewind({ ...pipeline.deps, leaseMs: 500 }, head - 2);
  await indexed.chain.reorg(1);
  pipeline = startPipeline({ database: pipeline.deps.database, urls: [indexed.chain.rpc.url] });
  const newest = await pipeline.caughtUp(headReader(indexed.chain));
  const later = (await readSteps(newest.headHash)).filter(({ sequence }) => sequence > last!.sequence);
  t.like(later[0], { kind: 'removed', hash: headHash });
  const { events } = await setEvents(deps, setId)(later);
  t.true(events.some(({ name, data }) => name === 'transfer.removed' && JSON.stringify(data).includes(headHash)));
  const url = `${indexed.api.origin}/api/v1/changes?since=${head}-${headHash}-${reorgGeneration}`;
  const [first] = (await (await fetch(url)).text()).split('\n');
  t.like(JSON.parse(first!), { type: 'removed', toBlock: head });
  t.is((await indexed.api.get('/api/v1/reorgs')).body.items.length, reorgs, 'the rewind is not listed');
});
