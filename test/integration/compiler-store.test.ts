/** Compilers from a directory and from a server. Only builds with the digest in the list are used. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import test from 'ava';
import { CompilerError, type CompilerSettings, CompilerStore } from '#verification/compilers/compiler-store.ts';

const other = '0.7.6+commit.7338295f';
const nightly = '0.7.7-nightly.2020.12.3+commit.1a2b3c4d';
const file = 'soljson-v0.7.6.js';
const settings: CompilerSettings = { dir: undefined, url: undefined, downloadsDir: '', timeoutMs: 2_000 };
const bundled = new CompilerStore(settings).bundled();
let folder: string;
let downloads: string;
let server: Server;
let url: string;
let requests: string[] = [];

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cordscan-compilers-'));
  downloads = join(folder, 'downloads');
  await cp(bundled.path, join(folder, file));
  await writeList();
  server = createServer(async (request, response) => {
    requests.push(request.url ?? '');
    const bytes = await readFile(join(folder, request.url ?? '')).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404).end(bytes);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.after.always(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeList(digest?: string): Promise<void> {
  const sha256 =
    digest ??
    `0x${createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')}`;
  const builds = [other, nightly].map((longVersion) => ({ path: file, longVersion, sha256 }));
  await writeFile(join(folder, 'list.json'), JSON.stringify({ builds }));
}

const open = (given: Partial<CompilerSettings>) =>
  new CompilerStore({ ...settings, downloadsDir: downloads, ...given });

test.serial('the bundled compiler is found by its short and long version', async (t) => {
  for (const version of [bundled.version, `v${bundled.version}`, bundled.version.split('+')[0]!])
    t.is((await open({}).find(version)).path, bundled.path);
  await t.throwsAsync(open({}).find('0.7.6'), { instanceOf: CompilerError, message: /no Solidity compiler 0\.7\.6/ });
});

test.serial('a download is checked, stored once, and shared by concurrent requests', async (t) => {
  const store = open({ url });
  const found = await Promise.all([store.find('0.7.6'), store.find(other), store.find(`v${other}`)]);
  t.deepEqual(new Set(found.map(({ path }) => path)), new Set([join(downloads, file)]));
  await store.find(other);
  t.deepEqual(requests, ['/list.json', `/${file}`]);
  t.deepEqual(await readdir(downloads), [file]);
  t.deepEqual(await store.versions(), [bundled.version, other]);
  await t.throwsAsync(store.find(nightly), { message: /no Solidity compiler 0\.7\.7-nightly/ });
  t.is((await open({ dir: folder }).find(nightly)).version, nightly, 'the operator may provide it');
});

test.serial('paths of compilers are absolute, also in relative folders', async (t) => {
  const dir = relative(process.cwd(), folder);
  for (const given of [{ dir }, { url, downloadsDir: join(dir, 'more') }])
    t.true(isAbsolute((await open(given).find(other)).path));
});

test.serial('a build with another digest is not used, neither downloaded nor from a directory', async (t) => {
  await rm(downloads, { recursive: true, force: true });
  await writeList(`0x${'0'.repeat(64)}`);
  for (const store of [open({ url }), open({ dir: folder })])
    await t.throwsAsync(store.find(other), { instanceOf: CompilerError, message: /another SHA-256/ });
  t.deepEqual(await readdir(downloads).catch(() => []), []);
  await writeList();
  t.is((await open({ dir: folder }).find(other)).path, join(folder, file));
});

test.serial('a server that does not answer is named, and asked again later', async (t) => {
  requests = [];
  const store = open({ url: `${url}/absent` });
  await t.throwsAsync(store.find(other), { instanceOf: CompilerError, message: /configured server: status 404/ });
  await t.throwsAsync(store.find(other), { instanceOf: CompilerError });
  t.is(requests.length, 2);
  t.deepEqual(await store.versions(), [bundled.version]);
});
