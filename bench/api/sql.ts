/** SQL of clients, statements of account and changes, on the filled chain. */
import { request } from 'undici';
import { Random } from '#devchain/random.ts';
import { report } from '../measure/report.ts';
import { getAddress, tokenByNumber, widestToken } from './fill-chain.ts';
import { compareFairness } from './queries.ts';
import type { Subject } from './subject.ts';

async function ask(origin: string, sql: string, format = 'json'): Promise<string> {
  const body = JSON.stringify({ sql, format });
  const headers = { 'content-type': 'application/json' };
  const reply = await request(`${origin}/api/v1/sql`, { method: 'POST', headers, body });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${sql}: ${reply.statusCode} ${text.slice(0, 300)}`);
  return text;
}

function listStatements(random: Random, head: number): Record<string, () => string> {
  const account = () => getAddress(0.001 + random.next() * 0.999);
  const token = () => tokenByNumber(random.between(1, 49));
  return {
    'a constant': () => 'SELECT 1',
    'sums of one account': () =>
      `SELECT role, count(), sum(value), sum(fee) FROM account_transactions WHERE address = '${account()}' GROUP BY role`,
    'transfers of one token per day': () =>
      `SELECT toDate(timestamp) AS day, count(), sum(value) FROM token_transfers WHERE token = '${token()}' GROUP BY day`,
    'holders of one token, the largest 10': () =>
      `SELECT holder, balance FROM balances WHERE token = '${token()}' ORDER BY balance DESC LIMIT 10`,
    'a thousand blocks': () => {
      const from = random.between(1, head - 1_000);
      return `SELECT * FROM blocks WHERE block_number BETWEEN ${from} AND ${from + 999}`;
    },
    'fees of the whole chain per month': () =>
      'SELECT toStartOfMonth(timestamp) AS month, sum(fee), avg(gas_used) FROM transactions GROUP BY month',
    'the token of half of all transfers, largest 10 senders': () =>
      `SELECT from, count() AS n FROM token_transfers WHERE token = '${widestToken}' GROUP BY from ORDER BY n DESC LIMIT 10`,
  };
}

export async function measureSql(subject: Subject): Promise<void> {
  const { origin, head } = subject;
  const random = new Random(11);
  for (const [name, sql] of Object.entries(listStatements(random, head))) {
    await ask(origin, sql()); // the first request of a kind is slower
    const times: number[] = [];
    for (let i = 0; i < Math.max(3, Math.min(40, subject.requests / 20)); i++) {
      const startedAt = performance.now();
      await ask(origin, sql());
      times.push(performance.now() - startedAt);
    }
    report(`SQL, ${name}`, 'ms', times);
  }
  await measureStreams(subject);
  await compareFairness(subject, random, 'SQL', async () => {
    const from = random.between(1, head / 2);
    await ask(
      origin,
      `SELECT to, sum(fee) AS f FROM transactions WHERE block_number > ${from} GROUP BY to ORDER BY f DESC LIMIT 10`,
    );
  });
}

async function measureStreams({ origin, head }: Subject): Promise<void> {
  const startedAt = performance.now();
  const csv = await ask(
    origin,
    'SELECT block_number, hash, from, value FROM transactions WHERE block_number < 100000',
    'csv',
  );
  const rows = csv.split('\n').length - 2;
  report('SQL, CSV rows', '1,000/s', rows / (performance.now() - startedAt));
  const [busiest] = (
    JSON.parse(
      await ask(
        origin,
        'SELECT address, count() AS n FROM account_token_transfers GROUP BY address HAVING n BETWEEN 50000 AND 120000 ORDER BY n DESC LIMIT 1',
      ),
    ) as { rows: [string, string][] }
  ).rows;
  if (busiest) {
    const began = performance.now();
    const { body } = await request(`${origin}/api/v1/statement?accounts=${busiest[0]}&format=csv`);
    const movements = countLines(Buffer.from(await body.arrayBuffer())) - 1;
    report(`statement of an account with ${movements} movements, CSV`, 's', (performance.now() - began) / 1_000);
  }
  const before = performance.now();
  const since = Math.floor(head / 2);
  const [[hash]] = (
    JSON.parse(await ask(origin, `SELECT hash FROM blocks WHERE block_number = ${since}`)) as { rows: [[string]] }
  ).rows;
  const reply = await request(`${origin}/api/v1/changes?since=${since}-${hash}&blocks=20000`);
  let lines = 0;
  for await (const chunk of reply.body) lines += countLines(chunk as Buffer);
  report('changes, rows', '1,000/s', lines / (performance.now() - before));
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 10) lines++;
  return lines;
}
