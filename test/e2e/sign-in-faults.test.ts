import test from 'ava';
import { Wallet } from 'ethers';
import { post } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { startFailingEngine } from '#test/helpers/mortal-engine.ts';
import { startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 5, seed: 36 });
});

test.after.always(() => indexed?.stop());

test.serial(
  'sign-in uses up a nonce only on success, so a database failure costs no new signature and allows no reuse',
  async (t) => {
    const mortal = await startFailingEngine(indexed.engine.url, indexed.pipeline.deps.database.options.database);
    const own = await startApi(mortal.database, [indexed.chain.rpc.url]);
    t.teardown(async () => {
      await own.stop();
      await mortal.stop();
    });
    const signer = Wallet.createRandom();
    const { message } = (await post(own, '/api/v1/auth/nonce', { address: signer.address })).body;
    const signature = await signer.signMessage(message);
    const send = async () => (await post(own, '/api/v1/auth/sign-in', { message, signature })).status;
    mortal.failWhere(/SELECT use FROM sign_in_uses/);
    t.is(await send(), 503);
    mortal.failWhere(/linked_wallets/);
    t.is(await send(), 503);
    mortal.failWhere(undefined);
    t.deepEqual((await Promise.all([send(), send(), send()])).sort(), [200, 401, 401]);
    t.is(await send(), 401);
  },
);

test.serial('sign-in requires PUBLIC_URL where other hosts may share the name', async (t) => {
  const { database } = indexed.pipeline.deps;
  const own = await startApi(database, [indexed.chain.rpc.url], false, { isOriginKnown: false });
  t.teardown(() => own.stop());
  const { status, body } = await post(own, '/api/v1/auth/nonce', {});
  t.deepEqual([status, body.code], [401, 'sign_in_refused']);
  t.regex(body.detail, /has not set PUBLIC_URL/);
  t.is((await post(own, '/api/v1/auth/sign-in', { message: 'x', signature: '0x00' })).status, 401);
});
