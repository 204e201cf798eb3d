import test from 'ava';
import { getAddress } from 'ethers';
import { request } from 'undici';
import { exactAmount } from '#api/pages/parts/number.ts';
import { deployTokens, logTexts } from '#test/helpers/hostile-tokens.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import {
  attribute,
  findForeignContent,
  findLinks,
  type ReadPage,
  readPage,
  toText,
} from '#test/helpers/page-reader.ts';
import { describePreview, listPagePaths, type Subjects, walkPages } from '#test/helpers/page-walk.ts';
import { headReader, startApi } from '#test/helpers/service.ts';
import { walkItems } from '#test/helpers/walk.ts';
import { hostileNames } from '../fixtures/hostile-names.ts';

let indexed: IndexedChain;
let subjects: Subjects;
const victim = `0x${'c0ffee'.padStart(40, '0')}`;
let hostileTokens: string[];
let hostileLogs: string[];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 90, seed: 17 });
  const { chain, pipeline, transfers, blocks } = indexed;
  hostileTokens = await deployTokens(chain, hostileNames, victim);
  hostileLogs = await logTexts(chain, hostileNames);
  await pipeline.caughtUp(headReader(chain));
  await waitForTokens({
    ...indexed,
    transfers: [...transfers, ...hostileTokens.map((token) => ({ ...transfers[0]!, token }))],
  });
  const tx = blocks.flatMap(({ txs }) => txs).findLast(({ value, status, to }) => value > 0n && status === 1 && to)!;
  subjects = {
    account: tx.from,
    hash: tx.hash,
    block: String(tx.block),
    token: transfers.find(({ standard }) => standard === 'erc20')!.token,
    nft: transfers.find(({ standard }) => standard === 'erc721')!.token,
  };
});

test.after.always(() => indexed?.stop());

const read = (path: string) => readPage(indexed.api, path);
const walked: ReadPage[] = [];
const getHashes = (page: ReadPage) => findLinks(page, '/tx/').map((path) => path.slice(4));

test.serial('every page has the frame, a strict policy and no foreign content', async (t) => {
  for (const path of [...listPagePaths(subjects), '/docs']) {
    const page = await read(path);
    walked.push(page);
    t.is(page.status, 200, path);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', path);
    t.deepEqual(findForeignContent(page), [], path);
    const policy = page.headers.get('content-security-policy')!;
    t.regex(policy, /default-src 'none'.*script-src 'self'; style-src 'self'/);
    t.notRegex(policy, /unsafe|\*|https?:/);
    t.is(page.elements.filter(({ tagName }) => tagName === 'h1').length, 1, path);
    t.is(page.elements.filter(({ tagName }) => tagName === 'main').length, 1, path);
    if (walked.length % 4 === 1) t.is(await describePreview(indexed.api, page), '200 image/png 1200 × 630', path);
    const head = await indexed.api.get(path, { method: 'HEAD', headers: { accept: 'text/html' } });
    t.deepEqual([head.status, head.body], [200, ''], path);
  }
  t.regex((await indexed.api.get('/api/v1/stats')).headers.get('content-security-policy')!, /default-src 'none'/);
});

test.serial('links of the pages lead to pages', async (t) => {
  const targets = new Set<string>();
  for (const page of walked) for (const target of findLinks(page, '/')) targets.add(target.split('#')[0]!);
  const ofPages = [...targets].filter((target) => !/^\/(api|sourcify)\//.test(target));
  const sample = ofPages.filter((_, i) => i % Math.ceil(ofPages.length / 40) === 0);
  for (const target of [...sample, ...[...targets].filter((target) => target.startsWith('/api/')).slice(0, 12)]) {
    const reply = await fetch(indexed.api.origin + target, { method: 'HEAD', headers: { accept: 'text/html' } });
    t.is(reply.status, 200, target);
  }
  t.true(targets.size > 100);
});

test.serial('transaction page equals the node to the last digit', async (t) => {
  const { blocks, api } = indexed;
  const { head } = (await api.get('/api/v1/stats')).body.index;
  const all = blocks.flatMap(({ txs }) => txs);
  const chosen = [
    all.find(({ status }) => status === 0)!,
    all.find(({ created }) => created)!,
    all.at(-1)!,
    all.at(-40)!,
  ];
  for (const tx of [...chosen, all.find(({ hash }) => hash === subjects.hash)!]) {
    const { text } = await read(`/tx/${tx.hash}`);
    t.true(text.includes(tx.hash));
    t.true(text.includes(`From ${getAddress(tx.from)}`), tx.hash);
    t.true(text.includes(tx.to ? `To ${getAddress(tx.to)}` : `Created ${getAddress(tx.created!)}`));
    t.true(text.includes(`Value ${exactAmount(String(tx.value), 18)} FAT`));
    t.true(text.includes(`Fee ${exactAmount(String(tx.fee), 18)} FAT`));
    const burned = BigInt(blocks[tx.block]!.baseFee) * BigInt(tx.gasUsed);
    t.true(text.includes(`burned: ${exactAmount(String(burned), 18)} FAT`), tx.hash);
    t.true(text.includes(`to the producer: ${exactAmount(String(BigInt(tx.fee) - burned), 18)} FAT`), tx.hash);
    t.true(text.includes(tx.status === 1 ? 'Success' : 'Failed'));
    t.true(text.includes(`${head - tx.block} confirmation`), text.slice(0, 900));
    const moves = tx.status === 1 && tx.value > 0n && tx.to !== null && tx.to !== tx.from;
    t.is(/enough confirmations to be credited/.test(text), moves && head - tx.block >= 20);
    t.is(/failed: only its fee was paid/.test(text), tx.status === 0);
  }
});

test.serial('pages decode logs and list the transactions of a block in order', async (t) => {
  const { blocks, transfers } = indexed;
  const moved = transfers.find(({ standard, value }) => standard === 'erc20' && value > 1_000n)!;
  const logs = await read(`/tx/${moved.txHash}?tab=logs`);
  t.true(logs.text.includes('Transfer ERC-20 Transfer(address,address,uint256)'));
  t.true(logs.text.replaceAll(',', '').includes(`value uint256 ${moved.value}`));
  t.true(logs.text.includes(getAddress(moved.from)) && logs.text.includes(getAddress(moved.to)));
  const block = blocks.find(({ txs }) => txs.length > 30)!;
  const [first, second] = [await read(`/block/${block.number}`), await read(`/block/${block.hash}`)];
  t.deepEqual(
    getHashes(first),
    block.txs.slice(0, 25).map(({ hash }) => hash),
  );
  t.deepEqual(getHashes(second), getHashes(first));
  const ofProducer = await read(`/blocks?miner=${block.miner}&to=${block.number}&limit=200`);
  const newest = findLinks(ofProducer, '/block/')[0]; // the page frame links to the newest block
  const own = blocks.filter(({ miner, number }) => miner === block.miner && number <= block.number).reverse();
  t.deepEqual(
    [...new Set(findLinks(ofProducer, '/block/'))].filter((path) => path !== newest),
    own.map(({ number }) => `/block/${number}`),
  );
});

test.serial('history read by pages equals the history of the API', async (t) => {
  const { account } = subjects;
  for (const query of ['', 'role=to', 'order=asc&limit=7']) {
    const found = (await walkPages(indexed.api, `/address/${account}?${query}`)).flatMap(getHashes);
    const { body } = await indexed.api.get(
      `/api/v1/accounts/${account}/transactions?limit=200&${query.replace('limit=7', '')}`,
    );
    t.false(body.hasMore);
    t.deepEqual(
      found,
      body.transactions.map((row: { txHash: string }) => row.txHash),
      query,
    );
  }
  const there = await walkPages(indexed.api, `/address/${account}?limit=5`);
  const last = there.at(-2)!.elements.find((element) => attribute(element, 'rel') === 'next')!;
  const back = await walkPages(indexed.api, attribute(last, 'href')!, 'prev');
  t.true(there.length > 3 && there.at(-1)!.text.includes(`Page ${there.length}`));
  const steps = Math.min(there.length, 13); // the page itself and at most twelve earlier pages
  t.deepEqual(back.map(getHashes), there.slice(-steps).map(getHashes).reverse());
  const holders = (await walkPages(indexed.api, `/token/${subjects.token}?tab=holders&limit=11`)).flatMap((page) =>
    page.elements
      .filter((element) => attribute(element, 'data-title') === 'Holder')
      .map((cell) => attribute(cell.childNodes[0] as typeof cell, 'title')!.toLowerCase()),
  );
  const rows = await walkItems(indexed.api, `/tokens/${subjects.token}/holders`);
  t.deepEqual(
    holders,
    rows.map(({ address }) => address),
  );
  const { transfers } = indexed;
  const moves = (await walkPages(indexed.api, `/token/${subjects.token}`)).flatMap(getHashes);
  t.deepEqual(
    moves,
    transfers
      .filter(({ token }) => token === subjects.token)
      .map(({ txHash }) => txHash)
      .reverse(),
  );
});

test.serial('pages return the right status for unknown, malformed and missing paths', async (t) => {
  const unknown = await read(`/tx/0x${'ab'.repeat(32)}`);
  const { head } = (await indexed.api.get('/api/v1/stats')).body.index;
  t.is(unknown.status, 404);
  t.true(unknown.text.includes('This transaction is not on the chain') && unknown.text.includes(`up to block ${head}`));
  t.is(unknown.headers.get('cache-control'), 'no-store');
  for (const [path, status] of [
    ['/block/99999999', 404],
    [`/block/0x${'ab'.repeat(32)}`, 404],
    [`/token/${subjects.account}`, 404],
    [`/nft/${victim}`, 404],
    ['/charts/nothing', 404],
    ['/nothing', 404],
    ['/tx/0x12', 400],
    ['/block/-1', 400],
    ['/address/0x12', 400],
    [`/address/0x${'ab'.repeat(32)}`, 400],
    ['/txs?cursor=damaged', 400],
    ['/blocks?limit=0', 400],
    ['/charts/newTxns?resolution=minute', 400],
    [`/search?q=${'x'.repeat(101)}`, 400],
    ['/tx/%3Cscript%3Ealert(1)%3C%2Fscript%3E', 400],
    ['/charts/%3Cimg%20src=x%20onerror=alert(1)%3E', 404],
  ] as const) {
    const page = await read(path);
    t.is(page.status, status, path);
    t.regex(page.headers.get('content-type')!, /^text\/html/, path);
    t.deepEqual(findForeignContent(page), [], path);
  }
  t.is((await indexed.api.get('/nothing')).headers.get('content-type'), 'application/problem+json');
  t.regex(
    (await indexed.api.get('/api/v1/nothing', { headers: { accept: 'text/html' } })).headers.get('content-type')!,
    /problem\+json/,
  );
  const unseen = await read(`/address/0x${'9'.repeat(40)}`);
  t.true(unseen.text.includes('No matching transactions. The index is complete, apart from internal transfers.'));
});

test.serial('pages return 503 before anything is indexed, and the status page works', async (t) => {
  const empty = await startApi(await indexed.engine.open('empty'), [indexed.chain.rpc.url]);
  for (const path of ['/', '/blocks', `/tx/${subjects.hash}`, '/tokens']) {
    const page = await readPage(empty, path);
    t.is(page.status, 503, path);
    t.truthy(page.headers.get('retry-after'));
    t.deepEqual(findForeignContent(page), []);
  }
  const status = await readPage(empty, '/status');
  t.is(status.status, 200);
  t.true(status.text.includes('down Nothing is indexed'));
  t.is((await readPage(empty, '/docs')).status, 200);
  await empty.stop();
});

test.serial('search redirects to an exact match', async (t) => {
  const { hash, account, block } = subjects;
  const location = async (q: string) =>
    (await indexed.api.get(`/search?q=${encodeURIComponent(q)}`, { redirect: 'manual' })).headers.get('location');
  t.is(await location(hash), `/tx/${hash}`);
  t.is(await location(block), `/block/${block}`);
  t.is(await location(` ${account} `), `/address/${getAddress(account)}`);
  t.is(await location(indexed.blocks[7]!.hash), '/block/7');
  t.true((await read('/search?q=USD')).text.includes('USDX'));
  const nothing = await read(`/search?q=${encodeURIComponent('<b>"no\u202esuch</b>')}`);
  t.is(nothing.status, 200);
  t.deepEqual(
    findForeignContent({ ...nothing, elements: nothing.elements.filter(({ tagName }) => tagName !== 'input') }),
    [],
  );
});

test.serial('pages are revalidated and compressed, and assets are immutable', async (t) => {
  const { api } = indexed;
  const page = await read('/charts');
  const again = await request(`${api.origin}/charts`, { headers: { 'if-none-match': page.headers.get('etag')! } });
  t.deepEqual([again.statusCode, await again.body.text()], [304, '']);
  t.regex(page.headers.get('content-encoding')!, /^(br|gzip)$/);
  const script = page.elements.find(({ tagName }) => tagName === 'script')!;
  const style = page.elements.find((element) => attribute(element, 'rel') === 'stylesheet')!;
  for (const [path, type] of [
    [attribute(script, 'src')!, /^text\/javascript/],
    [attribute(style, 'href')!, /^text\/css/],
  ] as const) {
    const asset = await api.get(path);
    t.regex(asset.headers.get('content-type')!, type);
    t.regex(asset.headers.get('cache-control')!, /max-age=31536000, immutable/);
  }
});

test.serial('hostile texts of tokens and logs are escaped on every page', async (t) => {
  t.true(hostileNames.length >= 60);
  const lists = [
    `/address/${victim}?tab=tokens`,
    `/address/${victim}?tab=transfers`,
    '/tokens?sort=age',
    '/search?q=script',
  ];
  const seen = new Set<string>();
  for (const list of lists)
    for (const page of list.startsWith('/search') ? [await read(list)] : await walkPages(indexed.api, list)) {
      t.deepEqual(findForeignContent(page), [], list);
      for (const target of findLinks(page, '/token/')) seen.add(target.slice(7).toLowerCase());
    }
  t.deepEqual(
    hostileTokens.filter((token) => !seen.has(token)),
    [],
  );
  for (const [i, token] of hostileTokens.entries()) {
    const path = i % 2 ? `/token/${token}` : `/token/${token}?tab=holders`;
    const page = await read(path);
    t.is(page.status, 200, path);
    t.deepEqual(findForeignContent(page), [], `${path} named ${JSON.stringify(hostileNames[i])}`);
    const names = page.elements.filter((element) => attribute(element, 'class') === 'chain-text').map(toText);
    for (const name of names) {
      t.true([...name].length <= 65, name);
      t.notRegex(name, /0x7099|\w\.(example|com)|:\/\//);
    }
    // a name from the chain is never the text of a link
    for (const link of page.elements.filter(({ tagName }) => tagName === 'a'))
      t.false(/bdi/.test(link.childNodes.map((node) => node.nodeName).join()));
  }
  for (const [i, hash] of hostileLogs.entries()) {
    const page = await read(`/tx/${hash}?tab=logs`);
    t.deepEqual(findForeignContent(page), [], JSON.stringify(hostileNames[i]));
    t.true(page.text.includes('NameRegistered Name registrar'), page.text);
  }
});
