import { join } from 'node:path';
import test from 'ava';
import { getCreateAddress } from 'ethers';
import { compileFolder, creationCode } from '#devchain/compile-contracts.ts';
import { Miner } from '#devchain/miner.ts';
import { refreshNftMetadata } from '#pipeline/jobs/nft-metadata.ts';
import type { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { type FeedServer, startFeedServer } from '#test/helpers/feed-server.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { chainId, headReader } from '#test/helpers/service.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const hostile = '<script>alert(1)</script>\u202egnp.exe';

let indexed: IndexedChain;
let host: FeedServer;
let nft: string;
let owner: string;

/** Token ids in the order of these URIs, from 1. */
let uris: string[];

test.before(async () => {
  [indexed, host] = await Promise.all([startIndexedChain({ blocks: 40, seed: 9 }), startFeedServer()]);
  const sends =
    (body: Buffer | string, type = 'application/json', status = 200) =>
    (_: unknown, response: Reply) =>
      response.writeHead(status, { 'content-type': type }).end(body);
  const metadata = (image: string) => JSON.stringify({ name: 'N', image });
  const answers: Record<string, Parameters<FeedServer['paths']['set']>[1]> = {
    '/good': sends(
      JSON.stringify({
        name: hostile,
        description: 'A token\u0000',
        image: host.url('/p.png'),
        attributes: [{ trait_type: 'Colour', value: 'red' }, { value: 7 }, 'no trait', { trait_type: {}, value: [] }],
      }),
    ),
    '/p.png': sends(png, 'text/html'),
    '/page': sends('<html><script>alert(1)</script></html>', 'image/png'),
    '/to-page': sends(metadata(host.url('/page'))),
    '/to-private': sends(metadata('https://169.254.169.254/latest')),
    '/to-file': sends(metadata('file:///etc/passwd')),
    '/redirect': (_, response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
    '/text': sends('no JSON'),
    '/list': sends('[1, 2]'),
    '/huge': sends(Buffer.alloc(600_000, 32)),
    '/gone': sends('', 'text/plain', 404),
    [`/${'0'.repeat(63)}d`]: sends(JSON.stringify({ name: 'thirteen' })),
    '/ipfs/Qm1/meta.json': sends(JSON.stringify({ name: 'from IPFS' })),
  };
  for (const [path, answer] of Object.entries(answers)) host.paths.set(path, answer);
  const svg = `<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>`;
  uris = [
    host.url('/good'),
    host.url('/to-page'),
    host.url('/to-private'),
    host.url('/to-file'),
    host.url('/redirect'),
    host.url('/text'),
    host.url('/list'),
    host.url('/huge'),
    host.url('/gone'),
    'https://10.0.0.1/secret',
    'javascript:alert(1)',
    '',
    host.url('/{id}'),
    'ipfs://Qm1/meta.json',
    `data:application/json;base64,${Buffer.from(JSON.stringify({ name: 'drawn', image: `data:image/svg+xml,${svg}` })).toString('base64')}`,
    'endless',
  ];
  const { chain } = indexed;
  const { UriNft } = await compileFolder(join(import.meta.dirname, '../../test/helpers/contracts'));
  owner = chain.world.accounts[3]!;
  const from = chain.world.accounts[1]!;
  nft = getCreateAddress({ from, nonce: Number(await chain.rpc.call('eth_getTransactionCount', [from, 'latest'])) });
  nft = nft.toLowerCase();
  const mint = (uri: string, i: number) => UriNft!.abi.encodeFunctionData('mint', [owner, i + 1, uri]);
  await new Miner(chain.rpc, chainId).mine([
    { from, data: creationCode(UriNft!, []), gas: 2_000_000 },
    ...uris.map((uri, i) => ({ from, to: nft, data: mint(uri, i), gas: 1_000_000 })),
  ]);
  await indexed.pipeline.caughtUp(headReader(chain));
});

type Reply = { writeHead(status: number, headers?: Record<string, string>): { end(body?: Buffer | string): unknown } };

test.after.always(async () => {
  await host?.stop();
  await indexed?.stop();
});

const get = (path: string) => indexed.api.get(`/api/v1${path}`);

async function fetchRequested(maxBytes = 1e9): Promise<number> {
  const { deps, state } = indexed.pipeline;
  const nftSettings = { ipfsGateway: host.url(''), timeoutMs: 3_000, maxBytes };
  const settings = { ...deps.settings, nft: nftSettings };
  return refreshNftMetadata({ ...deps, settings, outbound: host.network }, { state: await state() } as ChainStateStore);
}

test.serial('metadata is fetched once a client asks for it, and names what is wrong with others', async (t) => {
  t.is(await fetchRequested(), 0, 'nothing is fetched before');
  const { body: pending } = await get(`/nfts/${nft}/tokens/1`);
  t.is(pending.metadata.state, 'pending');
  await get(`/nfts/${nft}/tokens?limit=50`);
  t.is(await fetchRequested(), uris.length);
  const found = new Map<number, Awaited<ReturnType<typeof get>>['body']>();
  for (const id of uris.keys()) found.set(id + 1, (await get(`/nfts/${nft}/tokens/${id + 1}`)).body.metadata);
  const good = found.get(1);
  t.is(good.state, 'found');
  t.is(good.name, '<script>alert(1)</script>gnp.exe');
  t.is(good.description, 'A token');
  t.deepEqual(good.traits, [
    { name: 'Colour', value: 'red' },
    { name: '', value: '7' },
  ]);
  const expected: Record<number, readonly [string, RegExp | null]> = {
    2: ['found', /picture: the content is not a PNG/],
    3: ['found', /picture: .*public IP/],
    4: ['found', /picture: the URI must start with/],
    5: ['failed', /redirects/],
    6: ['failed', /JSON/],
    7: ['failed', /not a JSON object/],
    8: ['failed', /maximum size/],
    9: ['failed', /status.*404/],
    10: ['failed', /public IP/],
    11: ['failed', /must start with data/],
    12: ['none', null],
    13: ['found', null],
    14: ['found', null],
    15: ['found', null],
    16: ['failed', /needs more than 30000000 gas/],
  };
  for (const [id, [state, error]] of Object.entries(expected)) {
    const metadata = found.get(Number(id));
    t.is(metadata.state, state, id);
    if (error) t.regex(metadata.error, error, id);
    else t.is(metadata.error, null, id);
  }
  t.is(found.get(13).name, 'thirteen');
  t.is(found.get(14).name, 'from IPFS');
  t.is(await fetchRequested(), 0, 'a failed token waits a minute');
});

test.serial('metadata is fetched only of tokens that exist, and only while there is room', async (t) => {
  const { status, body } = await get(`/nfts/${nft}/tokens/999`);
  t.is(status, 404);
  t.regex(body.detail, /token 999/);
  t.is((await get(`/nfts/${nft}/tokens/1`)).status, 200);
  const other = indexed.transfers.find(({ standard }) => standard === 'erc721')!;
  const path = `/nfts/${other.token}/tokens/${other.tokenId}`;
  t.is((await get(path)).body.metadata.state, 'pending');
  t.is(await fetchRequested(1), 1, 'the token that does not exist was not requested');
  const { metadata } = (await get(path)).body;
  t.is(metadata.state, 'failed');
  t.regex(metadata.error, /no more room/);
});

test.serial('pictures have the type of their content, and run nothing', async (t) => {
  const picture = await fetch(`${indexed.api.origin}/api/v1/nfts/${nft}/tokens/1/picture`);
  t.is(picture.headers.get('content-type'), 'image/png', 'although the host said text/html');
  t.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
  const svg = await fetch(`${indexed.api.origin}/api/v1/nfts/${nft}/tokens/15/picture`);
  t.is(svg.headers.get('content-type'), 'image/svg+xml');
  t.regex(svg.headers.get('content-security-policy') ?? '', /default-src 'none';.*sandbox/);
  t.is(svg.headers.get('x-content-type-options'), 'nosniff');
  t.is((await get(`/nfts/${nft}/tokens/2/picture`)).status, 404);
});

test.serial('pages show picture, traits, owner and history of one token', async (t) => {
  const page = await readPage(indexed.api, `/nft/${nft}?id=1`);
  t.deepEqual(findForeignContent(page), []);
  const { text } = page;
  for (const part of ['Colour', 'red', 'Owner', 'History']) t.true(text.includes(part), part);
  const { body } = await get(`/tokens/${nft}/transfers?tokenId=3`);
  t.deepEqual(
    body.items.map((row: { tokenId: string }) => row.tokenId),
    ['3'],
  );
  t.is((await get(`/tokens/${nft}/transfers?tokenId=x`)).status, 400);
  const held = (await get(`/accounts/${owner}/nfts?limit=50`)).body.items;
  const own = held.find((row: { contract: string; tokenId: string }) => row.contract === nft && row.tokenId === '1');
  t.is(own.metadata.picture, `/api/v1/nfts/${nft}/tokens/1/picture`);
  for (const path of [`/nft/${nft}`, `/address/${owner}?tab=nfts`, `/address/${owner}?tab=nfts&standard=erc1155`])
    t.deepEqual(findForeignContent(await readPage(indexed.api, path)), [], path);
});

test.serial('ERC-1155 tokens of an account are listed with amounts', async (t) => {
  const sums = new Map<string, bigint>();
  const { multi } = indexed.chain.world;
  for (const { token, standard, from, to, tokenId, value } of indexed.transfers) {
    if (standard !== 'erc1155' || token !== multi) continue;
    for (const [who, change] of [[from, -value] as const, [to, value] as const])
      sums.set(`${who} ${tokenId}`, (sums.get(`${who} ${tokenId}`) ?? 0n) + change);
  }
  const [holder = ''] = [...sums].find(([, sum]) => sum > 0n)?.[0].split(' ') ?? [];
  const expected = [...sums].filter(([key, sum]) => key.startsWith(holder) && sum > 0n);
  const { body } = await get(`/accounts/${holder}/nfts?standard=erc1155&limit=100`);
  t.deepEqual(
    new Map(
      body.items.map((row: { tokenId: string; amount: string }) => [`${holder} ${row.tokenId}`, BigInt(row.amount)]),
    ),
    new Map(expected),
  );
});

test.serial('metadata that cannot be read again stays as it was', async (t) => {
  const { database } = indexed.pipeline.deps;
  const makeOld = () =>
    database.command(`INSERT INTO nft_metadata SELECT * REPLACE (fetched_at - INTERVAL 8 DAY AS fetched_at, version + 1 AS version)
    FROM nft_metadata FINAL WHERE contract = unhex('${nft.slice(2)}') AND token_id = 1`);
  await makeOld();
  host.paths.set('/p.png', (_, response) => response.writeHead(503).end());
  const renamed = JSON.stringify({ name: 'Renamed', description: 'A token', image: host.url('/p.png') });
  host.paths.set('/good', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(renamed),
  );
  await fetchRequested();
  const refreshed = (await get(`/nfts/${nft}/tokens/1`)).body.metadata;
  t.regex(refreshed.error, /picture: .*503/);
  t.is(refreshed.name, 'Renamed', 'what could be read is stored');
  const picture = await fetch(`${indexed.api.origin}/api/v1/nfts/${nft}/tokens/1/picture`);
  t.deepEqual(Buffer.from(await picture.arrayBuffer()), png, 'the stored picture stays if only its host fails');
  await database.command(`INSERT INTO nft_metadata SELECT * REPLACE ('' AS error, 0 AS attempts, version + 1 AS version)
    FROM nft_metadata FINAL WHERE contract = unhex('${nft.slice(2)}') AND token_id = 1`);
  await makeOld();
  host.paths.set('/good', (_, response) => response.writeHead(404).end());
  await fetchRequested(1); // no space left for the document
  const good = { state: 'found', description: 'A token', picture: `/api/v1/nfts/${nft}/tokens/1/picture` };
  t.like((await get(`/nfts/${nft}/tokens/1`)).body.metadata, { ...good, error: null });
  await fetchRequested();
  const { metadata } = (await get(`/nfts/${nft}/tokens/1`)).body;
  t.like(metadata, good);
  t.regex(metadata.error, /404/);
  t.true(Date.now() - Date.parse(metadata.fetchedAt) < 60_000, 'the next attempt waits');
});

test.serial('many requests of one contract do not delay those of another', async (t) => {
  const { database } = indexed.pipeline.deps;
  await indexed.pipeline.stop();
  const insert = (contract: string, ids: string, age: number) =>
    database.command(
      `INSERT INTO nft_requests (contract, token_id, standard, requested_at) SELECT unhex('${contract.repeat(20)}'), number, 'erc1155', now() - ${age} FROM ${ids}`,
    );
  await insert('aa', 'numbers(200)', 0);
  await insert('bb', 'numbers(1)', 60);
  const wanted = await database.read('nft_to_fetch', { max_bytes: 1_000_000_000, limit: 40 });
  t.is(wanted.length, 40);
  t.true(wanted.some(({ contract_hex }) => contract_hex.startsWith('0xbbbb')));
});
