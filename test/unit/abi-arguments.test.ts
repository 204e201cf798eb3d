/** Argument texts that visitors enter for a contract function. */
import test from 'ava';
import { ParamType } from 'ethers';
import { parseArgument } from '#api/pages/contract/abi-values.ts';
import { ApiProblem } from '#api/terms/errors.ts';
import { parseAddress } from '#api/terms/parse-address.ts';

const parse = (type: string, text: string) => parseArgument(ParamType.from(type), text);
const refuses = (type: string, text: string) => {
  try {
    parse(type, text);
    return undefined;
  } catch (error) {
    return error instanceof ApiProblem ? error.detail : String(error);
  }
};

const checksummed = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test('an address with a wrong checksum is refused, also inside lists and structs', (t) => {
  t.is(parse('address to', checksummed), checksummed.toLowerCase());
  t.is(parse('address to', checksummed.toLowerCase()), checksummed.toLowerCase());
  const mistyped = checksummed.replace('C8', 'C9');
  t.truthy(refuses('address to', mistyped));
  t.truthy(refuses('address[] list', `["${mistyped}"]`));
  t.truthy(refuses('tuple(address to, uint256 value) order', `{"to": "${mistyped}", "value": 1}`));
  t.throws(() => parseAddress(mistyped, 'Sender'), { instanceOf: ApiProblem, message: /Sender/ });
});

test('texts and structs reach the contract as they were entered', (t) => {
  t.is(parse('string name', ' a '), ' a ');
  t.is(parse('uint256 value', ' 7 '), 7n);
  const type = 'tuple(uint256 a, uint256 b) pair';
  t.deepEqual(parse(type, '[1, 2]'), [1n, 2n]);
  t.deepEqual(parse(type, '{"b": 2, "a": 1}'), [1n, 2n]);
  for (const wrong of ['[1, 2, 3]', '[1]', '{"a": 1, "c": 2}', '{"a": 1, "b": 2, "c": 3}', '"1"', 'null'])
    t.regex(refuses(type, wrong)!, /pair/, wrong);
});

test('numbers and addresses in lists may be hex, also without quotes', (t) => {
  const account = `0x${'ab'.repeat(20)}`;
  t.deepEqual(parse('uint256[]', '[0x10, 7, "0x1F"]'), [16n, 7n, 31n]);
  t.deepEqual(parse('address[]', `[${account}]`), [account]);
});
