/** Queries of statistics (/stats/query) over all time, each on a new state of the chain, so that no reply is cached. */
import { request } from 'undici';
import { readCoinBalancesAt } from '#api/read/accounts/coin-balances-at.ts';
import { Random } from '#devchain/random.ts';
import { distance, storeCheckpoint } from '#pipeline/jobs/coin-checkpoints.ts';
import { forgetCheckpoints, writeMark } from '#pipeline/jobs/job-marks.ts';
import { known } from '#runtime/known.ts';
import { silentLog } from '#runtime/log.ts';
import { checkpointMark } from '#sql/coin-checkpoints.ts';
import { readChainState } from '#sql/snapshot.ts';
import { report } from '../measure/report.ts';
import { getAddress, getTime, tokenByNumber, widestToken } from './fill-chain.ts';
import { type Subject, timeOfRequest } from './subject.ts';

function listQueries(random: Random, month: number): Record<string, () => string> {
  const account = () => getAddress(0.001 + random.next() * 0.999);
  return {
    'one account: transactions per day': () => `account=${account()}`,
    'one account: fees per month': () => `sender=${account()}&measure=sum&field=fee&resolution=month`,
    'one account: token transfers per week': () => `of=token_transfers&account=${account()}&resolution=week`,
    'one token: transfers per day': () => `of=token_transfers&token=${tokenByNumber(random.between(1, 49))}`,
    'one token: distinct senders per month': () =>
      `of=token_transfers&token=${tokenByNumber(random.between(1, 49))}&measure=distinct&field=sender&resolution=month`,
    'the token of half of all transfers: volume per day': () =>
      `of=token_transfers&token=${widestToken}&measure=sum&field=value`,
    'whole chain: failed transactions per day': () => 'status=failure',
    'whole chain: value per day': () => 'measure=sum&field=value',
    'whole chain: median fee per day': () => 'measure=p50&field=fee',
    'whole chain: distinct senders per month': () => 'measure=distinct&field=sender&resolution=month',
    'whole chain: gas per block and day': () => 'of=blocks&measure=average&field=gas_used',
    'whole chain: top 10 senders per month': () => 'groupBy=sender&resolution=month',
    'whole chain: top 10 tokens, all time': () => 'of=token_transfers&groupBy=token&resolution=all',
    'last 30 days: top 10 recipients by fees': () =>
      `measure=sum&field=fee&groupBy=recipient&resolution=all&from=${month}`,
  };
}

export async function measureQueries(subject: Subject, renew: () => Promise<void>): Promise<void> {
  const random = new Random(7);
  const month = getTime(subject.head) - 30 * 86_400;
  const measure = async (name: string, path: () => string) => {
    const times: number[] = [];
    await timeOfRequest(subject.origin, `/api/v1/${path()}`); // the first request of a kind is slower
    for (let i = 0; i < Math.max(3, Math.min(40, subject.requests / 20)); i++) {
      await renew();
      await new Promise((resolve) => setTimeout(resolve, 60)); // wait until the API has noticed the new block
      times.push(await timeOfRequest(subject.origin, `/api/v1/${path()}`));
    }
    report(name, 'ms', times);
  };
  for (const [name, parameters] of Object.entries(listQueries(random, month)))
    await measure(`query, ${name}`, () => {
      const given = new URLSearchParams(parameters());
      if (!given.has('from')) given.set('from', '0');
      return `stats/query?${given}`;
    });
  const block = () => random.between(1, subject.head);
  await measure(
    'a million holders after any block, first page',
    () => `tokens/${widestToken}/snapshot?block=${block()}`,
  );
  await measure('holders of another token after any block, first page', () => {
    const token = tokenByNumber(random.between(1, 49));
    return `tokens/${token}/snapshot?block=${block()}`;
  });
  await measure('who gained and lost in 30 days', () => {
    const from = random.between(1, subject.head - 60_000);
    return `tokens/${tokenByNumber(random.between(1, 49))}/changes?fromBlock=${from}&toBlock=${from + 55_000}`;
  });
  await compareFairness(subject, random, 'queries', async (client) => {
    const day = getTime(random.between(1, subject.head / 2));
    const query = `measure=sum&field=fee&from=${day}&resolution=week&groupBy=${client % 2 ? 'recipient' : 'sender'}`;
    await request(`${subject.origin}/api/v1/stats/query?${query}`).then(({ body }) => body.text());
  });
}

/**
 * Measures the first page of the coin balances of all accounts after a block. Reads them from the database, because the
 * bench has no node that could confirm balances.
 */
export async function measureBalances({ database, head, requests }: Subject): Promise<void> {
  const random = new Random(29);
  const state = known(await readChainState(database), 'the state of the chain');
  await database.command(`INSERT INTO account_balances
    SELECT address, toUInt256('1000000000000000000000000000000'), ${state.finalized} FROM address_roles GROUP BY address`);
  const measure = async (name: string, from: number) => {
    const times: number[] = [];
    for (let i = 0; i < Math.max(3, Math.min(20, requests / 20)); i++) {
      const startedAt = performance.now();
      await readCoinBalancesAt({ database }, state, random.between(from, state.finalized), { limit: 51 });
      times.push(performance.now() - startedAt);
    }
    report(`coin balances of all accounts after a block (${name}), first page`, 'ms', times);
  };
  await forgetCheckpoints({ database });
  await database.command('OPTIMIZE TABLE account_balances FINAL'); // earlier runs have inserted the same rows
  await measure('any, without checkpoints', 1);
  const startedAt = performance.now();
  const due = await database.read('coin_checkpoint_blocks', {
    ...distance,
    through: state.finalized - distance.blocks,
  });
  const stored: number[] = [];
  for (const block of due.map((row) => Number(row.block))) {
    await storeCheckpoint({ database, log: silentLog }, state, block, stored);
    await writeMark({ database }, checkpointMark(block), block);
    stored.push(block);
  }
  report(`${due.length} checkpoints`, 's', (performance.now() - startedAt) / 1000);
  await measure('any', 1);
  await measure('of the last 10,000', head - 10_000);
}

/**
 * Measures requests of a deposit monitor, without other load and while clients run expensive queries.
 * @param runOne runs an expensive query of one client
 */
export async function compareFairness(
  subject: Subject,
  random: Random,
  name: string,
  runOne: (client: number) => Promise<void>,
): Promise<void> {
  const set = await createSet(subject, random);
  const polls = {
    'history of an account': () => {
      const from = random.between(1, subject.head - 100);
      return `/api/v1/accounts/${getAddress(random.next())}/transactions?from=${from}&limit=50`;
    },
    'new deposits of 1,000 addresses': () => `/api/v1/address-sets/${set}/transfers?fromBlock=${subject.head - 60}`,
  };
  const measure = async (when: string) => {
    for (const [title, poll] of Object.entries(polls)) {
      const times: number[] = [];
      for (let i = 0; i < subject.requests; i++) times.push(await timeOfRequest(subject.origin, poll()));
      report(`${title}, ${when}`, 'ms', times);
    }
  };
  await measure('alone');
  const end = new AbortController();
  const clients = Array.from({ length: 4 }, async (_, client) => {
    while (!end.signal.aborted) await runOne(client);
  });
  await measure(`beside four clients with expensive ${name}`);
  end.abort();
  await Promise.all(clients);
}

async function createSet({ origin }: Subject, random: Random): Promise<string> {
  const addresses = Array.from({ length: 1_000 }, () => getAddress(random.next()));
  const headers = { 'content-type': 'application/json' };
  const reply = await request(`${origin}/api/v1/address-sets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ addresses: [...new Set(addresses)] }),
  });
  const { id } = (await reply.body.json()) as { readonly id: string };
  return id;
}
