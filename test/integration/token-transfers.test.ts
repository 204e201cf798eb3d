import test from 'ava';
import { zeroPadValue } from 'ethers';
import fc from 'fast-check';
import { firstPlace, type Holder, HolderReader, placeOfHolder } from '#api/read/tokens/holder-reader.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import { Random } from '#devchain/random.ts';
import type { Database } from '#sql/client.ts';
import { onCluster } from '#sql/compile/cluster.ts';
import { loadMigrations } from '#sql/compile/migrations.ts';
import { getStatement, loadStatements } from '#sql/compile/statements.ts';
import { pool } from '#test/helpers/pool.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let database: Database;

test.before(async () => {
  engine = await startTestEngine();
  database = await engine.open('views');
});

test.after.always(() => engine?.stop());

interface StoredTransfer {
  readonly log_index: number;
  readonly batch_index: number;
  readonly standard: string;
  readonly from: string;
  readonly to: string;
  readonly token_id: string;
  readonly value: string;
}

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
}

async function storeAndRead(block: number, logs: readonly Log[]): Promise<StoredTransfer[]> {
  const bytes = (hex: string) => `unhex('${hex.slice(2)}')`;
  const zeros = `0x${'0'.repeat(64)}`;
  const rows = logs.map(({ topics, data }, index) => {
    const four = [0, 1, 2, 3].map((at) => bytes(topics[at] ?? zeros));
    return `SELECT 1, ${block}, ${index}, 0, unhex(repeat('aa', 32)), now(), unhex(repeat('bb', 20)), ${topics.length}, ${four}, ${bytes(data)}`;
  });
  for (let at = 0; at < rows.length; at += 50)
    await database.command(`INSERT INTO logs ${rows.slice(at, at + 50).join(' UNION ALL ')}`);
  const sql = `SELECT log_index, batch_index, standard, from, to, token_id, value FROM token_transfers WHERE block_number = ${block} ORDER BY log_index, batch_index`;
  return database.readBinary<StoredTransfer>({
    ...getStatement(loadStatements(), 'parked_blocks'),
    sql,
    parameters: [],
    budget: { maxSeconds: 10, maxMemoryBytes: 1e9, maxResultRows: 100_000 },
  });
}

const decoded = (logs: readonly Log[]) =>
  logs.flatMap((log, index) =>
    decodeTransfers(log).map(({ batchIndex, standard, from, to, tokenId, value }) => ({
      log_index: index,
      batch_index: batchIndex,
      standard,
      from,
      to,
      token_id: String(tokenId),
      value: String(value),
    })),
  );

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

test.serial('token ids and amounts that end in zero bytes are decoded completely', async (t) => {
  const side = zeroPadValue('0x01', 32);
  const ids = [`0x${'0'.repeat(60)}0100`, `0x${'ff'.padEnd(64, '0')}`];
  const stored = await storeAndRead(
    5_000_000,
    ids.map((id) => ({ topics: [transfer, side, side, id], data: '0x' })),
  );
  t.deepEqual(
    stored.map((each) => each.token_id),
    ['256', (0xffn << 248n).toString()],
  );
});

test.serial('view and codec agree on every log of any form', async (t) => {
  const word = fc.oneof(
    fc.constantFrom(0n, 1n, 2n, 32n, 64n, 96n, 128n, 2n ** 64n, 2n ** 64n + 64n, 2n ** 255n).map((value) => value),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  );
  const hexWord = word.map((value) => value.toString(16).padStart(64, '0'));
  const topic = hexWord.map((hex) => `0x${hex}`);
  const log = fc.record({
    topics: fc
      .tuple(fc.constantFrom(transfer, single, batch, `0x${'12'.repeat(32)}`), fc.array(topic, { maxLength: 3 }))
      .map(([first, rest]) => [first, ...rest]),
    data: fc
      .tuple(fc.array(hexWord, { maxLength: 12 }), fc.constantFrom('', '', '', 'ab'))
      .map(([words, rest]) => `0x${words.join('')}${rest}`),
  });
  const lists = fc.integer({ min: 0, max: 5 }).map((length) => {
    const list = Array.from({ length }, (_, i) => (7n + BigInt(i)).toString(16).padStart(64, '0'));
    const head = (value: number) => value.toString(16).padStart(64, '0');
    return `0x${head(64)}${head(96 + 32 * length)}${head(length)}${list.join('')}${head(length)}${list.join('')}`;
  });
  const sound = fc.record({ topics: fc.tuple(topic, topic, topic).map((rest) => [batch, ...rest]), data: lists });
  const logs = fc.sample(fc.oneof(log, sound), { numRuns: 600, seed: 1 });
  const stored = await storeAndRead(6_000_000, logs);
  t.true(stored.length > 200, `${stored.length} transfers`);
  t.deepEqual(stored, decoded(logs));
});

test('ClickHouse parses every statement of the cluster schema', async (t) => {
  const schema = loadMigrations().flatMap((migration) => migration.statements);
  const others = ['CREATE DATABASE IF NOT EXISTS cordscan', 'DROP TABLE IF EXISTS a SYNC'];
  const made = [...schema, ...others].flatMap((sql) => onCluster(sql, 'cordscan'));
  t.true(made.length > 80);
  await pool(made.length, 4, async (i) => {
    const reply = await fetch(engine.origin, {
      method: 'POST',
      headers: engine.headers,
      body: `EXPLAIN AST ${made[i]}`,
    });
    t.is(reply.status, 200, `${made[i]}: ${await reply.text()}`);
  });
});

test.serial(
  'holder ranking that changed over rollup windows is walked completely, with any chunk and page size',
  async (t) => {
    const token = `0x${'7a'.repeat(20)}`;
    const random = new Random(9);
    const held = new Map<string, bigint>();
    await database.command('SYSTEM STOP MERGES token_holder_ranks'); // each rollup window keeps a row of its own for every rank
    for (let era = 0; era < 12; era++) {
      const rows: string[] = [];
      for (const holder of Array.from({ length: 25 }, (_, i) => `0x${String(i + 10).repeat(20)}`)) {
        const before = held.get(holder);
        const now = BigInt(random.pick([0, 5, 5, 7, 9]));
        if (!random.pick([true, false]) || (before ?? 0n) === now) continue;
        const row = (balance: bigint, isHeld: number) =>
          `SELECT unhex('${token.slice(2)}'), bitNot(toUInt256('${balance}')), unhex('${holder.slice(2)}'), ${isHeld}, ${era}, 'erc20'`;
        if (before) rows.push(row(before, 0));
        if (now > 0n) rows.push(row(now, 1));
        held.set(holder, now);
      }
      if (rows.length > 0)
        await database.command(
          `INSERT INTO token_holder_ranks (token, inverse_balance, holder, is_held, era, standard) ${rows.join(' UNION ALL ')}`,
        );
    }
    const wanted = [...held]
      .filter(([, balance]) => balance > 0n)
      .map(([address, balance]) => ({ address, balance }))
      .sort((a, b) => Number(b.balance - a.balance) || (a.address < b.address ? -1 : 1));
    t.true(wanted.length > 10);
    const nothingMoved = { of: async () => ({ standardCode: 1, seenCodes: [1], held: new Map() }) as never };
    const state = { rollupThrough: 24_000, reorgGeneration: 1 } as never;
    for (const chunkRows of [...Array.from({ length: 8 }, (_, i) => 13 + i), 1_000]) {
      const pageRows = random.pick([1, 3, 7, 100]);
      const reader = new HolderReader(database, nothingMoved, chunkRows);
      const walked: Holder[] = [];
      for (let page = await reader.read(state, { token, code: 1 }, firstPlace, pageRows); page.length > 0; ) {
        walked.push(...page);
        page = await reader.read(state, { token, code: 1 }, placeOfHolder(page.at(-1)!), pageRows);
      }
      t.deepEqual(walked, wanted, `chunks of ${chunkRows}, pages of ${pageRows}`);
    }
  },
);
