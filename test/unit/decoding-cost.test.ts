/** Limits for decoding untrusted data. */
import test from 'ava';
import { AbiCoder, Interface, ParamType } from 'ethers';
import { decodeCall } from '#api/read/contracts/decode/decode.ts';
import { decodingCost, maxDecodingCost } from '#api/read/contracts/decoding-cost.ts';

const kib = (size: number) => `0x${'00'.repeat(1_024 * size)}`;
const cost = (types: string[], size: number) =>
  decodingCost(
    types.map((type) => ParamType.from(type)),
    kib(size),
  );

test('only arrays of dynamic values cost more than their size', (t) => {
  for (const type of ['uint256[]', 'string', 'bytes32[4][]', 'tuple(address a, bytes b)', 'uint256[2][3]'])
    t.is(cost([type], 32), 0, type);
  for (const type of ['string[]', 'bytes[3]', 'uint256[][]', 'tuple(string s, uint256 n)[]', 'tuple(bytes[] all)'])
    t.is(cost([type], 10), 100, type);
  for (const type of ['string[][]', 'tuple(bytes[] all)[]', 'uint256[][][2]']) t.is(cost([type], 10), 800, type);
  t.is(cost(['uint256', 'string[]'], 10), 100, 'the most expensive type counts');
  t.is(cost([], 10), 0);
});

test('data that takes too long to decode stays encoded', (t) => {
  const own = new Interface(['function f(string[][] texts)', 'function g(string[] texts)']);
  const texts = Array.from({ length: 200 }, () => 'text');
  t.is(decodeCall(own.encodeFunctionData('f', [[texts]]), { own }), undefined);
  t.is(decodeCall(own.encodeFunctionData('g', [texts]), { own })?.name, 'g');
  t.is(decodeCall(own.encodeFunctionData('f', [[texts.slice(0, 20)]]), { own })?.name, 'f');
  const { length } = AbiCoder.defaultAbiCoder().encode(['string[][]'], [[texts]]);
  t.true(8 * (length / 2_048) ** 2 > maxDecodingCost);
});
