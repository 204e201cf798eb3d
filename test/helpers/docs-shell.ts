/** Runs the code blocks of a page like a reader: in order, in one shell. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeBlock } from '../../scripts/markdown.ts';

export interface BlockRun {
  readonly block: CodeBlock;
  readonly isDone: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Shell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly adapt: (text: string) => string;
  readonly sqlClient: string;
}

/** Shell function that starts the command like npx, which takes 1.5 s of CPU to find it. */
async function npxFunction(folder: string): Promise<string> {
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `npx() { [ "$1" = cordscan ] && shift && node ${bin.cordscan} "$@"; }`;
}

/** Maximum time of a block that is stopped after it printed its text, s. */
const untilSeconds = 90;

/** Runs the blocks until one ends with an exit code other than 0. */
export async function runBlocks(shell: Shell, name: string, blocks: readonly CodeBlock[]): Promise<BlockRun[]> {
  const base = join(shell.folder, `.${name.replaceAll('/', '-')}`);
  const parts = await Promise.all(blocks.map((block, i) => command(shell, block, `${base}-${i}`)));
  const script = `${base}.sh`;
  await writeFile(script, `set -eu -o pipefail\nset -m\n${await npxFunction(shell.folder)}\n${parts.join('\n')}\n`);
  const child = spawn('bash', [script], { cwd: shell.folder, env: { ...process.env, ...shell.env }, stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  return Promise.all(
    blocks.map(async (block, i) => ({
      block,
      isDone: existsSync(`${base}-${i}.done`),
      stdout: await readFile(`${base}-${i}.out`, 'utf8').catch(() => ''),
      stderr: await readFile(`${base}-${i}.err`, 'utf8').catch(() => ''),
    })),
  );
}

async function command(shell: Shell, { language = 'sh', mark, text }: CodeBlock, base: string): Promise<string> {
  const body = await asShell(shell, language, shell.adapt(text), base);
  const until = /^run-until: (.+)$/.exec(mark)?.[1];
  return until === undefined ? runOnce(body, base) : runUntil(body, shell.adapt(until), base);
}

async function asShell(shell: Shell, language: string, text: string, base: string): Promise<string> {
  if (/^(sh|bash|shell)$/.test(language)) return text;
  const file = `${base}.${{ sql: 'sql', ts: 'mts' }[language] ?? 'mjs'}`;
  await writeFile(file, text);
  if (language === 'sql') return `${shell.sqlClient} < ${file}`;
  return language === 'ts' ? `node --import tsx ${file}` : `node ${file}`;
}

const runOnce = (body: string, base: string) =>
  `{\n${body}\n} > ${base}.out 2> ${base}.err < /dev/null\ntouch ${base}.done`;

function runUntil(body: string, text: string, base: string): string {
  const isShown = `grep -qF -- '${text.replaceAll("'", "'\\''")}' ${base}.out ${base}.err`;
  return `(\n${body}\n) > ${base}.out 2> ${base}.err < /dev/null &
for i in $(seq ${10 * untilSeconds}); do ${isShown} && break; sleep 0.1; done
kill -TERM -- -$! 2> /dev/null || true
while kill -0 -- -$! 2> /dev/null; do sleep 0.1; done
${isShown}
touch ${base}.done`;
}
