// Runs `npm ci` if node_modules is missing or package-lock.json has changed, so that `npm start` and `npm test` work on
// a fresh clone. Must not use dependencies.
import '../bin/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules', '.cordscan-lock');
const expected = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';

if (installed !== expected) {
  console.log('installing dependencies with npm ci, the first time and after updates: about a minute ...');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, expected);
}
