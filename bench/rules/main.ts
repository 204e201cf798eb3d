/**
 * Removes each safety rule from a copy of the program and runs the test that must then fail. A test that still passes
 * does not protect its rule.
 * `npm run bench -- rules [--only text]`
 * Exits with 1 if a test passes without its rule.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report } from '../measure/report.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = join(import.meta.dirname, '../..');
const copied = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && file !== 'node_modules' && existsSync(join(root, file)));
const wanted = rules.filter((rule) => rule.rule.includes(values.only));
const undetected = wanted.filter((rule) => !isDetected(rule));
report(`detected of ${wanted.length} removed rules`, 'count', wanted.length - undetected.length);
process.exit(undetected.length > 0 ? 1 : 0);

function isDetected({ rule, file, from, to, test, match }: Rule): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'cordscan-rules-'));
  try {
    for (const file of copied) cpSync(join(root, file), join(dir, file), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    const text = readFileSync(join(dir, file), 'utf8');
    if (!text.includes(from))
      throw new Error(`${file} does not contain ${JSON.stringify(from)}, which is to be removed (rule: ${rule})`);
    writeFileSync(join(dir, file), text.replace(from, to));
    if (file.endsWith('.sql'))
      spawnSync(process.execPath, ['--import', 'tsx', 'scripts/lock-migrations.ts'], { cwd: dir });
    const args = [join(root, 'node_modules/ava/entrypoints/cli.mjs'), test, ...(match ? ['--match', match] : [])];
    const run = spawnSync(process.execPath, args, {
      cwd: dir,
      encoding: 'utf8',
      timeout: 150_000,
      killSignal: 'SIGINT',
    });
    // a program that can't start also ends with an error, but no test has failed
    const reason = /✘ \[fail\].*|.*[Tt]imed out.*/.exec(run.stdout + run.stderr)?.[0]?.trim() ?? run.error?.message;
    const failed = run.status !== 0 && reason !== undefined;
    console.log(`${failed ? 'detected  ' : 'UNDETECTED'}  ${rule}  ${reason?.slice(0, 110) ?? ''}`);
    return failed;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
