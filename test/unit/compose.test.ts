import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');

interface Service {
  readonly image?: string;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly healthcheck?: { readonly test: readonly string[] };
}

for (const file of ['docker-compose.yml', 'docker-compose.cluster.yml'])
  test(`${file} has no default secrets, few rights, and variables from .env`, (t) => {
    const text = readFileSync(join(root, file), 'utf8');
    t.notRegex(text, /\$\{\w*(PASSWORD|SECRET|KEY|TOKEN)\w*:?-/, 'a secret with a default is known to everybody');
    const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
    for (const [name, service] of Object.entries(services)) {
      t.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      if (/clickhouse/.test(service.image ?? '')) continue;
      t.deepEqual(service.env_file, [{ path: '.env', required: false }], name);
      t.deepEqual(service.cap_drop, ['ALL'], name);
      t.true(service.read_only, name);
      // paths and ports in the container do not depend on .env
      t.like(service.environment, { HOST: '0.0.0.0', PORT: 3000, EDGE_PORT: 3001, DATA_DIR: '/data' }, name);
      // the shell can also set the chain, not only .env
      t.regex(String(service.environment?.CHAIN_ID), /^\$\{CHAIN_ID:-271828\}$/, name);
      if (!name.startsWith('pipeline')) continue;
      t.is(service.environment?.METRICS_PORT, 3002, name);
      t.is(service.healthcheck?.test.at(-1), 'http://127.0.0.1:3002/healthz', name);
    }
  });

test('the files that the image gets are enough to run the command', async (t) => {
  const context = mkdtempSync(join(tmpdir(), 'image-'));
  t.teardown(() => rmSync(context, { recursive: true, force: true }));
  const included = readFileSync(join(root, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
  for (const path of included)
    if (!path.includes('*')) cpSync(join(root, path), join(context, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'));
  const { stdout } = await promisify(execFile)(process.execPath, [join(context, 'bin/cordscan.mjs'), '--help']);
  t.regex(stdout, /Usage: cordscan/);
});
