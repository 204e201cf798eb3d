import test from 'ava';
import { AbiCoder, id } from 'ethers';
import { describeRevert } from '#api/read/contracts/failure-reason.ts';
import { findEvent, findFunction, parseAbi } from '#api/read/contracts/parse-abi.ts';

const encode = (signature: string, types: string[], values: unknown[]) =>
  id(signature).slice(0, 10) + AbiCoder.defaultAbiCoder().encode(types, values).slice(2);

test('revert data is described: texts, panics, custom errors and data that fits none', (t) => {
  const abi = parseAbi(['error Denied(address account, uint256[] ids)', 'function f()']);
  t.is(describeRevert('0x'), 'no reason given');
  t.is(describeRevert(encode('Error(string)', ['string'], ['too late'])), 'too late');
  t.is(describeRevert(encode('Panic(uint256)', ['uint256'], [17])), 'Panic 0x11: arithmetic overflow or underflow');
  const account = `0x${'12'.repeat(20)}`;
  const denied = encode('Denied(address,uint256[])', ['address', 'uint256[]'], [account, [1, 2]]);
  t.is(describeRevert(denied, abi), `Denied(account: ${account}, ids: 1,2)`);
  t.is(describeRevert(denied), `unknown error ${denied.slice(0, 10)}`);
  t.regex(describeRevert(denied.slice(0, 40), abi), /invalid data|unknown error/);
});

test('an error text that is not UTF-8 is described, not thrown', (t) => {
  const data = encode('Error(string)', ['bytes'], ['0xff80']);
  t.regex(describeRevert(data), /with invalid data/);
});

test('invalid entries of an ABI are left out, and look-ups respect the number of indexed parameters', (t) => {
  const entries = [
    { type: 'function', name: 'transfer', inputs: [{ type: 'no type' }] },
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
    'function balanceOf(address owner) view returns (uint256)',
    null,
  ];
  const abi = parseAbi(entries as Parameters<typeof parseAbi>[0]);
  t.is(findFunction(abi, '0x70a08231')?.name, 'balanceOf');
  t.is(findFunction(abi, '0x00000000'), undefined);
  const topic = id('Transfer(address,address,uint256)');
  t.is(findEvent(abi, [topic, '', ''])?.inputs[2]?.name, 'value');
  t.is(findEvent(abi, [topic, '', '', '']), undefined, 'another number of indexed parameters is another event');
});
