import test from 'ava';
import { getAddress, getCreateAddress } from 'ethers';
import { deleteExpiredSets } from '#api/read/deposits/expire-address-sets.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let members: string[];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 80, seed: 33 });
  members = indexed.chain.world.accounts.slice(2, 9);
});

test.after.always(() => indexed?.stop());

const get = (path: string) => indexed.api.get(`/api/v1${path}`);
const send = (method: string, path: string, body: unknown) =>
  indexed.api.get(`/api/v1${path}`, { method, body: JSON.stringify(body) });

test.serial('C17: the size limit of a set counts each current member once after additions and removals', async (t) => {
  const limit = Array.from({ length: 1_000 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`);
  const { id } = (await send('POST', '/address-sets', { addresses: limit })).body;
  const again = await send('PATCH', `/address-sets/${id}`, { add: limit.slice(0, 5) });
  t.deepEqual([again.status, again.body.addresses], [200, 1_000]);
  const swap = await send('PATCH', `/address-sets/${id}`, { add: [`0x${'f'.repeat(40)}`], remove: [limit[0]] });
  t.deepEqual([swap.status, swap.body.addresses], [200, 1_000]);
  const more = await send('PATCH', `/address-sets/${id}`, { add: [limit[0]] });
  t.regex(more.body.detail, /at most 1000 addresses, this one would have 1001/);
});

test.serial('an address whose mixed case contradicts its checksum is refused', async (t) => {
  const right = getAddress(members[0]!);
  const at = right.search(/[a-f]/);
  const wrong = right.slice(0, at) + right[at]!.toUpperCase() + right.slice(at + 1);
  const refused = await send('POST', '/address-sets', { addresses: [right, wrong] });
  t.is(refused.status, 400);
  t.regex(refused.body.detail, new RegExp(`address 2 has an invalid EIP-55 checksum: ${wrong}`));
  t.is((await send('POST', '/address-sets', { addresses: [right] })).body.addresses, 1);
});

test.serial(
  'C17: deposits reports find transfers to an address added late, and say since when it is watched',
  async (t) => {
    const late = members[6]!;
    const { id } = (await send('POST', '/address-sets', { addresses: members.slice(0, 6) })).body;
    const path = `/address-sets/${id}/transfers?limit=1000&minConfirmations=0`;
    const { nextCursor } = (await get(path)).body;
    const { completeFromBlock, catchUp } = (await send('PATCH', `/address-sets/${id}`, { add: [late] })).body;
    const { head } = indexed;
    t.is(completeFromBlock, head + 1);
    const missed = (await indexed.api.get(`${catchUp}&limit=1000&minConfirmations=0`)).body;
    t.deepEqual(
      missed.items.map((row: { txHash: string }) => row.txHash),
      (await readChainModel(indexed.chain.rpc, head))
        .flatMap((block) => block.txs)
        .filter((tx) => tx.value > 0n && tx.status === 1 && tx.to === late)
        .map((tx) => tx.hash),
    );
    t.true(missed.items.length > 0 && !missed.hasMore);
    t.deepEqual((await get(`${path}&cursor=${nextCursor}`)).body.items, []);
    const bounded = (await send('PATCH', `/address-sets/${id}?since=${head + 1}`, { add: [members[7] ?? late] })).body;
    t.is(bounded.catchUp, null, 'it has no deposits before: there is nothing to catch up with');
  },
);

test.serial('coins that a creation sends to its contract are a deposit of the contract', async (t) => {
  const { chain, pipeline } = indexed;
  const from = chain.world.accounts[21]!;
  const nonce = Number(await chain.rpc.call('eth_getTransactionCount', [from, 'pending']));
  const [paid, failed] = [0, 1].map((i) => getCreateAddress({ from, nonce: nonce + i }).toLowerCase());
  const { id } = (await send('POST', '/address-sets', { addresses: [paid, failed] })).body;
  const stream = await EventReader.open(`${indexed.api.origin}/api/v1/stream/address-sets/${id}`, '0');
  t.teardown(() => stream.close());
  const create = (data: string) =>
    chain.rpc.call<string>('eth_sendTransaction', [{ from, gas: '0xf4240', value: '0x7', data }]);
  const hash = await create('0x600160005360016000f3');
  const failedHash = await create('0xfe');
  await chain.rpc.call('evm_mine', []);
  await chain.rpc.call('anvil_mine', ['0x19']);
  await pipeline.caughtUp(headReader(chain));
  const { items } = (await get(`/address-sets/${id}/transfers?minConfirmations=0`)).body;
  t.is(items.length, 1);
  t.like(items[0], { txHash: hash, from, to: paid, value: '7' });
  const verdict = async (tx: string, to: string | undefined) =>
    (await get(`/deposits/verdict?tx=${tx}&to=${to}&minValue=7`)).body;
  t.like(await verdict(hash, paid), { verdict: 'creditable', rulesFailed: [] });
  t.like(await verdict(hash, failed), { verdict: 'reject', state: 'mismatch' });
  t.like(await verdict(failedHash, failed), { verdict: 'reject', state: 'failed' });
  const seen = () => stream.events.filter(({ name }) => name === 'transfer.seen');
  await waitFor(async () => seen().length > 0, 30_000, 'the stream reports it');
  t.deepEqual(
    seen().map(({ data }) => data.txHash),
    [hash],
  );
});

test.serial('sets that were removed or not used for a day are deleted, and addresses of watches stay', async (t) => {
  const { database, addressSets } = indexed.api.deps;
  const made = async () => (await send('POST', '/address-sets', { addresses: members })).body.id as string;
  const [used, removed] = [await made(), await made()];
  await indexed.api.get(`/api/v1/address-sets/${removed}`, { method: 'DELETE' });
  const ofWatch = 'f'.repeat(32);
  await addressSets.addMembers(ofWatch, members);
  const count = async (set_id: string) => Number((await database.readOne('address_set_size', { id: set_id })).members);
  const hour = 3_600_000;
  await deleteExpiredSets(database, Date.now() + 25 * hour);
  t.deepEqual([await count(used), await count(removed), await count(ofWatch)], [members.length, 0, members.length]);
  t.is((await get(`/address-sets/${used}`)).status, 200);
  await deleteExpiredSets(database, Date.now() + 26 * hour);
  t.deepEqual([await count(used), await count(ofWatch)], [0, members.length]);
  t.is((await get(`/address-sets/${used}`)).status, 404);
});
