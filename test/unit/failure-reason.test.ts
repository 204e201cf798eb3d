import test from 'ava';
import { AbiCoder, id } from 'ethers';
import { describeRevert, explainRevert } from '#api/read/contracts/failure-reason.ts';
import { mergeAbis } from '#api/read/contracts/interfaces-of.ts';
import { findEvent, findFunction, parseAbi } from '#api/read/contracts/parse-abi.ts';
import {
  errorInterface,
  type Signature,
  type Signatures,
  toFragments,
} from '#api/read/contracts/signatures/signatures.ts';
import { findPictureType } from '#pipeline/nft/picture-type.ts';

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

test('fixed arrays that are too large to decode are left out, so that no declaration exhausts the memory', (t) => {
  const huge = [
    'function f(uint256[100000000] x)',
    'event E(uint8[4096][4096])',
    'error R((uint8[5000] a, bool b)[9])',
  ];
  t.deepEqual(
    parseAbi([...huge, 'function g(uint256[8] x)']).fragments.map((each) => each.format()),
    ['g(uint256[8])'],
  );
  const declared = huge.map(
    (declaration) => ({ declaration, kind: declaration.split(' ')[0], priority: 1 }) as Signature,
  );
  t.deepEqual([...toFragments(declared, 'function'), ...toFragments(declared, 'event')], []);
  t.is(describeRevert('0x738d9be0', errorInterface(declared)), 'unknown error 0x738d9be0');
});

test('an error of another contract names the reason only if no other error has the same selector', (t) => {
  const declared = ['error Denied(address account)', 'error Lie()'].map(
    (declaration) => ({ declaration, kind: 'error', priority: 1 }) as Signature,
  );
  t.is(errorInterface(declared), undefined);
  t.truthy(errorInterface(declared.slice(0, 1)));
});

test('an error that only other contracts declare is marked, and must encode to the same bytes', async (t) => {
  const declaration = 'error Denied(address account)';
  const signatures = {
    lookUp: async (selectors: readonly string[]) =>
      new Map(selectors.map((selector) => [selector, [{ declaration, kind: 'error', priority: 1 }]])),
  } as unknown as Signatures;
  const account = `0x${'12'.repeat(20)}`;
  const denied = encode('Denied(address)', ['address'], [account]);
  const marked = `Denied(account: ${account}), by the declaration of another contract`;
  t.is(await explainRevert(signatures, denied), marked);
  t.is(await explainRevert(signatures, denied, parseAbi([declaration])), `Denied(account: ${account})`);
  for (const other of [`${denied}00`, denied.slice(0, 10), denied.replace('0x', '0X').slice(0, 40)])
    t.regex(await explainRevert(signatures, other), /^(unknown error|error) /);
  const text = encode('Error(string)', ['string'], ['too late']);
  t.is(await explainRevert(signatures, text), 'too late');
});

test('a function of a proxy takes precedence over one with the same selector', (t) => {
  const proxy = [{ type: 'function', name: 'collate_propagate_storage', inputs: [{ type: 'bytes16', name: 'x' }] }];
  const burn = [{ type: 'function', name: 'burn', inputs: [{ type: 'uint256', name: 'x' }] }];
  for (const abis of [
    [proxy, burn],
    [burn, proxy],
  ])
    t.is(findFunction(mergeAbis(abis), '0x42966c68')?.name, abis[0]![0]!.name);
});

test('the type of a picture with many comments is found at once', (t) => {
  const picture = Buffer.from(`<?xml version="1.0"?><!-- a --> <!--b--><svg xmlns="x">`);
  t.is(findPictureType(picture), 'image/svg+xml');
  t.is(findPictureType(Buffer.from('<!---->'.repeat(585))), undefined, 'this took years');
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
  t.is(
    findEvent(abi, [topic, '', '', ''])?.inputs[2]?.name,
    'id',
    'another number of indexed parameters is another event',
  );
  t.is(findEvent(abi, [topic, '']), undefined);
});
