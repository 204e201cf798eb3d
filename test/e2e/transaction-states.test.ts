import test from 'ava';
import { Wallet } from 'ethers';
import { balanceChanges } from '#api/read/accounts/balance-changes.ts';
import { mineInternalCalls } from '#test/helpers/internal-traffic.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { headReader } from '#test/helpers/service.ts';
import { payee, startWithdrawalWatch, type WithdrawalWatch } from '#test/helpers/withdrawals.ts';

let watch: WithdrawalWatch;

test.before(async () => {
  watch = await startWithdrawalWatch();
});

test.after.always(() => watch?.stop());

const send = (raw: string) => watch.indexed.chain.rpc.call<string>('eth_sendRawTransaction', [raw]);
const get = (path: string) => watch.api.get(`/api/v1/transactions/${path}`);
const readState = async (hash: string) => (await get(`${hash}/state`)).body;

test.serial('transaction is pending, then replaced, on one page from broadcast to the end', async (t) => {
  const wallet = await watch.rich();
  const first = await watch.sign(1, {}, wallet);
  t.is((await get(`${first.hash}/state`)).status, 404, 'no node has it yet');
  await send(first.raw);
  const pending = await readState(first.hash);
  t.like(pending, { state: 'pending', blockNumber: null, replacedBy: null });
  t.like(pending.transaction, { from: wallet.address.toLowerCase(), to: payee, nonce: 1, value: '11' });
  t.is((await get(first.hash)).status, 404, 'the transaction itself is in no block');
  const page = await readPage(watch.api, `/tx/${first.hash}`);
  t.is(page.status, 200);
  t.deepEqual(findForeignContent(page), []);
  t.regex(page.text, /Pending No block contains this transaction yet/);

  const pool = (await watch.api.get('/api/v1/pending-transactions')).body;
  t.like(pool, { ready: 0, queued: 1 });
  t.like(pool.items[0], { hash: first.hash, nonce: 1, queued: true, methodId: '0x' });
  t.regex((await readPage(watch.api, '/pending')).text, /waits for an earlier nonce/);

  const rival = await watch.sign(1, { maxPriorityFeePerGas: 10n ** 10n, maxFeePerGas: 2n * 10n ** 12n }, wallet);
  await send(rival.raw);
  await send((await watch.sign(0, {}, wallet)).raw);
  await watch.mine(1);
  t.like(
    await readState(first.hash),
    { state: 'pending', replacedBy: rival.hash },
    'a reorg could still remove the rival',
  );
  t.like(await readState(rival.hash), { state: 'mined', transaction: null });
  await watch.mine(20);
  t.like(await readState(first.hash), { state: 'replaced', replacedBy: rival.hash });
  t.like(await readState(rival.hash), { state: 'complete' });
  t.regex((await readPage(watch.api, `/tx/${first.hash}`)).text, /Replaced .* used its nonce/);
});

test.serial('transaction that the node forgets is dropped, and unknown while the node is silent', async (t) => {
  const wallet = await watch.rich();
  const { raw, hash } = await watch.sign(0, {}, wallet);
  await send(raw);
  t.like(await readState(hash), { state: 'pending' });
  await watch.indexed.chain.rpc.call('anvil_dropTransaction', [hash]);
  t.like(await readState(hash), { state: 'dropped' });
  t.regex((await readPage(watch.api, `/tx/${hash}`)).text, /Dropped .* its nonce is free/);
  watch.writer.setFault(({ response }) => {
    response.destroy();
    return 'answered';
  });
  const silent = await get(`${hash}/state`);
  watch.writer.setFault(null);
  t.deepEqual([silent.status, silent.body.code], [503, 'node_unavailable']);
});

test.serial('access lists and authorizations are stored, returned and shown', async (t) => {
  const wallet = await watch.rich();
  const authority = Wallet.createRandom();
  const authorization = await authority.authorize({ address: payee, chainId: 0n, nonce: 3 });
  const access = { address: `0x${'ab'.repeat(20)}`, storageKeys: [`0x${'0c'.repeat(32)}`, `0x${'0d'.repeat(32)}`] };
  const gasLimit = 200_000n;
  const listed = await watch.sign(0, { gasLimit, accessList: [access] }, wallet);
  const delegating = await watch.sign(1, { gasLimit, type: 4, authorizationList: [authorization] }, wallet);
  for (const { raw } of [listed, delegating]) await send(raw);
  await watch.mine(1);
  const [first, second] = await Promise.all([listed, delegating].map(async ({ hash }) => (await get(hash)).body));
  t.deepEqual(first.accessList, [access]);
  t.deepEqual([first.authorizationList, first.blobVersionedHashes], [[], []]);
  t.deepEqual(second.authorizationList, [
    { chainId: '0', address: payee, nonce: '3', authority: authority.address.toLowerCase() },
  ]);
  const page = await readPage(watch.api, `/tx/${listed.hash}`);
  t.deepEqual(findForeignContent(page), []);
  t.regex(page.text, /Access list .* 2 slots/);
  t.regex(
    (await readPage(watch.api, `/tx/${delegating.hash}`)).text,
    /Authorizations .* runs the code of .* valid on all chains/,
  );
});

test.serial('balance changes of a block add up to what its node says', async (t) => {
  const { chain, pipeline } = watch.indexed;
  await mineInternalCalls(chain, 1);
  await pipeline.caughtUp(headReader(chain));
  const head = await headReader(chain)();
  for (const number of [head - 2, head - 1, head]) {
    const block = (await watch.api.get(`/api/v1/strings/${number}`)).body;
    const { items } = (await watch.api.get(`/api/v1/transactions?fromBlock=${number}&toBlock=${number}`)).body;
    const sums = new Map<string, bigint>();
    for (const { txHash } of items) {
      const transaction = (await get(txHash)).body;
      const { result } = (await watch.api.get(`/api?module=account&action=txlistinternal&txhash=${txHash}`)).body;
      const internal = Array.isArray(result) ? result : [];
      for (const { address, coin } of balanceChanges(transaction, {
        producer: block.miner,
        baseFee: block.baseFeePerGas,
        internal,
      }))
        sums.set(address, (sums.get(address) ?? 0n) + coin);
    }
    t.true(sums.size > 1);
    for (const [address, sum] of sums) {
      const [before, after] = await Promise.all(
        [number - 1, number].map((at) => chain.rpc.call<string>('eth_getBalance', [address, `0x${at.toString(16)}`])),
      );
      t.is(BigInt(after!) - BigInt(before!), sum, `${address} in block ${number}`);
    }
    const { txHash } = items[0];
    const changes = await readPage(watch.api, `/tx/${txHash}?tab=changes`);
    t.deepEqual(findForeignContent(changes), []);
    t.regex(changes.text, /Account of the sender .* Nonce after/);
    const tree = await readPage(watch.api, `/tx/${txHash}?tab=internal`);
    t.deepEqual(findForeignContent(tree), []);
    t.regex(tree.text, /All calls of this transaction/);
  }
});
