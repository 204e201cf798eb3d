/** Pages for unusual accounts and mistakes of visitors. */
import test from 'ava';
import { getAddress, getCreateAddress } from 'ethers';
import { request } from 'undici';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { attribute, findLinks, type ReadPage, readPage, toText } from '#test/helpers/page-reader.ts';
import { chainId, headReader, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let token: string;
let nft: string;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 23 });
  const ofStandard = (name: string) => indexed.transfers.find(({ standard }) => standard === name)!.token;
  [token, nft] = [ofStandard('erc20'), ofStandard('erc721')];
});

test.after.always(() => indexed?.stop());

const read = (path: string) => readPage(indexed.api, path);
const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

test.serial('an account with delegated code names the contract that it runs', async (t) => {
  const account = `0x${'7702'.repeat(10)}`;
  await indexed.chain.rpc.call('anvil_setCode', [account, `0xef0100${token.slice(2)}`]);
  const page = await read(`/address/${account}`);
  t.true(page.text.includes(`Runs the code of ${getAddress(token)}`), page.text.slice(0, 1_000));
  const write = await read(`/address/${account}?tab=write`);
  t.deepEqual(findLinks(write, '/contract/verify'), [`/contract/verify?address=${token}`]);
});

test.serial('a destroyed contract still shows who created it', async (t) => {
  const { chain, pipeline } = indexed;
  // the constructor destroys the contract: SELFDESTRUCT(CALLER)
  const from = chain.world.accounts[20]!;
  const nonce = Number(await chain.rpc.call('eth_getTransactionCount', [from, 'pending']));
  const hash = await chain.rpc.call<string>('eth_sendTransaction', [{ from, gas: '0xf4240', data: '0x33ff' }]);
  await chain.rpc.call('evm_mine', []);
  const address = getCreateAddress({ from, nonce }).toLowerCase();
  await pipeline.caughtUp(headReader(chain));
  const page = await read(`/address/${address}`);
  t.regex(page.text, /none now: the contract destroyed itself/);
  t.true(findLinks(page, '/tx/').includes(`/tx/${hash}`));
  t.true(page.text.includes('Events'));
});

test.serial('tabs of a contract say that no node answers, and the page stays', async (t) => {
  const api = await startApi(indexed.pipeline.deps.database, ['http://127.0.0.1:9']);
  t.teardown(() => api.stop());
  for (const tab of ['contract', 'read', 'write']) {
    const page = await readPage(api, `/address/${token}?tab=${tab}`);
    t.is(page.status, 200);
    t.regex(page.text, /The code is unknown: /);
    t.true(page.text.includes('Token transfers'));
  }
});

test.serial('amounts with a decimal comma are refused, those with thousands are read', async (t) => {
  for (const amount of ['0,25', '0,250', '1.234,567', '1,5']) {
    const wrong = await read(`/txs?least=${encodeURIComponent(amount)}`);
    t.is(wrong.status, 400, amount);
    t.regex(wrong.text, /an amount must be a number such as 1,500 or 0\.25/i);
  }
  t.is((await read('/txs?least=1%2C500')).status, 200);
});

test.serial('an invalid place in a list leads to its first page, with the filters', async (t) => {
  const page = await read('/txs?status=1&cursor=wrong&page=3');
  t.is(page.status, 400);
  t.deepEqual(findLinks(page, '/txs?'), ['/txs?status=1']);
});

test.serial('a filter by a token that is no address is refused with its form', async (t) => {
  const { hash, from } = indexed.blocks.flatMap(({ txs }) => txs)[0]!;
  for (const token of [hash, 'USDC']) {
    const page = await read(`/address/${from}?tab=transfers&token=${token}&least=1`);
    t.is(page.status, 400, token);
    t.regex(page.text, /“Token” must be an address/);
  }
});

test.serial('pages of accounts and tokens accept the chain before the address', async (t) => {
  const { token, from } = indexed.transfers.find(({ standard }) => standard === 'erc20')!;
  const [named, plain] = [await read(`/token/eip155:${chainId}:${token}`), await read(`/token/${token}`)];
  t.is(named.status, 200);
  const amounts = ({ elements }: ReadPage) =>
    elements.flatMap((element) => (attribute(element, 'class') === 'unit' ? [toText(element)] : []));
  t.true(amounts(plain).length > 5);
  t.deepEqual(amounts(named).slice(0, 5), amounts(plain).slice(0, 5));
  const own = await read(`/address/eip155:${chainId}:${from}?tab=transfers`);
  t.regex(own.text, /this address/);
});

test.serial('pages of tokens lead to the page of their kind', async (t) => {
  const reply = await request(`${indexed.api.origin}/token/${nft}?tab=holders`);
  t.is(reply.headers.location, `/nft/${nft}?tab=holders`);
  await reply.body.dump();
});

test.serial('a statement is requested for a period', async (t) => {
  const page = await read(`/statement?accounts=${token}`);
  t.regex(page.text, /Statement of account/);
  for (const [accounts, problem] of [
    ['0x12', /“Addresses” must be addresses; this is none: 0x12/],
    ['', /“Addresses” must have an address/],
  ] as const) {
    const wrong = await read(`/statement?accounts=${accounts}&format=csv`);
    t.is(wrong.status, 400);
    t.regex(wrong.text, problem);
  }
  const two = await request(`${indexed.api.origin}/statement?accounts=${token}+%0A${nft}&format=csv`);
  await two.body.dump();
  t.is(two.headers.location, `/api/v1/statement?accounts=${token}%2C${nft}&format=csv`);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [since, until] = [day(Date.now() - 86_400_000), day(Date.now())];
  const query = `accounts=${token}&since=${since}&until=${until}&format=csv`;
  const reply = await request(`${indexed.api.origin}/statement?${query}`);
  await reply.body.dump();
  const seconds = (text: string) => Date.parse(text) / 1_000;
  // the current day has not ended
  const file = `/api/v1/statement?accounts=${token}&format=csv&fromTime=${seconds(since)}`;
  t.is(reply.headers.location, file);
  const got = await indexed.api.get(file);
  t.is(got.status, 200, JSON.stringify(got.body));
  const old = await request(`${indexed.api.origin}/statement?${query.replace(until, since)}`);
  await old.body.dump();
  t.true(String(old.headers.location).endsWith(`&fromTime=${seconds(since)}&toTime=${seconds(since) + 86_399}`));
  t.is((await read(`/statement?${query.replace(until, '2026-02-31')}`)).status, 400);
});

test.serial('a posted form with a mistake is shown again with its values', async (t) => {
  const values = { compilerVersion: '0.8.37', format: 'single-file', contract: 'A', source: 'contract A {}\n' };
  const body = new URLSearchParams({ ...values, address: '0x12', optimized: '1', runs: '77', evmVersion: 'paris' });
  const post = (accept: string) =>
    request(`${indexed.api.origin}/contract/verify`, {
      method: 'POST',
      body: body.toString(),
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
    });
  const page = await post('text/html');
  const text = await page.body.text();
  t.is(page.statusCode, 400);
  t.regex(text, /contract A \{\}/);
  for (const given of ['value="77"', 'value="0x12"', '<option value="paris" selected>', 'value="1" checked'])
    t.true(text.includes(given), given);
  t.is((await post('application/json')).headers['content-type'], 'application/problem+json');
});

test.serial('a mistake in the form of a chart keeps the form, and a zoomed range keeps its times', async (t) => {
  const wrong = await read('/charts/newHoldersOfToken?subject=nonsense&from=2024-01-01');
  t.is(wrong.status, 400);
  const inputs = (page: ReadPage) =>
    Object.fromEntries(
      page.elements
        .filter(({ tagName }) => tagName === 'input')
        .map((input) => [attribute(input, 'name'), attribute(input, 'value')]),
    );
  t.like(inputs(wrong), { subject: 'nonsense', from: '2024-01-01' });
  const { time } = indexed.blocks[20]!;
  const at = new Date(time * 1_000).toISOString().slice(0, 19);
  for (const path of ['/charts/newTxns?', '/charts/query?of=blocks&'])
    for (const from of [String(time), at]) t.is(inputs(await read(`${path}from=${from}`))['from'], at, path);
});

test.serial('an unknown id of a known collection is named, and leads to the collection', async (t) => {
  const page = await read(`/nft/${nft}?id=999999`);
  t.is(page.status, 404);
  t.regex(page.text, /No token with the id 999999 was ever transferred in this collection/);
  t.deepEqual(findLinks(page, '/nft/'), [`/nft/${nft}`]);
  t.false(page.text.includes('No NFT collection'));
});

test.serial('transfers of all tokens, or of one token and account', async (t) => {
  const all = await read('/tokentxns');
  const [newest] = indexed.transfers.toSorted((a, b) => b.block - a.block || b.logIndex - a.logIndex);
  t.true(findLinks(all, '/tx/').includes(`/tx/${newest!.txHash}`));
  const { to: account } = indexed.transfers.find((one) => one.token === token && one.standard === 'erc20')!;
  const own = indexed.transfers.filter((one) => one.token === token && [one.from, one.to].includes(account));
  for (const path of [
    `/token/${token}?account=${account}&limit=200`,
    `/tokentxns?token=${token}&to=${account}&limit=200`,
  ]) {
    const found = sorted(findLinks(await read(path), '/tx/'));
    const wanted = path.startsWith('/token/') ? own : own.filter(({ to }) => to === account);
    t.deepEqual(found, sorted(wanted.map(({ txHash }) => `/tx/${txHash}`)), path);
  }
  t.is((await read(`/token/${token}?account=${account}&type=mint`)).status, 400);
  t.is((await read('/tokentxns?token=wrong')).status, 400);
});

test.serial('an event in the search leads to the contracts that emit it', async (t) => {
  const found = await read('/search?q=Transfer(address,address,uint256)');
  const [path = ''] = findLinks(found, '/charts/query');
  t.regex(path, /of=logs.*topic0=0x/);
  t.true(findLinks(await read(path.replaceAll('&amp;', '&')), '/address/').length > 0);
});
