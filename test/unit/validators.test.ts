import test from 'ava';
import { ValidatorReader } from '#api/read/chain/validators.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';

test('blocks before a change of the validators are not judged by the new list', (t) => {
  const reader = new ValidatorReader({} as RpcClient, undefined);
  const listed = (...addresses: string[]) => ({ validators: addresses.map((address) => ({ address })) });
  t.is(reader.getTurnsStart(listed('a', 'b'), 900), 0, 'the first list counts for all blocks');
  t.is(reader.getTurnsStart(listed('a', 'b'), 950), 0);
  t.is(reader.getTurnsStart(listed('a', 'b', 'c'), 1_000), 1_001);
  t.is(reader.getTurnsStart(listed('a', 'b', 'c'), 1_200), 1_001);
  t.is(reader.getTurnsStart(listed('b', 'a', 'c'), 1_300), 1_301, 'the order decides whose turn it is');
});
