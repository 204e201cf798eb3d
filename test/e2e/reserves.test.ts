import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Wallet } from 'ethers';
import { checkReserves } from '#commands/check-reserves.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder } from '#test/helpers/processes.ts';
import { startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let finalized: number;
let dir: string;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 5 });
  finalized = (await indexed.pipeline.state())!.finalized;
  dir = await scratchFolder('cordscan-reserves');
});

test.after.always(() => indexed?.stop());

const messagePath = (accounts: readonly string[], purpose: string, block: number | string) =>
  `/api/v1/reserves/message?${new URLSearchParams({ accounts: accounts.join(), purpose, block: String(block) })}`;

const send = (body: unknown, { api } = indexed) =>
  api.get('/api/v1/reserves', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Signs with the accounts of the dev chain. */
async function sign(accounts: readonly string[], purpose: string, block: number) {
  const { body } = await indexed.api.get(messagePath(accounts, purpose, block));
  const text = `0x${Buffer.from(body.message).toString('hex')}`;
  return Promise.all(
    accounts.map(async (address) => ({
      address,
      signature: await indexed.chain.rpc.call<string>('personal_sign', [text, address]),
    })),
  );
}

async function devAccounts(count: number): Promise<string[]> {
  const all = await indexed.chain.rpc.call<string[]>('eth_accounts', []);
  return all.slice(0, count).map((one) => one.toLowerCase());
}

test.serial('signed accounts prove what they held, also offline', async (t) => {
  const accounts = await devAccounts(4);
  const block = finalized - 3;
  const signed = await sign(accounts, 'Audit', block);
  const { status, body } = await send({ accounts: signed, purpose: 'Audit', block });
  t.is(status, 200, JSON.stringify(body));
  const tag = `0x${block.toString(16)}`;
  let coin = 0n;
  for (const { address, balance, wallet } of body.accounts) {
    t.deepEqual(
      [BigInt(balance), wallet],
      [BigInt(await indexed.chain.rpc.call<string>('eth_getBalance', [address, tag])), 'key'],
    );
    coin += BigInt(balance);
  }
  t.is(body.coin, String(coin));
  const held = new Map<string, bigint>();
  for (const { block: at, token, tokenId, from, to, value } of indexed.transfers) {
    if (at > block) continue;
    const move = (party: string, amount: bigint) => {
      if (accounts.includes(party)) held.set(`${token} ${tokenId}`, (held.get(`${token} ${tokenId}`) ?? 0n) + amount);
    };
    move(from, -value);
    move(to, value);
  }
  const wanted = [...held].filter(([, amount]) => amount !== 0n).map(([key, amount]) => `${key} ${amount}`);
  t.true(wanted.length > 1);
  t.deepEqual(
    body.tokens.map((one: Record<string, string>) => `${one['token']} ${one['tokenId']} ${one['amount']}`).sort(),
    wanted.sort(),
  );
  const [some] = body.tokens;
  t.true(body.tokens.every((one: Record<string, string>) => one['amountAtNode'] === one['amount']));
  const one = await send({ accounts: signed, purpose: 'Audit', block, tokens: [some.token] });
  t.deepEqual(
    one.body.tokens,
    body.tokens.filter(({ token }: { token: string }) => token === some.token),
  );

  const keys = (await indexed.api.get('/.well-known/jwks.json')).body;
  const file = join(dir, 'reserves.json');
  const check = async (reply: unknown, by = keys) => {
    await writeFile(file, JSON.stringify(reply));
    return checkReserves(file, by);
  };
  t.like(await check(body), {
    summary: `4 accounts held ${coin} wei after block ${block} of chain 271828 ("Audit")`,
    faults: [],
  });
  const [head, payload, signature] = body.document.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  claims.accounts[0].balance = '1';
  claims.accounts[1].signature = claims.accounts[0].signature;
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  const { faults } = await check({ ...body, document: forged });
  t.deepEqual(
    faults.map((fault) => fault.replace(/0x\w+|\d+/g, '#')),
    [
      'the signature of # is not valid',
      'the balances add up to # wei, not #',
      'the signature of the service is not valid for these keys',
    ],
  );
  await t.throwsAsync(check({ items: [] }), { message: /not a proof of reserves/ });
});

test.serial('a proof needs the signature of every account for this text', async (t) => {
  const accounts = await devAccounts(3);
  const signed = await sign(accounts, 'Audit', finalized);
  const refusal = async (body: unknown) => {
    const reply = await send(body);
    return `${reply.status} ${reply.body.code} ${reply.body.detail}`;
  };
  const whole = { accounts: signed, purpose: 'Audit', block: finalized };
  t.regex(await refusal({ ...whole, purpose: 'Audit 2' }), /^400 bad_query these accounts did not sign/);
  t.regex(await refusal({ ...whole, block: finalized - 1 }), /^400 bad_query these accounts did not sign/);
  t.regex(await refusal({ ...whole, accounts: signed.slice(1) }), /did not sign/, 'another book');
  t.regex(await refusal({ ...whole, block: finalized + 1 }), /^400 bad_query block must be finalized/);
  t.regex(await refusal({ ...whole, accounts: [...signed, signed[0]] }), /lists an account twice/);
  t.regex(await refusal({ ...whole, purpose: 'a\nb' }), /must be one line/);
  const stranger = Wallet.createRandom();
  const list = [...accounts, stranger.address.toLowerCase()];
  const { body } = await indexed.api.get(messagePath(list, 'Audit', finalized));
  const twice = await indexed.api.get(
    messagePath([...list, list[0]!.toUpperCase().replace('0X', '0x')], 'Audit', finalized),
  );
  t.is(twice.body.message, body.message, 'an account counts once');
  const four = [
    ...(await sign(list.slice(0, 3), 'x', finalized)),
    { address: list[3]!, signature: await stranger.signMessage(body.message) },
  ];
  const mixed = await refusal({ ...whole, accounts: four });
  t.true(accounts.every((one) => mixed.includes(one)) && !mixed.includes(list[3]!), mixed);
});

test.serial('a contract wallet confirms its signature at the block, and silent nodes are an error', async (t) => {
  const wallet = indexed.chain.world.wfat.toLowerCase(); // a contract that can't verify signatures
  const unsigned = { accounts: [{ address: wallet, signature: '0x11' }], purpose: 'Audit', block: finalized };
  t.regex((await send(unsigned)).body.detail, /did not sign/);
  const dead = await startApi(indexed.pipeline.deps.database, ['http://127.0.0.1:9']);
  const reply = await send(unsigned, { ...indexed, api: dead });
  t.is(`${reply.status} ${reply.body.code}`, '503 node_unavailable');
  await dead.stop();
});
