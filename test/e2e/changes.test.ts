import test from 'ava';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { getBlock } from '#mirror/target.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 150, seed: 31 });
});

test.after.always(() => indexed?.stop());

// biome-ignore lint/suspicious/noExplicitAny: lines are checked field by field
type Line = any;

async function readLines(query: Record<string, string> = {}): Promise<Line[]> {
  const { status, body } = await indexed.api.get(`/api/v1/changes?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.split('\n').flatMap((line: string) => (line === '' ? [] : [JSON.parse(line)]));
}

const kinds = ['transactions', 'transfers', 'logs', 'anchors'] as const;

/** A copy of the chain, as a client would store it. */
class Copy {
  readonly rows = new Map<string, Line[]>();
  readonly commits: Line[] = [];
  position: string | undefined;
  #pending: Line[] = [];

  /** Number and hash of the last block, without the reorg generation at which it was read. */
  get place(): string | undefined {
    return getBlock(this.position);
  }

  apply(line: Line): void {
    if (line.type === 'row') return void this.#pending.push(line);
    if (line.type === 'removed') {
      for (const [kind, rows] of this.rows)
        this.rows.set(
          kind,
          rows.filter(({ blockNumber }) => blockNumber < line.fromBlock),
        );
      while (this.commits.length > 0 && this.commits.at(-1)!.toBlock >= line.fromBlock) this.commits.pop();
    } else {
      for (const { table, row } of this.#pending) this.rows.set(table, [...(this.rows.get(table) ?? []), row]);
      this.#pending = [];
      this.commits.push(line);
    }
    this.position = line.position ?? undefined;
  }

  async follow(query: Record<string, string> = {}): Promise<void> {
    for (;;) {
      const lines = await readLines({ ...(this.position ? { since: this.position } : {}), ...query });
      if (lines.length === 0) return;
      for (const line of lines) this.apply(line);
    }
  }
}

/** All rows of the chain up to its head, from one read of the newest snapshot. */
async function readWhole(): Promise<Copy> {
  const copy = new Copy();
  await copy.follow();
  return copy;
}

const addDigests = (digests: readonly string[]) =>
  BigInt.asUintN(
    64,
    digests.reduce((sum, digest) => sum + BigInt(`0x${digest}`), 0n),
  )
    .toString(16)
    .padStart(16, '0');

test.serial('changes hold every row of the chain, and their digests add up to the certificates', async (t) => {
  const copy = await readWhole();
  const { blocks, transfers, head } = indexed;
  t.is(copy.place, `${head}-${blocks[head]!.hash}`);
  t.deepEqual(
    copy.rows.get('anchors')!.map(({ blockHash }) => blockHash),
    blocks.map(({ hash }) => hash),
  );
  t.deepEqual(
    copy.rows.get('transactions')!.map(({ txHash }) => txHash),
    blocks.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
  );
  t.is(copy.rows.get('transfers')!.length, transfers.length);
  const finalized = copy.commits.at(-1).finalized;
  for (const kind of kinds) {
    const final = copy.commits.filter(({ toBlock }) => toBlock <= finalized);
    const { body } = await indexed.api.get(`/api/v1/export/${kind}/certificate?toBlock=${finalized}`);
    t.is(addDigests(final.map(({ tables }) => tables[kind].digest)), body.digest, kind);
    t.is(
      final.reduce((sum, { tables }) => sum + tables[kind].rows, 0),
      body.rows,
      kind,
    );
    const exported = await indexed.api.get(`/api/v1/export/${kind}?toBlock=${finalized}`);
    const lines: Line[] = exported.body
      .trim()
      .split('\n')
      .slice(0, -1)
      .map((line: string) => JSON.parse(line));
    t.deepEqual(
      copy.rows.get(kind)!.filter(({ blockNumber }) => blockNumber <= finalized),
      lines,
      kind,
    );
  }
  for (const { fromBlock, toBlock, finalized: final } of copy.commits)
    t.true(toBlock <= final || fromBlock === toBlock, 'unfinalized blocks have a commit each');
});

test.serial('Parquet file has a row per line, with the columns of all tables', async (t) => {
  const { position, commits } = await readWhole();
  for (const query of [{}, { tables: 'logs' }, { since: commits[0].position, blocks: '7' }, { since: position! }]) {
    const parameters = new URLSearchParams({ ...query, format: 'parquet' });
    const reply = await fetch(`${indexed.api.origin}/api/v1/changes?${parameters}`);
    t.is(reply.headers.get('content-type'), 'application/vnd.apache.parquet');
    const rows = await parquetReadObjects({ file: await reply.arrayBuffer() });
    t.deepEqual(rows.map(toLine), (await readLines(query)).map(withoutNulls));
  }
});

const withoutNulls = (line: Line) =>
  JSON.parse(JSON.stringify(line, (_, value: unknown) => (value === null ? undefined : value)));

/** Returns the line of a row of the Parquet file, without nulls. */
function toLine(given: Record<string, unknown>): Line {
  const { change, table, tables, ...others } = JSON.parse(
    JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : (value ?? undefined))),
  );
  if (change === 'row') return { type: change, table, row: others };
  return { type: change, ...others, ...(tables ? { tables: JSON.parse(tables) } : {}) };
}

test.serial('any page size and choice of tables gives the same rows', async (t) => {
  const whole = await readWhole();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 7, max: 200 }),
      fc.subarray([...kinds], { minLength: 1 }),
      async (blocks, tables) => {
        const copy = new Copy();
        await copy.follow({ blocks: String(blocks), tables: tables.join() });
        t.is(copy.place, whole.place);
        for (const kind of kinds)
          t.deepEqual(copy.rows.get(kind), tables.includes(kind) ? whole.rows.get(kind) : undefined);
      },
    ),
    { numRuns: 4 },
  );
});

test.serial('a copy follows random reorgs, from wherever it was', async (t) => {
  const copies = [await readWhole()];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ depth: fc.integer({ min: 1, max: 12 }), follows: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (steps) => {
        for (const { depth, follows } of steps) {
          await indexed.chain.reorg(depth);
          await indexed.chain.mineLive(1);
          await indexed.pipeline.caughtUp(headReader(indexed.chain));
          if (follows) await copies[0]!.follow();
        }
        await copies[0]!.follow();
        const whole = await readWhole();
        t.is(copies[0]!.place, whole.place);
        for (const kind of kinds) t.deepEqual(copies[0]!.rows.get(kind), whole.rows.get(kind), kind);
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
});

test.serial('a request waits for the next block, and unknown positions are errors', async (t) => {
  const { position } = await readWhole();
  const waiting = readLines({ since: position!, wait: '20' });
  await indexed.chain.mineLive(1);
  const lines = await waiting;
  t.is(lines.at(-1).toBlock, Number(position!.split('-')[0]) + 1);
  const fault = async (since: string) => (await indexed.api.get(`/api/v1/changes?since=${since}`)).body.code;
  t.is(await fault(`5-0x${'12'.repeat(32)}`), 'snapshot_invalidated');
  t.is(await fault(`5000000-0x${'12'.repeat(32)}`), 'indexing');
  t.is(await fault('5'), 'bad_query');
  const { status, body } = await indexed.api.get('/api/v1/changes?tables=blocks');
  t.deepEqual([status, body.code], [400, 'bad_query']);
  await waitFor(async () => (await readWhole()).position !== position, 10_000, 'the chain grew');
});

test.serial('blocks with many transfers or bytes are committed alone', async (t) => {
  const update = (sql: string) =>
    indexed.pipeline.deps.database.command(`ALTER TABLE ${sql} SETTINGS mutations_sync = 2`);
  const final = 'IN PARTITION (1, 0) WHERE block_number';
  await update(`block_figures UPDATE token_transfer_count = 30000 ${final} = 5`);
  await update(`blocks UPDATE gas_used = gas_used + 1000000000 ${final} = 9`);
  const { commits } = await readWhole();
  t.deepEqual(
    commits.slice(0, 4).map(({ fromBlock, toBlock }) => [fromBlock, toBlock]),
    [
      [0, 4],
      [5, 5],
      [6, 8],
      [9, 9],
    ],
  );
});
