import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { configTable } from '#runtime/config-table.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
const fallbacks = new Map(configTable().map(({ name, fallback }) => [name, fallback]));

/** Formats a number like the table of limits: 6,000, or 1 MiB. */
function written(fallback: string): string[] {
  const number = Number(fallback);
  return [number.toLocaleString('en-US'), `${number / 1024} KiB`, `${number / (1 << 20)} MiB`];
}

test('docs/security.md names existing variables, and its table of limits has their defaults', (t) => {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  const limits = rows.filter((line) => line.split('|').length === 7);
  t.true(limits.length > 15);
  for (const line of limits) {
    const [, , , shown = '', variables = ''] = line.split('|');
    for (const [, name = ''] of variables.matchAll(/`([A-Z_]+)`/g)) {
      const fallback = fallbacks.get(name);
      t.not(fallback, undefined, name);
      if (name === 'ADDRESS_SET_LIMIT' && shown.includes('bytes')) continue; // a derived limit
      t.true(
        written(fallback!).some((form) => shown.includes(form)),
        `${name}: ${shown} is not ${fallback}`,
      );
    }
  }
  for (const [, name = ''] of text.matchAll(/`([A-Z]{3,}_[A-Z_]+)[`=]/g)) t.true(fallbacks.has(name), name);
});
