import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      // paths and ports of the container do not depend on .env
      t.like(service.environment, { HOST: '0.0.0.0', PORT: 3000, EDGE_PORT: 3001, DATA_DIR: '/data' }, name);
    }
  });
