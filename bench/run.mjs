// `npm run bench -- <name> [options]` runs bench/<name>/main.ts. Without a name, it lists the benches.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [name, ...args] = process.argv.slice(2);
const names = readdirSync(import.meta.dirname).filter((entry) =>
  existsSync(join(import.meta.dirname, entry, 'main.ts')),
);
if (!name || !names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [options]`);
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--expose-gc', join(import.meta.dirname, name, 'main.ts'), ...args],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
