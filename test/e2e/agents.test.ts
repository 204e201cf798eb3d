import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import test from 'ava';
import { Interface } from 'ethers';
import { sampleManifest } from '#devchain/sample-documents.ts';
import { devTestimonyContract } from '#devchain/testimony.ts';
import { devValidators } from '#devchain/validators.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { toDocument } from '#test/helpers/manifests.ts';
import { waitForSourceCache } from '#test/helpers/registry-chain.ts';
import { chainId, headReader } from '#test/helpers/service.ts';
import { startNodeWithMethods } from '#test/helpers/x-node.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;

const events = new Interface([
  'event AgentRegistered(address indexed agent, bytes32 indexed entity, string name, string uri)',
  'event AgentRetired(address indexed agent)',
  'event Testified(address indexed agent, uint256 indexed anchor, bytes32 indexed subject, bytes32 digest, string uri)',
]);

let indexed: IndexedChain;
let node: Awaited<ReturnType<typeof startNodeWithMethods>>;
let told: Row[];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 130, seed: 91 }, {}, () => ({
    testimonyContract: devTestimonyContract(),
  }));
  told = indexed.blocks.flatMap((block) =>
    block.logs
      .filter((log) => log.address === devTestimonyContract())
      .map((log) => ({
        ...log,
        time: block.time,
        event: events.parseLog({ topics: [...log.topics], data: log.data })!,
      })),
  );
  const manifest = sampleManifest(indexed.chain.world, chainId, '2026-11-21T00:00:00Z');
  await importManifest(indexed.pipeline.deps, toDocument(manifest), { chainId });
  await waitForSourceCache();
});

test.after.always(async () => {
  await node?.stop();
  await indexed?.stop();
});

const get = (path: string) => indexed.api.get(`/api/v1${path}`);
const walk = async (path: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await get(`${path}${cursor && `&cursor=${cursor}`}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    rows.push(...body.items);
    cursor = body.nextCursor;
    if (!body.hasMore) return rows;
  }
};

test.serial('4.2 AI agents report profile, status and figures from the events of the contract', async (t) => {
  const named = (name: string) => told.filter(({ event }) => event.name === name);
  const agents = new Map<string, Row>();
  for (const log of named('AgentRegistered')) {
    const address = log.event.args.agent.toLowerCase();
    const { entity, name, uri } = log.event.args;
    agents.set(address, { first: log, ...agents.get(address), entity, name, uri, last: log });
  }
  const retired = new Set(named('AgentRetired').map(({ event }) => event.args.agent.toLowerCase()));
  t.true(agents.size >= 5 && retired.size === 1);
  const rows = await walk('/ai-agents?limit=2');
  t.is(rows.length, agents.size);
  for (const row of rows) {
    const own = agents.get(row.address);
    const testimonies = named('Testified').filter(({ event }) => event.args.agent.toLowerCase() === row.address);
    t.like(row, {
      entity: own.entity,
      name: own.name,
      uri: own.uri,
      testimonies: testimonies.length,
      registeredBlock: own.first.block,
      registered: own.first.time,
    });
    t.is(row.status, retired.has(row.address) ? 'retired' : 'active');
    t.is(row.lastTestimonyBlock, testimonies.at(-1)?.block ?? null);
    t.true(row.labels.some((label: Row) => label.entity === own.entity && label.category === 'agent'));
  }
  t.is((await get('/ai-agents?status=retired')).body.total, 1);
  for (const status of ['active', 'retired']) {
    const few = rows.filter((row) => row.status === status).map((row) => row.address);
    const found = await walk(`/ai-agents?limit=1&status=${status}`);
    t.deepEqual(
      found.map((row) => row.address),
      few,
    );
    t.is((await get(`/ai-agents?limit=1&status=${status}`)).body.total, few.length);
  }
  t.is((await get('/ai-agents?limit=1')).body.total, agents.size);
  t.is((await get('/ai-agents')).body.source, devTestimonyContract());
});

test.serial('4.2 testimonies are listed in chain order, all or by agent, anchor and subject', async (t) => {
  const expected = told.filter(({ event }) => event.name === 'Testified').reverse();
  const ids = (rows: Row[]) => rows.map((row) => row.id ?? `${row.txHash}:${row.logIndex}`);
  t.true(expected.length > 20);
  const rows = await walk('/testimonies?limit=7');
  t.deepEqual(ids(rows), ids(expected));
  const names = new Map(
    told
      .filter(({ event }) => event.name === 'AgentRegistered')
      .map(({ event }) => [event.args.agent, event.args.name]),
  );
  for (const [i, row] of rows.entries()) {
    const { args } = expected[i].event;
    t.like(row, {
      agentName: names.get(args.agent) ?? null,
      anchor: String(args.anchor),
      subject: args.subject,
      digest: args.digest,
      uri: args.uri,
      timestamp: expected[i].time,
    });
  }
  const { args } = expected[4].event;
  const filters: [string, (row: Row) => boolean][] = [
    [`agent=${args.agent}`, ({ event }) => event.args.agent === args.agent],
    [`anchor=${args.anchor}`, ({ event }) => event.args.anchor === args.anchor],
    [`subject=${args.subject}`, ({ event }) => event.args.subject === args.subject],
    [
      `agent=${args.agent}&subject=${args.subject}`,
      ({ event }) => event.args.agent === args.agent && event.args.subject === args.subject,
    ],
  ];
  for (const [query, fits] of filters)
    t.deepEqual(ids(await walk(`/testimonies?limit=3&${query}`)), ids(expected.filter(fits)), query);
});

test.serial('4.5 tokenized assets combine the manifest with the state of their contracts', async (t) => {
  await waitForTokens(indexed);
  const rows = await walk('/tokenized/assets?limit=2');
  const manifest = sampleManifest(indexed.chain.world, chainId, '');
  t.deepEqual(
    rows.map((row) => row.label).sort(),
    manifest.entities
      .filter(({ kind }) => kind === 'asset')
      .map(({ label }) => label)
      .sort(),
  );
  for (const row of rows) {
    if (row.address === null) t.is(row.token, null);
    else {
      const { index: _, ...token } = (await get(`/tokens/${row.address}`)).body;
      t.like(row.token, {
        address: token.address,
        holders: token.holders,
        transfers: token.transfers,
        symbol: token.symbol,
      });
      t.is(row.token.transfers, indexed.transfers.filter((one) => one.token === row.address).length);
    }
  }
});

test.serial('4.2 validators list producers, then the set and schedule of the node', async (t) => {
  const producers = new Map<string, number>();
  for (const { miner } of indexed.blocks) producers.set(miner, (producers.get(miner) ?? 0) + 1);
  const { body } = await get('/validators');
  t.deepEqual(
    Object.fromEntries(body.items.map((item: Row) => [item.address, item.blocks])),
    Object.fromEntries(producers),
  );
  t.true(body.items.every((item: Row) => item.missed === null && item.status === 'producer'));
  t.true(body.items.some((item: Row) => item.labels[0]?.label === 'Validator 1'));
  const idle = `0x${'77'.repeat(20)}`;
  let reply: Row = {
    validators: devValidators.map((address, i) => ({ address, name: `v${i}` })),
    schedule: 'round-robin',
  };
  node = await startNodeWithMethods(indexed.chain.rpc.url, { x_getValidators: () => reply });
  const { database } = indexed.pipeline.deps;
  const api = await node.api(database, { validatorsMethod: 'x_getValidators' });
  const { body: full } = await api.get('/api/v1/validators');
  t.like(full, { schedule: 'round-robin', fault: null, source: 'block producers; x_getValidators' });
  const turns = indexed.blocks.slice(1).map(({ number, miner }) => ({ own: devValidators[number % 4]!, miner }));
  for (const [i, address] of devValidators.entries()) {
    const item = full.items.find((one: Row) => one.address === address);
    const mine = turns.filter(({ own }) => own === address);
    const missed = mine.filter(({ miner }) => miner !== address).length;
    t.like(item, { name: `v${i}`, status: 'active', turns: mine.length, missed });
  }
  t.true(full.items.some((item: Row) => item.missed > 0));
  for (const [answer, fault] of [
    [{ validators: [{ address: 'x' }] }, /invalid reply: expected a list of validators/],
    [{ validators: [{ address: idle }] }, null],
  ] as const) {
    reply = answer;
    const other = await node.api(database, { validatorsMethod: 'x_getValidators' });
    const { body: now } = await other.get('/api/v1/validators');
    if (fault) t.regex(now.fault, fault);
    else
      t.like(
        now.items.find((one: Row) => one.address === idle),
        { status: 'idle', blocks: 0, lastBlock: null, turns: null },
      );
    t.is(now.items.filter((one: Row) => one.blocks > 0).length, producers.size);
  }
});

test.serial(
  '4.2 network config reports the published genesis and finality, and a token list that fits its schema',
  async (t) => {
    const { body } = await get('/network/config');
    t.like(body, { publishedGenesisHash: null, genesisMatches: null, iconUrls: [], blocks: { confirmations: 20 } });
    t.is(body.blocks.reorgPeriod, Math.max(20, body.index.head - body.finality.finalizedBlock));
    const schema = createRequire(import.meta.url)('@uniswap/token-lists/src/tokenlist.schema.json');
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    t.true(validate(body.tokenList), JSON.stringify(validate.errors));
    t.true(body.tokenList.tokens.length >= 4);
    const genesis = indexed.blocks[0]!.hash;
    for (const [published, matches] of [
      [genesis, true],
      [`0x${'1'.repeat(64)}`, false],
    ] as const) {
      const api = await node.api(indexed.pipeline.deps.database, { genesisHash: published });
      t.like((await api.get('/api/v1/network/config')).body, {
        genesisHash: genesis,
        publishedGenesisHash: published,
        genesisMatches: matches,
      });
      t.is((await api.get('/api/v1/integration/self-check')).body.passed, matches);
    }
  },
);

test.serial('4.14 rules of the chain are published, and a self-check asks only configured nodes', async (t) => {
  const { body: rules } = await get('/integration/rules');
  t.like(rules, { chainId: '0x425d4', genesisHash: indexed.blocks[0]!.hash, requiredConfirmations: 20 });
  t.deepEqual(
    rules.nodePaths.map((one: Row) => one.path),
    ['A', 'B', 'C'],
  );
  const { body: certificate } = await get('/integration/self-check');
  t.true(certificate.passed, JSON.stringify(certificate.checks));
  t.is(certificate.checks.length, 5);
  t.deepEqual(certificate.nodes, ['writer', 'read-0']);
  for (const asked of ['http://169.254.169.254/', 'read-9', indexed.chain.rpc.url])
    t.is((await get(`/integration/self-check?node=${encodeURIComponent(asked)}`)).status, 400, asked);
});

test.serial('2.6 nametag returns names of addresses to clients of the compatible interface', async (t) => {
  const ask = async (address: string) =>
    (await indexed.api.get(`/api?module=nametag&action=getaddresstag&address=${address}`)).body;
  const { world } = indexed.chain;
  const { status, result } = await ask(`${world.pair},0x${'12'.repeat(20)},${world.accounts[3]}`);
  t.is(status, '1');
  t.like(result[0], {
    address: world.pair,
    nametag: 'WFAT/USDX pair',
    labels: ['dex'],
    labels_slug: ['dex'],
    reputation: 0,
  });
  t.is(result[1].nametag, 'Dev account 3');
  t.is(result.length, 2);
  t.like(await ask(`0x${'12'.repeat(20)}`), { status: '0', message: 'No records found' });
});

test.serial('4.3 reorged anchors are listed with their replacements', async (t) => {
  await indexed.chain.mineLive(3);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  const head = await headReader(indexed.chain)();
  const removed = await Promise.all(
    [head - 1, head].map((n) => indexed.chain.rpc.call<Row>('eth_getBlockByNumber', [`0x${n.toString(16)}`, false])),
  );
  await indexed.chain.reorg(2);
  await indexed.chain.mineLive(1);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  const seen = async () => (await get('/strings?type=reorged')).body.items;
  for (let i = 0; i < 100 && (await seen()).length < 2; i++) await waitForSourceCache();
  const rows = await walk('/strings?type=reorged&limit=1');
  t.deepEqual(
    rows.map((row) => row.hash),
    removed.map((block) => block.hash).reverse(),
  );
  for (const [i, row] of rows.entries()) {
    const old = removed.at(-1 - i);
    const now = await indexed.chain.rpc.call<Row>('eth_getBlockByNumber', [old.number, false]);
    t.like(row, {
      number: Number(old.number),
      parentHash: old.parentHash,
      transactionCount: old.transactions.length,
      canonical: false,
      replacedBy: now.hash,
    });
  }
  t.is((await get(`/strings?type=reorged&to=${head - 1}`)).body.items.length, 1);
  t.is((await get('/strings?type=reorged&minTx=1')).status, 400);
});
