import test from 'ava';
import { Wallet } from 'ethers';
import { Webhook } from 'standardwebhooks';
import { deliverWatches } from '#api/read/account/deliver-watches.ts';
import { freshProgress } from '#api/read/account/watches.ts';
import { failedReceiver } from '#api/read/account/webhook.ts';
import { deleteExpiredSets } from '#api/read/deposits/expire-address-sets.ts';
import { modelTransfers, readChainModel } from '#test/helpers/chain-model.ts';
import { bearer, post, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/helpers/webhook-receiver.ts';

let indexed: IndexedChain;
let receiver: WebhookReceiver;
let token: string;
const stop = new AbortController();

const api = () => indexed.api;
const get = (path: string, who = token) => api().get(`/api/v1${path}`, { headers: bearer(who) });
const send = (path: string, body: unknown, who = token) => post(api(), `/api/v1${path}`, body, bearer(who));
const remove = (path: string, who = token) => api().get(`/api/v1${path}`, { method: 'DELETE', headers: bearer(who) });

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 5 });
  receiver = await startWebhookReceiver();
  token = await signIn(api());
  const deps = { ...api().deps, outbound: { ...api().deps.outbound, ...receiver.server.network } };
  void deliverWatches(deps, stop.signal, 200);
});

test.after.always(async () => {
  stop.abort();
  await receiver?.server.stop();
  await indexed?.stop();
});

test.serial('private tags are seen by their owner only, and can be changed and removed', async (t) => {
  const address = Wallet.createRandom().address;
  t.is((await send('/private-tags', { address, tag: ' Cold wallet ' })).body.tag, 'Cold wallet');
  await send('/private-tags', { address, tag: 'Hot wallet', note: 'moved in May' });
  const own = { address: address.toLowerCase(), tag: 'Hot wallet', note: 'moved in May' };
  t.deepEqual((await get('/private-tags')).body.items, [own]);
  const other = await signIn(api());
  t.deepEqual((await get('/private-tags', other)).body.items, []);
  t.is((await remove(`/private-tags/${address}`, other)).status, 404);
  t.is((await send('/private-tags', { address, tag: '' })).status, 400);
  t.is((await remove(`/private-tags/${address}`)).status, 204);
  t.deepEqual((await get('/private-tags')).body.items, []);
});

test.serial('watch is refused for a URL that is not public HTTPS, and for too many addresses or watches', async (t) => {
  const addresses = [Wallet.createRandom().address];
  const refused = [
    ['http://example.com/hook', /HTTPS/],
    ['https://127.0.0.1/hook', /public IP/],
    ['https://[::1]/hook', /public IP/],
    ['https://user:secret@example.com/', /user name/],
    ['not a url', /invalid/],
  ] as const;
  for (const [url, reason] of refused) {
    const { status: code, body } = await send('/watches', { url, addresses });
    t.is(code, 400, url);
    t.regex(body.detail, reason);
  }
  const url = receiver.url;
  const many = Array.from({ length: 501 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
  t.is((await send('/watches', { url, addresses: many })).status, 400);
  const other = await signIn(api());
  const made = await Promise.all([0, 1].map(() => send('/watches', { url, addresses }, other)));
  t.deepEqual(
    made.map((one) => one.status),
    [201, 201],
  );
  t.is((await get(`/watches/${made[0]!.body.id}`)).status, 404, 'another identity does not see it');
  const more = await Promise.all(Array.from({ length: 10 }, () => send('/watches', { url, addresses }, other)));
  t.is(more.filter(({ status }) => status === 201).length, 8, 'requests at the same time do not exceed the limit');
  t.regex(more.find(({ status }) => status !== 201)!.body.detail, /at most 10 watches/);
  for (const { id } of (await get('/watches', other)).body.items)
    t.is((await remove(`/watches/${id}`, other)).status, 204);
  t.deepEqual((await get('/watches', other)).body.items, []);
  const { database } = indexed.api.deps;
  const { id: removed } = made[0]!.body;
  const members = async () => Number((await database.readOne('address_set_size', { id: removed })).members);
  t.true((await members()) > 0);
  await deleteExpiredSets(database);
  t.is(await members(), 0);
});

test.serial(
  'receiver gets signed events of coins and tokens; failures are retried and a replay repeats them',
  async (t) => {
    const { chain, pipeline } = indexed;
    const members = chain.world.accounts.slice(2, 9);
    const { body: watch } = await send('/watches', { url: receiver.url, addresses: members, name: 'desk' });
    const from = indexed.head + 1;
    receiver.status = 500;
    await chain.mineLive(25);
    await pipeline.caughtUp(headReader(chain));
    const failing = async () => (await get(`/watches/${watch.id}`)).body.state === 'failing';
    await waitFor(failing, 20_000, 'the watch is failing');
    const { body: failed } = await get(`/watches/${watch.id}`);
    t.regex(failed.lastError, /status.*500/);
    t.truthy(failed.nextAttemptAt);
    t.is(failed.delivered, 0);
    t.is(new Set(receiver.received.map(({ id }) => id)).size, 1, 'later events wait for the first one');

    receiver.status = 200;
    receiver.reply = 'x'.repeat(100_000); // only the status counts
    receiver.received.length = 0;
    t.is((await send(`/watches/${watch.id}/replay`, {})).body.state, 'working');
    const { head } = (await pipeline.state())!;
    const blocks = (await readChainModel(chain.rpc, head)).filter(({ number }) => number >= from);
    const isOurs = (who: string | null) => who !== null && members.includes(who);
    const coins = blocks
      .flatMap((block) => block.txs)
      .filter((tx) => tx.value > 0n && tx.status === 1 && tx.to !== null && (isOurs(tx.from) || isOurs(tx.to)));
    const ripe = (block: number) => block <= head - 20;
    const tokens = modelTransfers(blocks).filter(
      ({ block, from: a, to: b }) => ripe(block) && (isOurs(a) || isOurs(b)),
    );
    const expected = [
      ...coins.map(({ hash }) => `transfer.seen ${hash}`),
      ...coins
        .filter(({ block, from: a, to }) => ripe(block) && a !== to)
        .map(({ hash }) => `transfer.creditable ${hash}`),
      ...tokens.map(({ txHash, logIndex }) => `token.creditable ${txHash} ${logIndex}`),
    ].sort();
    const names = () =>
      receiver.received.map(({ body }) => {
        const { type, data } = JSON.parse(body);
        return `${type} ${data.txHash}${type === 'token.creditable' ? ` ${data.logIndex}` : ''}`;
      });
    const ofNewBlocks = () =>
      names()
        .filter((name) => expected.includes(name))
        .sort();
    await waitFor(async () => ofNewBlocks().length >= expected.length, 20_000, 'all events arrived');
    t.deepEqual(ofNewBlocks(), expected);
    t.true(expected.some((name) => name.startsWith('token.creditable')));
    const directions = receiver.received.map(({ body }) => {
      const { from: a, to: b, direction } = JSON.parse(body).data;
      t.is(direction, isOurs(a) ? (isOurs(b) ? 'both' : 'out') : 'in');
      return direction;
    });
    t.deepEqual([...new Set(directions)].sort(), ['both', 'in', 'out']);
    const webhook = new Webhook(watch.secret);
    for (const { body, headers } of receiver.received) t.notThrows(() => webhook.verify(body, headers));
    t.throws(() => webhook.verify(`${receiver.received[0]!.body} `, receiver.received[0]!.headers));

    const before = receiver.received.map(({ id }) => id);
    t.is(new Set(before).size, before.length, 'no event came twice');
    receiver.received.length = 0;
    const start = before[0]!.split('_')[1]!;
    await send(`/watches/${watch.id}/replay`, { after: start });
    await waitFor(async () => receiver.received.length >= before.length - 1, 20_000, 'events are repeated');
    t.deepEqual(
      receiver.received.map(({ id }) => id),
      before.slice(1),
    );
    t.is((await send(`/watches/${watch.id}/replay`, { after: '999999999' })).status, 400);

    receiver.received.length = 0;
    const gone = blocks.flatMap((block) => block.txs).filter(({ block }) => block > head - 2);
    await chain.reorg(2);
    await pipeline.caughtUp(headReader(chain));
    const lost = coins
      .filter(({ hash }) => gone.some((tx) => tx.hash === hash))
      .map(({ hash }) => `transfer.removed ${hash}`);
    await waitFor(async () => lost.every((name) => names().includes(name)), 20_000, 'removals arrived');
    t.is((await remove(`/watches/${watch.id}`)).status, 204);
  },
);

test('attempts wait longer and longer, and end after three days', (t) => {
  const start = { ...freshProgress, position: '1' };
  const first = failedReceiver(start, 'timeout', 1_000);
  t.is(first.retryMs - 1_000, 5_000);
  const second = failedReceiver(first, 'timeout', 6_000);
  t.is(second.retryMs - 6_000, 10_000);
  t.is(second.failingMs, 1_000);
  t.is(failedReceiver({ ...second, attempts: 40 }, 'timeout', 7_000).retryMs - 7_000, 3_600_000);
  t.false(second.isPaused);
  t.true(failedReceiver(second, 'timeout', 1_000 + 3 * 86_400_000).isPaused);
});
