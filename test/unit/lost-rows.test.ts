import { ClickHouseError } from '@clickhouse/client';
import test from 'ava';
import { hideLost } from '#pipeline/store/lost-rows.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { StoreError } from '#sql/store-error.ts';

const overMemory = new ClickHouseError({
  message: 'memory limit exceeded',
  code: '241',
  type: 'MEMORY_LIMIT_EXCEEDED',
});

/** Database whose checks run out of memory above `mostBlocks` blocks. The first smaller check loses its connection. */
function makeDatabase(mostBlocks: number) {
  const compared: string[] = [];
  let isAway = true;
  const check = async ({ follow_from, finalized }: { follow_from: number; finalized: number }) => {
    const blocks = finalized - follow_from + 1;
    if (blocks > mostBlocks) throw new StoreError('a check', true, { cause: overMemory });
    if (isAway) {
      isAway = false;
      throw new StoreError('a check: no connection', true);
    }
    compared.push(`${follow_from}-${finalized}`);
    return [];
  };
  const database = {
    read: async (name: unknown) => {
      if (name === 'recent_ranges') return [{ from_block: '0', to_block: '399' }];
      return new Promise(() => {}); // repeated forever
    },
    retryingFor: () => ({ read: (_: unknown, parameters: never) => check(parameters) }),
  };
  return { database, compared };
}

test('lost rows are searched in fewer blocks at once where a statement needs too much memory', async (t) => {
  const { database, compared } = makeDatabase(100);
  const warnings: unknown[] = [];
  const log = Object.assign(Object.create(silentLog), { warn: (fields: unknown) => void warnings.push(fields) }) as Log;
  const deps = { database, log, signal: new AbortController().signal };
  const parts = { deps, store: { state: {} } } as unknown as Parameters<typeof hideLost>[0];
  await hideLost(parts, 0);
  const checks = compared.length / 4;
  t.true(checks >= 1);
  const ranges = ['0-99', '100-199', '200-299', '300-399'];
  t.deepEqual(
    compared,
    ranges.flatMap((range) => Array.from({ length: checks }, () => range)),
  );
  t.deepEqual(warnings, []);
});
