import test from 'ava';
import { Wallet } from 'ethers';
import { expireWithdrawals } from '#api/read/deposits/expire-withdrawals.ts';
import { findWithdrawal, noteWithdrawal, readRaw, storeWithdrawal } from '#api/read/deposits/withdrawals.ts';
import { getStatement, loadStatements } from '#sql/compile/statements.ts';
import { startWithdrawalWatch, type WithdrawalWatch } from '#test/helpers/withdrawals.ts';

let watch: WithdrawalWatch;
let { indexed, writer, api, post, readState: getState, sign } = {} as WithdrawalWatch;

test.before(async () => {
  watch = await startWithdrawalWatch();
  ({ indexed, writer, api, post, readState: getState, sign } = watch);
});

test.after.always(() => watch?.stop());

test.serial('withdrawal bytes unknown to the network expire after 30 days, others do not', async (t) => {
  const days = 86_400_000;
  const { database } = indexed.pipeline.deps;
  const [rich, poor] = [await watch.rich(), Wallet.createRandom()];
  const { raw: unfunded } = await sign(0, { data: `0x${'ab'.repeat(1_000)}`, gasLimit: 90_000n }, poor);
  const [elsewhere, accepted, idle, uncertain] = await Promise.all(
    [0, 1, 90, 91].map((nonce) => sign(nonce, {}, rich)),
  );
  const refused = (await post('/withdrawals', { raw: unfunded })).body;
  const registered = (await post('/withdrawals', { raw: idle!.raw, broadcast: false })).body;
  t.is(Date.parse(registered.expiresAt), Date.parse(registered.createdAt) + 30 * days);
  t.deepEqual([refused.broadcast, refused.state, typeof refused.expiresAt], ['refused', 'dropped', 'string']);
  await post('/withdrawals', { raw: elsewhere!.raw, broadcast: false });
  await indexed.chain.rpc.call('eth_sendRawTransaction', [elsewhere!.raw]);
  t.like((await post('/withdrawals', { raw: accepted!.raw })).body, { broadcast: 'accepted', expiresAt: null });
  writer.setFault(({ calls, response }) => {
    if (calls[0]?.method !== 'eth_sendRawTransaction') return 'untouched';
    response.destroy();
    return 'answered';
  });
  t.like((await post('/withdrawals', { raw: uncertain!.raw })).body, { broadcast: 'unknown', expiresAt: null });
  writer.setFault(null);

  t.deepEqual(await expireWithdrawals(api.deps, Date.now() + 29 * days), []);
  const later = Date.now() + 31 * days;
  writer.setFault(({ response }) => {
    response.destroy();
    return 'answered';
  });
  const gone = [idle!.hash, refused.hash];
  const early = await expireWithdrawals(api.deps, later);
  t.false(
    gone.some((hash) => early.includes(hash)),
    'a silent writer has not said that it knows none',
  );
  writer.setFault(null);
  t.deepEqual((await expireWithdrawals(api.deps, later)).filter((hash) => gone.includes(hash)).sort(), gone.sort());
  for (const hash of gone) t.like(await getState(hash), { state: 'dropped', expiresAt: null });
  for (const { hash } of [elsewhere!, accepted!, uncertain!]) t.is((await getState(hash)).hash, hash);
  const hashes = gone.map((hash) => `'${hash.slice(2)}'`);
  const [left] = await database.read<{ bytes: string; kept: string }>({
    ...getStatement(loadStatements(), 'chain_state'),
    sql: `SELECT sum(length(raw)) AS bytes, count() AS kept FROM withdrawals FINAL WHERE has([${hashes}], lower(hex(hash)))`,
  });
  t.deepEqual([Number(left!.bytes), Number(left!.kept)], [0, 2]);
  const rival = await sign(90, { value: 5n }, rich);
  const refusal = await post('/withdrawals', { raw: rival.raw, broadcast: false });
  t.is(refusal.body.code, 'withdrawal_conflict', 'forgotten bytes may be sent by whoever has them');
  const again = (await post('/withdrawals', { raw: idle!.raw, broadcast: false })).body;
  t.like(again, { hash: idle!.hash, capability: null, state: 'dropped' });
  t.is(typeof again.expiresAt, 'string', 'the same bytes again are kept again');
  const owner = { 'X-Withdrawal-Capability': registered.capability };
  t.is((await post(`/withdrawals/${idle!.hash}/rebroadcast`, {}, owner)).status, 200, 'and have their owner');
});

test.serial(
  'withdrawal bytes survive when they are sent during expiry, or their sending was interrupted',
  async (t) => {
    const { database } = api.deps;
    const { raw, hash } = await sign(1_000);
    await post('/withdrawals', { raw, broadcast: false });
    const one = (await findWithdrawal(api.deps, hash))!;
    await storeWithdrawal(api.deps, { ...one, broadcastMs: Date.now(), broadcast: 'sending', mayBeKnown: true });
    const key = { sender: one.sender.slice(2), nonce: one.nonce, hash: hash.slice(2) };
    await database.execute('forget_withdrawal_bytes', { ...key, version: one.version });
    t.like(await getState(hash), { lastAnswer: 'sending', expiresAt: null });
    // simulates an expiry run that read the withdrawal before its broadcast
    await database.command(
      `INSERT INTO withdrawals SELECT * REPLACE ('' AS raw, ${one.version} + 1 AS version, 0 AS may_be_known) FROM withdrawals FINAL WHERE hash = unhex('${hash.slice(2)}')`,
    );
    t.like(await getState(hash), { lastAnswer: 'sending', expiresAt: null });
    t.false((await expireWithdrawals(api.deps, Date.now() + 31 * 86_400_000)).includes(hash));
  },
);

test.serial('withdrawal sent elsewhere is kept once seen, also after a refusal', async (t) => {
  const rich = await watch.rich();
  const [elsewhere, raced] = await Promise.all([0, 1].map((nonce) => sign(nonce, {}, rich)));
  t.is(typeof (await post('/withdrawals', { raw: elsewhere!.raw, broadcast: false })).body.expiresAt, 'string');
  await indexed.chain.rpc.call('eth_sendRawTransaction', [elsewhere!.raw]);
  t.like(await getState(elsewhere!.hash), { state: 'pending', expiresAt: null });
  t.true((await findWithdrawal(api.deps, elsewhere!.hash))!.mayBeKnown);
  await post('/withdrawals', { raw: raced!.raw, broadcast: false });
  const one = (await findWithdrawal(api.deps, raced!.hash))!;
  const [first, second] = [
    await storeWithdrawal(api.deps, { ...one, broadcast: 'sending', mayBeKnown: true }),
    await storeWithdrawal(api.deps, { ...one, version: one.version + 1, broadcast: 'sending', mayBeKnown: true }),
  ];
  t.true(second.version > first.version);
  await noteWithdrawal(api.deps, { ...first, broadcast: 'refused', mayBeKnown: false });
  t.true((await findWithdrawal(api.deps, raced!.hash))!.mayBeKnown, 'another broadcast is under way');
  await noteWithdrawal(api.deps, { ...second, broadcast: 'refused', mayBeKnown: false });
  t.false((await findWithdrawal(api.deps, raced!.hash))!.mayBeKnown);
});

test.serial('reported fields of a hash never replace its bytes, whichever arrives first', async (t) => {
  const { raw, hash } = await sign(1_100);
  await post('/withdrawals', { raw, broadcast: false });
  const one = (await findWithdrawal(api.deps, hash))!;
  await storeWithdrawal(api.deps, { ...one, raw: null, isSigned: false, owner: '', mayBeKnown: true });
  t.is((await findWithdrawal(api.deps, hash))!.raw, raw.toLowerCase());
});

test.serial('bytes stored by another request claim the nonce before they are sent', async (t) => {
  const rich = await watch.rich();
  const [mine, rival] = [await sign(0, {}, rich), await sign(0, { value: 3n }, rich)];
  const { sender, nonce } = readRaw(rival.raw, 271_828);
  t.is((await post('/withdrawals', { raw: rival.raw, broadcast: false })).status, 200);
  // simulates a request that stopped before it claimed its withdrawal
  const stored = readRaw(mine.raw, 271_828);
  await storeWithdrawal(api.deps, {
    ...stored,
    createdMs: Date.now(),
    broadcastMs: 0,
    broadcast: '',
    owner: 'x',
    mayBeKnown: false,
    isSigned: true,
    version: 0,
  });
  t.is((await post('/withdrawals', { raw: mine.raw })).body.code, 'withdrawal_conflict');
  t.like(await getState(rival.hash), { sender, nonce, state: 'dropped' });
});
