import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { Wallet } from 'ethers';
import type { DevChain } from '#devchain/devchain.ts';
import { Payouts } from '#integrator/payouts.ts';
import { Store } from '#integrator/store.ts';
import { freePort, runCordscan } from '#test/helpers/processes.ts';
import { startDevChain, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 20 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const settings = (more: Record<string, string>) => ({ RPC_URL: chain.rpc.url, CLICKHOUSE_URL: engine.url, ...more });

test.serial('config shows what is set, masks secrets and describes each setting', async (t) => {
  const env = { RPC_URL: 'https://secret-key@node.example', PORT: '3005' };
  const { code, output } = await runCordscan(['config'], env);
  t.is(code, 0);
  t.regex(output, /PORT = 3005 {2}\(environment\)\n +Port/);
  t.regex(output, /RPC_URL = \*{8}/);
  t.false(output.includes('secret-key'));
  t.regex((await runCordscan(['config', '--all'], env)).output, /EDGE_PORT = 3001 {2}\(default\)/);
});

test.serial('doctor names what would fail a start, and the remedy', async (t) => {
  const free = { PORT: String(await freePort()), EDGE_PORT: String(await freePort()) };
  const sound = await runCordscan(['doctor'], { ...settings({}), ...free });
  t.is(sound.code, 0, sound.output);
  t.regex(sound.output, /ok +node 127\.0\.0\.1:\d+: answers, at block \d+/);
  const other = await runCordscan(['doctor'], { ...settings({ CHAIN_ID: '5' }), ...free });
  t.is(other.code, 1);
  t.regex(other.output, /serves chain 271828, CHAIN_ID is 5\n +Set CHAIN_ID=271828/);
  const proxied = await runCordscan(['doctor'], {
    ...settings({ WRITER_URL: chain.rpc.url, RPC_URL: 'http://127.0.0.1:9', CHAIN_ID: '5' }),
    ...free,
  });
  t.regex(proxied.output, /proxied node 127\.0\.0\.1:\d+: serves chain 271828, CHAIN_ID is 5/);
  const away = await runCordscan(['doctor'], { ...settings({ RPC_URL: 'http://127.0.0.1:9' }), ...free });
  t.is(away.code, 1);
  t.regex(away.output, /error +node 127\.0\.0\.1:9: .*\n +Check that the URL is right/);
  const taken = await runCordscan(['doctor'], { ...settings({}), ...free, PORT: new URL(chain.rpc.url).port });
  t.regex(taken.output, /warning +port \d+: another process listens/);
});

test.serial('doctor names a database that accepts connections but never answers', async (t) => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  const free = { PORT: String(await freePort()), EDGE_PORT: String(await freePort()) };
  const { port } = silent.address() as AddressInfo;
  const startedAt = performance.now();
  const asked = settings({ CLICKHOUSE_URL: `http://127.0.0.1:${port}` });
  const { code, output } = await runCordscan(['doctor'], { ...asked, ...free });
  t.true(performance.now() - startedAt < 25_000);
  t.is(code, 1, output);
  t.regex(output, /error +database 127\.0\.0\.1:\d+: does not answer \(Timeout error\.\)/);
});

/** Answers JSON-RPC as the chain does, but has no methods for receipts. */
async function serveWithoutReceipts(): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await buffer(request)).toString());
    const isMissing = String(method).includes('Receipt');
    const reply = isMissing
      ? { error: { code: -32601, message: 'no such method' } }
      : { result: await chain.rpc.call(method, params) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

test.serial('common mistakes end a start with one sentence and the right exit code', async (t) => {
  const page = createServer((_, response) => response.end('<html>Welcome</html>')).listen(0, '127.0.0.1');
  const old = await serveWithoutReceipts();
  t.teardown(() => {
    page.close();
    old.stop();
  });
  const away = 'http://127.0.0.1:9';
  const wrong = engine.url.replace(/:[^:@]*@/, ':wrong@');
  const htmlUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const mistakes: [env: Record<string, string>, code: number, text: RegExp][] = [
    [{ RPC_URL: htmlUrl }, 2, /^node \S+ does not speak JSON-RPC \(.*\): set RPC_URL to the JSON-RPC endpoint/],
    [{ RPC_URL: away }, 1, /^node \S+ does not answer \(.*ECONNREFUSED.*\): check that the URL is right/],
    [{ RPC_URL: old.url }, 2, /^node \S+ serves no receipts: use a node that has eth_getBlockReceipts/],
    [{ CHAIN_ID: '5' }, 2, /^node \S+ serves chain 271828, CHAIN_ID is 5: set CHAIN_ID=271828/],
    [
      { CLICKHOUSE_URL: away },
      1,
      /^database \S+ does not answer \(.*ECONNREFUSED.*\): start it, or correct CLICKHOUSE_URL/,
    ],
    [{ CLICKHOUSE_URL: wrong }, 2, /^database \S+ rejects the user or password: correct them in CLICKHOUSE_URL/],
    [
      { PORT: new URL(chain.rpc.url).port },
      2,
      /: PORT: \S+ is taken by another process: stop it, or set PORT to a free port/,
    ],
    [{ START_BLOK: '5' }, 2, /: START_BLOK is unknown: did you mean START_BLOCK\?/],
    [{ DATA_DIR: '/dev/null/data' }, 1, /^disk is not writable in \S+ \(.*\): make the directory writable/],
  ];
  await Promise.all(
    mistakes.map(async ([env, code, text]) => {
      const ports = { PORT: String(await freePort()), EDGE_PORT: String(await freePort()) };
      const ended = await runCordscan(['start'], { ...settings({}), ...ports, LOG_FORMAT: 'text', ...env });
      t.is(ended.code, code, ended.output);
      t.regex(ended.output, text);
      t.is(ended.output.trim().split('\n').length, 1, ended.output);
    }),
  );
});

test.serial('a failed command writes one JSON line where it has no terminal', async (t) => {
  const wrong = engine.url.replace(/:[^:@]*@/, ':wrong@');
  const { code, output } = await runCordscan(['index'], settings({ CLICKHOUSE_URL: wrong }));
  t.is(code, 2);
  t.like(JSON.parse(output), { level: 60, name: 'index', event: 'command_failed', exitCode: 2 });
  t.regex(JSON.parse(output).msg, /^ClickHouse at \S+ rejects the user or password: correct them in CLICKHOUSE_URL$/);
});

test.serial('a store that another process has open is named', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'cordscan-store-'));
  const store = await Store.open(directory);
  const env = settings({ LOG_FORMAT: 'text' });
  const { code, output } = await runCordscan(['integrator', 'books', '--store', directory], env);
  await store.close();
  await rm(directory, { recursive: true });
  t.is(code, 1);
  t.regex(output, /is open in another process: stop that process, or set --store to another directory\n$/);
  t.is(output.trim().split('\n').length, 1, output);
});

test.serial('commands of another chain end with one sentence', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'cordscan-chains-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const [addresses, books] = [join(directory, 'addresses'), join(directory, 'books')];
  await writeFile(addresses, chain.world.accounts[0]!);
  const store = await Store.open(books);
  await new Payouts(store).bindTo({ chainId: 5, genesisHash: `0x${'5'.repeat(64)}` });
  await store.close();
  const services = ['--edge', chain.rpc.url, '--api', 'http://127.0.0.1:9'];
  const env = settings({ LOG_FORMAT: 'text', WALLET_KEY: Wallet.createRandom().privateKey });
  const commands: [args: string[], env: Record<string, string>, text: RegExp][] = [
    [
      ['deposits', '--store', join(directory, 'deposits'), '--addresses', addresses],
      { CHAIN_ID: '5' },
      /^the edge serves chain 271828, expected CHAIN_ID 5: correct --edge or CHAIN_ID\n$/,
    ],
    [
      ['withdrawals', '--store', books, '--requests', join(directory, 'requests')],
      {},
      /^the store belongs to chain 5 with genesis 0x5+, but this is chain 271828 with genesis 0x[0-9a-f]+: correct --store/,
    ],
  ];
  for (const [args, more, text] of commands) {
    const { code, output } = await runCordscan(['integrator', ...args, ...services], { ...env, ...more });
    t.is(code, 2, output);
    t.regex(output, text);
    t.is(output.trim().split('\n').length, 1, output);
  }
});

test.serial('an error reply of the service ends a mirror with one sentence', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'cordscan-mirror-'));
  const problem = { code: 'indexing', detail: 'the index has no blocks yet' };
  let [status, body] = [404, '<html>'];
  const service = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    service.close();
    await rm(directory, { recursive: true });
  });
  const { port } = service.address() as AddressInfo;
  const args = ['mirror', '--once', '--to', directory, '--url', `http://127.0.0.1:${port}`];
  const run = () => runCordscan(args, settings({ LOG_FORMAT: 'text' }));
  t.deepEqual(await run(), { code: 1, output: 'unknown: status 404\n' });
  [status, body] = [409, JSON.stringify({ ...problem, code: 'snapshot_invalidated' })];
  t.deepEqual(await run(), { code: 1, output: 'snapshot_invalidated: the index has no blocks yet\n' });
  [status, body] = [404, JSON.stringify(problem)];
  t.deepEqual(await run(), { code: 1, output: 'indexing: the index has no blocks yet\n' });
});
