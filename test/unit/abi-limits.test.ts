import test from 'ava';
import { readInterfaces } from '#api/read/contracts/interfaces-of.ts';
import type { SourceReadDeps } from '#api/read/contracts/read-source.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';

const code = '0x6001';
const events = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'event', name: `e${i}`, inputs: [], anonymous: false }));

test('ABIs of a request are parsed up to a number of entries, and the rest counts as missing', async (t) => {
  const addresses = [1, 2, 3].map((n) => `0x${String(n).padStart(40, '0')}`);
  const verified = {
    interfaces: async () =>
      new Map(addresses.map((address) => [address, { abi: events(2_500), codeHash: keccak256Hex(code) }])),
  };
  const client = { batch: async (calls: readonly unknown[]) => ({ results: calls.map(() => code) }) };
  const { of, isComplete } = await readInterfaces({ verified, client } as unknown as SourceReadDeps, addresses);
  t.is(of.size, 2);
  t.false(isComplete);
});
