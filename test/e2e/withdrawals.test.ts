import test from 'ava';
import { decodeRlp, encodeRlp, Transaction, toBeHex } from 'ethers';
import { waitFor } from '#test/helpers/processes.ts';
import { startApi } from '#test/helpers/service.ts';
import { payee, startWithdrawalWatch, type WithdrawalWatch } from '#test/helpers/withdrawals.ts';

let watch: WithdrawalWatch;
let { indexed, writer, api, wallet, post, readState: getState, mine, sign } = {} as WithdrawalWatch;

test.before(async () => {
  watch = await startWithdrawalWatch();
  ({ indexed, writer, api, wallet, post, readState: getState, mine, sign } = watch);
});

test.after.always(() => watch?.stop());

test.serial('withdrawal goes from pending to mined to complete, and repeating it changes nothing', async (t) => {
  const { raw, hash } = await sign(0);
  const first = await post('/withdrawals', { raw });
  t.like(first.body, { hash, nonce: 0, state: 'pending', broadcast: 'accepted', sender: wallet.address.toLowerCase() });
  t.like((await post('/withdrawals', { raw })).body, { hash, broadcast: 'alreadyKnown', state: 'pending' });
  await mine(1);
  t.like(await getState(hash), { state: 'mined', confirmations: 0 });
  t.like((await post(`/withdrawals/${hash}/rebroadcast`, { raw })).body, { broadcast: 'alreadyKnown', state: 'mined' });
  await mine(19);
  t.is((await getState(hash)).state, 'mined');
  await mine(1);
  t.like(await getState(hash), { state: 'complete', confirmations: 20, required: 20 });
  writer.setFault(({ calls, replies }) => {
    if (calls[0]?.method !== 'eth_getTransactionReceipt') return 'untouched';
    for (const reply of replies) reply.result = null;
    return 'changed';
  });
  t.like(await getState(hash), { state: 'mined', confirmations: 20 }, 'the writer does not have the receipt');
  await mine(30); // blocks become final in groups
  await waitFor(async () => (await getState(hash)).state === 'complete', 20_000, 'its block is finalized');
  writer.setFault(null);
});

test.serial('withdrawal is sent again with the same bytes when the edge fails after accepting it', async (t) => {
  const { raw, hash } = await sign(1);
  writer.setFault(({ calls, response }) => {
    if (calls[0]?.method !== 'eth_sendRawTransaction') return 'untouched';
    response.writeHead(502).end();
    return 'answered';
  });
  t.like((await post('/withdrawals', { raw })).body, { hash, broadcast: 'unknown', state: 'pending' });
  writer.setFault(null);
  const rival = await sign(1, { value: 99n });
  const refused = await post('/withdrawals', { raw: rival.raw });
  t.is(refused.body.code, 'withdrawal_conflict');
  t.is((await post(`/withdrawals/${hash}/rebroadcast`, { raw: rival.raw })).body.code, 'withdrawal_conflict');
  t.like((await post(`/withdrawals/${hash}/rebroadcast`, {})).body, { broadcast: 'alreadyKnown' });
  await mine(1);
  t.is((await getState(hash)).state, 'mined');
});

test.serial('dropped, replaced, failed and unknown withdrawals are distinguished', async (t) => {
  const lost = await sign(2);
  const registered = (await post('/withdrawals', { raw: lost.raw, broadcast: false })).body;
  t.is(registered.state, 'dropped');
  t.is((await post('/withdrawals', { raw: lost.raw, broadcast: false })).body.capability, null, 'returned once');
  const other = await sign(2, { value: 1_234n });
  await indexed.chain.rpc.call('eth_sendRawTransaction', [other.raw]);
  await mine(1);
  t.like(await getState(lost.hash), { state: 'pending', replacedBy: other.hash });
  await mine(20);
  t.like(await getState(lost.hash), { state: 'replaced', replacedBy: other.hash });
  const stranger = await post(`/withdrawals/${lost.hash}/rebroadcast`, {});
  t.deepEqual([stranger.status, stranger.body.code], [403, 'withdrawal_owner_required'], 'C15: its owner’s alone');
  const wrong = { 'X-Withdrawal-Capability': 'f'.repeat(64) };
  t.is((await post(`/withdrawals/${lost.hash}/rebroadcast`, {}, wrong)).status, 403);
  const owner = { 'X-Withdrawal-Capability': registered.capability };
  t.like((await post(`/withdrawals/${lost.hash}/rebroadcast`, {}, owner)).body, {
    broadcast: 'refused',
    state: 'replaced',
  });
  const reverting = await sign(3, { to: null, data: '0xfe', gasLimit: 100_000n });
  t.is((await post('/withdrawals', { raw: reverting.raw })).body.broadcast, 'accepted');
  await mine(21);
  t.is((await getState(reverting.hash)).state, 'failed');
  const [hash, sender] = [`0x${'ee'.repeat(32)}`, `0x${'dd'.repeat(20)}`];
  t.like((await post('/withdrawals', { hash, sender, nonce: 5 })).body, { state: 'dropped', broadcast: 'none' });
  writer.setFault(({ response }) => {
    response.destroy();
    return 'answered';
  });
  t.is((await getState(hash)).state, 'unknown');
  writer.setFault(null);
});

test.serial('withdrawals of other chains are rejected, and reports cannot block a nonce', async (t) => {
  const foreign = await sign(4, { chainId: 1 });
  t.regex((await post('/withdrawals', { raw: foreign.raw })).body.detail, /got chain 1/);
  t.is((await post('/withdrawals', { raw: '0x1234' })).status, 400);
  t.is((await post('/withdrawals', { hash: '0x12', sender: payee, nonce: 1 })).status, 400);
  t.is((await api.get(`/api/v1/withdrawals/0x${'00'.repeat(32)}`)).status, 404);
  const { raw, hash } = await sign(4);
  const sender = wallet.address.toLowerCase();
  await post('/withdrawals', { hash: `0x${'cc'.repeat(32)}`, sender, nonce: 4 });
  const first = indexed.blocks.flatMap((block) => block.txs)[0]!;
  await post('/withdrawals', { hash, sender: first.from, nonce: 0 });
  await mine(21);
  t.like((await post(`/withdrawals/${hash}/rebroadcast`, { raw })).body, { sender, nonce: 4, broadcast: 'accepted' });
  t.like((await post('/withdrawals', { raw })).body, { hash, sender, nonce: 4, broadcast: 'alreadyKnown' });
});

test.serial('C15: bytes that are not canonical for the transaction, or have a high s, are rejected', async (t) => {
  const { raw, hash } = await sign(5, {
    type: 0,
    gasPrice: 10n ** 12n,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
  });
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const fields = decodeRlp(raw) as string[];
  const [even, v, s] = [2n * 271_828n + 35n, BigInt(fields[6]!), BigInt(fields[8]!)];
  const otherV = v === even ? even + 1n : even;
  const malleable = encodeRlp([...fields.slice(0, 6), toBeHex(otherV), fields[7]!, toBeHex(order - s)]);
  const highS = await post('/withdrawals', { raw: malleable });
  t.is(highS.status, 400);
  t.regex(highS.body.detail, /high s/);
  t.is(Transaction.from(malleable).from, Transaction.from(raw).from, 'it is the same sender’s all the same');
  const padded = encodeRlp([...fields.slice(0, 3), `0x00${fields[2]!.slice(2)}`, ...fields.slice(3)].toSpliced(2, 1));
  const refused = await post('/withdrawals', { raw: padded });
  t.is(refused.status, 400, 'a leading zero is another encoding of the same number');
  t.regex(refused.body.detail, /canonical/);
  t.like((await post('/withdrawals', { raw: raw.toUpperCase().replace('0X', '0x') })).body, { hash });
});

test.serial('C15: of rivals registered concurrently in several processes exactly one is accepted', async (t) => {
  const other = await startApi(indexed.pipeline.deps.database, [writer.url]);
  try {
    for (let round = 0; round < 3; round++) {
      const rivals = await Promise.all(
        Array.from({ length: 6 }, (_, i) => sign(6 + round, { value: 1_000n + BigInt(i) })),
      );
      const replies = await Promise.all(
        rivals.map(({ raw }, i) =>
          (i % 2 ? other : api).get('/api/v1/withdrawals', {
            method: 'POST',
            body: JSON.stringify({ raw, broadcast: false }),
          }),
        ),
      );
      const taken = rivals.filter((_, i) => replies[i]!.status === 200);
      t.is(taken.length, 1, JSON.stringify(replies.map(({ body }) => body.code ?? body.state)));
      t.true(replies.every(({ status, body }) => status === 200 || body.code === 'withdrawal_conflict'));
      t.is((await post('/withdrawals', { raw: taken[0]!.raw, broadcast: false })).status, 200, 'it may be sent again');
    }
  } finally {
    await other.stop();
  }
});

test.serial('C15: what the chain shows of a hash overrides what a caller reports', async (t) => {
  const { hash } = indexed.blocks.flatMap((block) => block.txs).at(-1)!;
  const sent = await indexed.chain.rpc.call<{ from: string; nonce: string }>('eth_getTransactionByHash', [hash]);
  const mined = { hash, from: sent.from, nonce: Number(sent.nonce) };
  const lie = await post('/withdrawals', { hash: mined.hash, sender: `0x${'de'.repeat(20)}`, nonce: 3 });
  t.is(lie.body.code, 'withdrawal_conflict');
  t.is(
    (await post('/withdrawals', { hash: mined.hash, sender: mined.from, nonce: mined.nonce })).body.state,
    'complete',
  );
  const unknown = `0x${'ac'.repeat(32)}`;
  const told = await post('/withdrawals', { hash: unknown, sender: mined.from, nonce: mined.nonce });
  t.like(
    told.body,
    { state: 'unknown', replacedBy: mined.hash },
    'sender and nonce are only claimed: the transaction can have others',
  );
});

test.serial('a block that only the node has is not denied', async (t) => {
  const { chain, pipeline, head } = indexed;
  await pipeline.stop();
  await chain.mineLive(1);
  const newest = await chain.rpc.call<{ hash: string; number: string }>('eth_getBlockByNumber', ['latest', false]);
  const [byHash, above] = [`/api/v1/strings/${newest.hash}`, Number(newest.number) + 1_000];
  const reply = await api.get(byHash);
  t.is(reply.status, 503);
  t.regex(reply.body.detail, new RegExp(`has the number ${Number(newest.number)}, which is not indexed here yet`));
  t.true(Number(newest.number) > head);
  for (const action of ['account&action=balancehistory', 'account&action=tokenbalancehistory']) {
    const query = `module=${action}&address=${payee}&contractaddress=${indexed.transfers[0]!.token}&blockno=${above}`;
    const { status, result } = (await api.get(`/api?${query}`)).body;
    t.is(status, '0', action);
    t.regex(result, /the nodes do not have that block yet/, action);
  }
});
