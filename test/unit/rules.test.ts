import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { rules } from '../../bench/rules/rules.ts';

test('every safety rule quotes existing source and an existing test', (t) => {
  const root = join(import.meta.dirname, '../..');
  const gone = rules.filter(
    ({ file, from, test }) => !readFileSync(join(root, file), 'utf8').includes(from) || !existsSync(join(root, test)),
  );
  t.deepEqual(
    gone.map(({ rule, file }) => `${rule} in ${file}`),
    [],
  );
});
