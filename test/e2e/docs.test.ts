/**
 * Runs the code blocks of README.md and docs that are marked with `run`, against `cordscan start` on other ports, and compares
 * the replies that the pages show.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import PQueue from 'p-queue';
import { passwordFileIn, readPassword } from '#runtime/engine-password.ts';
import { type BlockRun, runBlocks, type Shell } from '#test/helpers/docs-shell.ts';
import { freePort, scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { compareReply } from '#test/helpers/shown-reply.ts';
import { type CodeBlock, parsePage } from '../../scripts/markdown.ts';

const root = join(import.meta.dirname, '../..');
const isRun = ({ mark }: CodeBlock) => /^run(-until: |$)/.test(mark);
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
const pages = ['README.md', ...guides.filter((name) => name.endsWith('.md')).sort()]
  .map((name) => ({ name, blocks: parsePage(readFileSync(join(root, name), 'utf8')).blocks }))
  .filter(({ blocks }) => blocks.some(isRun));

const documentedPorts = { PORT: 3000, EDGE_PORT: 3001, METRICS_PORT: 3002, CLICKHOUSE_PORT: 8123, DEVCHAIN_PORT: 8545 };

/** Number of pages that run at once. With all pages at once, a busy machine answers some requests too late. */
const turns = new PQueue({ concurrency: 8 });
let shell: Shell;
let stop: () => Promise<void> = async () => {};
test.after.always(() => stop());

test.before(async () => {
  const folder = await scratchFolder('cordscan-docs');
  const ports = await Promise.all(
    Object.entries(documentedPorts).map(async ([name, documented]) => ({ name, documented, port: await freePort() })),
  );
  const portByName = Object.fromEntries(ports.map(({ name, port }) => [name, String(port)]));
  const env = {
    ...portByName,
    ...{ DATA_DIR: join(folder, 'data'), CURL_HOME: folder, RPC_URL: '', CLICKHOUSE_URL: '', LOG_LEVEL: 'info' },
    // one caller gets half of the export slots, and all pages run as one caller
    EXPORTS_AT_ONCE: '64',
  };
  for (const name of ['bin', 'node_modules', 'package.json', 'docs'])
    await symlink(join(root, name), join(folder, name));
  // an HTTP error must fail a code block, and curl's progress must not hide its messages
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\nmax-time = 60\n');
  const child = spawnCordscan(['start'], env);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${portByName['PORT']}`;
  const adapt = (text: string) =>
    ports.reduce(
      (adapted, { documented, port }) => adapted.replaceAll(`127.0.0.1:${documented}`, `127.0.0.1:${port}`),
      text,
    );
  await waitFor(() => isComplete(origin), 180_000, 'the service has indexed the dev chain');
  const password = readPassword(passwordFileIn(env.DATA_DIR));
  const sqlClient = `curl -u 'default:${password}' 'http://127.0.0.1:${portByName['CLICKHOUSE_PORT']}/?database=cordscan' --data-binary @-`;
  shell = { folder, env, adapt, sqlClient };
});

async function isComplete(origin: string): Promise<boolean> {
  const ask = async (path: string) =>
    (await fetch(`${origin}/api/v1${path}`).catch(() => undefined))?.json() as Promise<Row>;
  const [stats, price] = await Promise.all([ask('/stats'), ask('/nativefat/price')]);
  return stats?.index?.complete === true && typeof price?.price === 'string';
}
// biome-ignore lint/suspicious/noExplicitAny: only two fields are read
type Row = any;

for (const { name, blocks } of pages) {
  test(`${name}: its commands run and return what it shows`, async (t) => {
    const runs = await turns.add(() => runBlocks(shell, name, blocks.filter(isRun)));
    for (const run of runs) assertDone(t, name, run);
    for (const [i, block] of blocks.entries()) {
      if (block.mark !== 'reply') continue;
      const run = runs.find((each) => each.block === blocks.slice(0, i).findLast(isRun));
      const shown = shell.adapt(block.text);
      const output = block.language === 'text' ? `${run?.stdout}\n${run?.stderr}` : (run?.stdout ?? '');
      t.deepEqual(
        compareReply(block.language ?? '', shown, output),
        [],
        `${name}:${block.line}: ${output.slice(0, 2_000)}`,
      );
    }
  });
}

function assertDone(t: ExecutionContext, name: string, { block, isDone, stdout, stderr }: BlockRun): void {
  // curl -o writes the reply of a failed request into the file
  const files = isDone ? [] : [...block.text.matchAll(/ -o (\S+)/g)].map((match) => readReply(match[1]!));
  const output = [stdout, stderr, ...files].map((text) => text.slice(-2_000)).join('\n');
  t.true(isDone, `${name}:${block.line} failed:\n${block.text}\n${output}`);
}

function readReply(file: string): string {
  const path = join(shell.folder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
