import test from 'ava';
import { certify, certifySent } from '#api/read/export/certify.ts';
import { planExport } from '#api/read/export/plan.ts';
import { Cordscan, CoverageError } from '#client/index.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 120, seed: 12 });
});

test.after.always(() => indexed?.stop());

const readCertificate = async (query: string) => {
  const { status, body } = await indexed.api.get(`/api/v1/export/transactions/certificate?${query}`);
  if (status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`);
  return body;
};

async function readRows(query: { fromTime?: number; toTime?: number; fromBlock?: number; toBlock?: number }) {
  const requests: string[] = [];
  const noted: typeof fetch = (input, init) => {
    requests.push(String(input));
    return fetch(input, init);
  };
  const rows: unknown[] = [];
  for await (const row of new Cordscan(indexed.api.origin, { fetch: noted }).exportRows('transactions', query))
    rows.push(row);
  return { rows, requests };
}

test.serial('a period is complete only when a finalized block is later than its end', async (t) => {
  const { finalized, head } = (await indexed.pipeline.state())!;
  const getTime = (number: number) => indexed.blocks[number]!.time;
  const open = { complete: false, unfinalized: { from: finalized + 1, to: head } };
  const now = Math.floor(Date.now() / 1000);
  for (const toTime of [getTime(finalized), getTime(finalized + 3), getTime(head), now, now + 86_400]) {
    t.like(await readCertificate(`toTime=${toTime}`), open, String(toTime));
    t.like(await readCertificate(`toTime=${toTime}&fromTime=${getTime(5)}`), open);
    t.like(await readCertificate(`toTime=${toTime}&toBlock=99999999`), { complete: false });
    const reply = await fetch(`${indexed.api.origin}/api/v1/export/transactions?toTime=${toTime}`);
    t.is(reply.headers.get('X-Export-Unsettled'), `${finalized + 1}-${head}`);
    await reply.text();
    await t.throwsAsync(readRows({ toTime }), { instanceOf: CoverageError, message: /not final yet/ });
  }
  t.like(await readCertificate(`fromTime=${getTime(finalized + 2)}`), { complete: false, rows: 0 }, 'begins later');
  const settled = { complete: true, unfinalized: null, toBlock: finalized - 1 };
  t.like(await readCertificate(`toTime=${getTime(finalized) - 1}`), settled);
  t.like(await readCertificate(`toTime=${getTime(finalized) - 1}&toBlock=99999999`), settled);
  t.like(await readCertificate(`toTime=${now}&toBlock=${finalized}`), { complete: true, toBlock: finalized });
  const { rows, requests } = await readRows({ toTime: getTime(finalized) - 1 });
  t.is(rows.length, indexed.blocks.slice(0, finalized).flatMap(({ txs }) => txs).length);
  t.is(requests.length, 1, 'the certificate at the end of the reply is used');
  t.deepEqual((await readRows({ fromBlock: finalized + 1 })).rows, [], 'the next step of a regular export');
});

/** Certifies all transactions, and calls `during` while the rows are counted. */
async function certifyDuring(
  during: (count: number) => Promise<ChainState | undefined>,
  certified: typeof certify = certify,
) {
  const { deps } = indexed.api;
  const plan = await deps.snapshots.run((state) => planExport(deps, state, { kind: 'transactions' }));
  let counts = 0;
  let shown: ChainState | undefined;
  const snapshots = Object.create(deps.snapshots, {
    current: { value: async () => shown ?? (await deps.snapshots.current()) },
  });
  const cancelledBy = (gone: AbortSignal) => {
    const database = deps.database.cancelledBy(gone);
    const readOne = async (...given: Parameters<typeof database.readOne>) => {
      const row = await database.readOne(...given);
      shown = await during(++counts);
      return row;
    };
    return Object.assign(Object.create(database), { readOne });
  };
  const database = Object.assign(Object.create(deps.database), { cancelledBy });
  const faked = Object.assign(Object.create(deps), { snapshots, database });
  const certificate = await certified(faked, plan, new AbortController().signal);
  return { certificate, counts };
}

test.serial('a certificate that takes long is not repeated because blocks became final', async (t) => {
  const before = (await indexed.pipeline.state())!;
  const expected = await readCertificate(`toBlock=${before.finalized}`);
  const { certificate, counts } = await certifyDuring(async () => {
    await indexed.chain.mineLive(20);
    await indexed.pipeline.caughtUp(headReader(indexed.chain));
    const isDropped = async () => (await indexed.pipeline.state())!.droppedThrough > before.finalized;
    await waitFor(isDropped, 60_000, 'rows of the first snapshot are dropped');
    return undefined;
  });
  t.is(counts, 1);
  t.like(certificate, { rows: expected.rows, digest: expected.digest, toBlock: before.finalized });
});

test.serial('a certificate is refused if a repair or rewind hides its blocks meanwhile', async (t) => {
  const state = (await indexed.api.deps.snapshots.current())!;
  const generation = state.reorgGeneration + 1;
  const hiding = [
    { quarantined: [7] },
    { backfilledBefore: 10, followFrom: 15 },
    { finalized: 12, head: 12 },
    { doubtedFrom: 9 },
  ];
  for (const hidden of hiding)
    await t.throwsAsync(
      certifyDuring(async () => ({ ...state, reorgGeneration: generation, ...hidden })),
      { message: /missing now/ },
    );
  const { counts } = await certifyDuring(async (count) => ({ ...state, reorgGeneration: generation + count }));
  t.is(counts, 2, 'after a reorg, two equal counts are enough');
});

test.serial('rows that were sent get no certificate after a repair of their blocks', async (t) => {
  const state = (await indexed.api.deps.snapshots.current())!;
  const generation = state.reorgGeneration + 1;
  const repaired = (fromBlock: number) => async () => ({
    ...state,
    reorgGeneration: generation,
    repairs: [{ generation, fromBlock }],
  });
  const message = /a reorg or repair replaced blocks of this reply/;
  await t.throwsAsync(certifyDuring(repaired(state.finalized), certifySent), { message });
  const { certificate } = await certifyDuring(repaired(state.finalized + 1), certifySent);
  t.true(certificate.complete);
});

test.serial('a certificate ends on the server when its client disconnects', async (t) => {
  const { database } = indexed.api.deps;
  const end = new AbortController();
  const statement = {
    name: 'slow',
    sql: 'SELECT sum(cityHash64(number)) AS sum FROM numbers(1000000000000)',
  };
  const budget = { maxSeconds: 100, maxMemoryBytes: 100_000_000, maxResultRows: 1_000 };
  const running = database.cancelledBy(end.signal).read({ ...statement, parameters: [], budget } as never);
  const count = async () => {
    const asked = {
      name: 'count',
      sql: "SELECT count() AS n FROM system.processes WHERE query LIKE '%cityHash64(number)%' AND query NOT LIKE '%processes%'",
      parameters: [],
      budget,
    };
    return Number((await database.read<{ n: string }>(asked as never))[0]!.n);
  };
  await waitFor(async () => (await count()) === 1, 10_000, 'the statement runs');
  end.abort();
  await t.throwsAsync(running);
  await waitFor(async () => (await count()) === 0, 10_000, 'the statement has ended');
  t.is(await count(), 0);
});

test.serial('an export with too many gaps for its headers is refused, and says how far it may reach', async (t) => {
  const { deps } = indexed.api;
  const quarantined = Array.from({ length: 300 }, (_, i) => 2 + 2 * i);
  const state = { ...(await deps.snapshots.current())!, finalized: 1_000, head: 1_032, quarantined };
  const plan = (toBlock: number) => planExport(deps, state, { kind: 'transactions', fromBlock: 1, toBlock });
  await t.throwsAsync(plan(900), { message: /more than 200 gaps in the index.* up to block 401$/ });
  t.is((await plan(401)).window.gaps.length, 200);
});
