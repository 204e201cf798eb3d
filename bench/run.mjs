// `npm run bench -- <name> [options]` runs bench/<name>/main.ts. Without a name, it lists the benches.
// `npm run bench -- all --quick` runs each bench at a small size to check that it works, and stores no figures.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the arguments of each bench for `bench all --quick`, in the order of the runs.
 * @param filled folder that the bench `api` fills and the bench `identity` reads
 */
const quickArguments = (filled) => ({
  api: [
    '--transactions',
    '40000',
    '--requests',
    '10',
    '--only',
    'compatible,queries,sql,exports,pages',
    '--dir',
    filled,
  ],
  identity: ['--dir', filled, '--rows', '5000', '--seconds', '3', '--flood', '100'],
  caches: ['--transactions', '20000', '--requests', '4', '--bursts', '1', '--only', 'totals,pools'],
  crash: ['--kills', '3', '--blocks', '200'],
  deposits: ['--members', '5000', '--polls', '10', '--heads', '5'],
  edge: ['--calls', '100', '--idle', '100', '--active', '50', '--heads', '3'],
  engine: ['--queries', '1000'],
  head: ['--heads', '5'],
  hostile: ['--minutes', '0.5', '--only', 'flood'],
  micro: [],
  mirror: ['--targets', 'parquet', '--blocks', '5', '--kills', '3'],
  pages: ['--requests', '5', '--settle', '0'],
  peers: ['--blocks', '200', '--runs', '1', '--only', 'cordscan'],
  pipeline: ['--blocks', '500', '--runs', '1'],
  readers: ['--readers', '4', '--seconds', '5', '--settle', '0'],
  registry: ['--entities', '500', '--requests', '10'],
  rules: ['--only', '1 tables keep only one'],
  semantic: ['--scale', '--knots', '2000', '--searches', '5'],
  simulation: ['--seeds', '2'],
  supply: ['--requests', '20', '--trades', '500'],
  workers: ['--blocks', '200', '--runs', '1'],
});

const names = readdirSync(import.meta.dirname).filter((entry) =>
  existsSync(join(import.meta.dirname, entry, 'main.ts')),
);
const [name, ...args] = process.argv.slice(2);
if (name === 'all' && args.includes('--quick')) process.exit(runAll());
if (!name || !names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [options], or npm run bench -- all --quick`);
  process.exit(2);
}
process.exit(run(name, args));

/** @returns 0 if all benches succeeded */
function runAll() {
  const filled = mkdtempSync(join(tmpdir(), 'cordscan-quick-'));
  process.once('exit', () => rmSync(filled, { recursive: true, force: true }));
  const failed = Object.entries(quickArguments(filled)).filter(([bench, options]) => {
    const startedAt = Date.now();
    const status = run(bench, options, { BENCH_KEEPS_FIGURES: 'no' });
    console.log(JSON.stringify({ bench, status, seconds: Math.round((Date.now() - startedAt) / 1_000) }));
    return status !== 0;
  });
  return failed.length === 0 ? 0 : 1;
}

function run(bench, options, env = {}) {
  const script = join(import.meta.dirname, bench, 'main.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--expose-gc', script, ...options], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
