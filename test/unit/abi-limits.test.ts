import test from 'ava';
import { readInterfaces } from '#api/read/contracts/interfaces-of.ts';
import { EntryBudget } from '#api/read/contracts/parse-abi.ts';
import type { SourceReadDeps } from '#api/read/contracts/read-source.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';

const code = '0x6001';
const events = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'event', name: `e${i}`, inputs: [], anonymous: false }));

test('ABIs of a request are parsed up to a number of entries, and the rest counts as missing', async (t) => {
  const addresses = [1, 2, 3].map((n) => `0x${String(n).padStart(40, '0')}`);
  const client = { batch: async (calls: readonly unknown[]) => ({ results: calls.map(() => code) }) };
  const read = async (abis: readonly (readonly unknown[])[]) => {
    const interfaces = async () =>
      new Map(addresses.map((address, i) => [address, { abi: abis[i], codeHash: keccak256Hex(code) }]));
    const deps = { verified: { interfaces }, client } as unknown as SourceReadDeps;
    const { of, isComplete } = await readInterfaces(deps, addresses);
    return [of.size, isComplete];
  };
  t.deepEqual(await read([events(2_500), events(2_500), events(2_500)]), [2, false]);
  t.deepEqual(
    await read([events(8_000), events(10), events(20)]),
    [2, false],
    'a refused ABI takes no place of others',
  );
  const shared = events(3_000);
  t.deepEqual(await read([shared, shared, shared]), [3, true], 'an ABI is parsed once');
  const budget = new EntryBudget();
  const merged = () => budget.admits([events(1), shared]);
  t.deepEqual([merged(), merged()], [true, false], 'a proxy is merged with its implementation each time');
});
