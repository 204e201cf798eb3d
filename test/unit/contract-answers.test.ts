import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { AbiCoder, encodeBytes32String, toUtf8Bytes } from 'ethers';
import { ContractReader } from '#api/read/accounts/contract-reader.ts';
import { ApiProblem, orUnknown } from '#api/terms/errors.ts';
import { maxUint256, zeroAddress } from '#chain/codec/hex.ts';
import { decodeBool, decodeStandard, decodeText, decodeUint, maxTextBytes } from '#chain/codec/token-abi.ts';
import { TransportError } from '#chain/errors.ts';
import { askContract } from '#chain/rpc/ask-contract.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';

type Reply = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** @param answer returns undefined to close the connection */
async function startNode(answer: (to: string) => Reply | undefined) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [call] = [JSON.parse(Buffer.concat(parts).toString())].flat();
    asked.push(call.params[0].to);
    const reply = answer(call.params[0].to);
    if (reply) response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...reply }));
    else response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

const openClient = (...urls: string[]) => new RpcClient({ urls, timeoutMs: 2_000, maxInFlight: 2 });
const question = { to: `0x${'1'.repeat(40)}`, data: '0x', block: 1 };
const failed = (code: number, message: string): Reply => ({ error: { code, message } });

test('revert that mentions rate limits or missing methods is a revert', async (t) => {
  const said = [
    [3, 'execution reverted: rate limit exceeded'],
    [3, 'execution reverted: too many requests'],
    [-32000, 'eth_call is not supported'],
    [-32000, 'out of gas'],
    [-32015, 'VM execution error.'],
    [-32003, 'EVM error InvalidFEOpcode'],
  ] as const;
  for (const [code, message] of said) {
    const node = await startNode((to) => (to === zeroAddress ? { result: '0x' } : failed(code, message)));
    const client = openClient(node.url);
    t.is(await askContract(client, question, { retries: 0 }), null, message);
    t.true(client.endpoints[0]!.available, 'the endpoint does not rest for it');
    await client.close();
    node.stop();
  }
});

test('failure of a node to run calls at a height is no answer of the contract', async (t) => {
  for (const [code, message] of [
    [-32000, 'missing trie node 5d2f (path )'],
    [-32000, 'header not found'],
    [-32603, 'Internal error'],
    [-32601, 'the method eth_call does not exist'],
  ] as const) {
    const node = await startNode(() => failed(code, message));
    const client = openClient(node.url);
    await t.throwsAsync(askContract(client, question, { retries: 0 }), { instanceOf: TransportError }, message);
    await client.close();
    node.stop();
  }
});

test('error of a node that can run no calls is no refusal of the contract, whatever another node does', async (t) => {
  const broken = await startNode(() => failed(-32000, 'missing trie node 5d2f (path )'));
  const silent = await startNode((to) => (to === zeroAddress ? { result: '0x' } : undefined));
  const client = openClient(broken.url, silent.url);
  for (let i = 0; i < 3; i++)
    await t.throwsAsync(askContract(client, question, { retries: 0 }), { instanceOf: TransportError });
  await client.close();
  broken.stop();
  silent.stop();
});

test('answer of another node is used when one node fails', async (t) => {
  const broken = await startNode(() => failed(-32005, 'state is pruned'));
  const sound = await startNode((to) => ({ result: to === zeroAddress ? '0x' : `0x${'12'.repeat(32)}` }));
  const client = openClient(broken.url, sound.url);
  for (let i = 0; i < 4; i++) {
    const answer = await askContract(client, question, { retries: 2 }).catch((error: unknown) => error);
    t.true(answer === `0x${'12'.repeat(32)}` || answer instanceof TransportError, String(answer));
    t.not(answer, null, 'never taken for a contract that fails');
  }
  await client.close();
  broken.stop();
  sound.stop();
});

const text = (value: string | Uint8Array) =>
  AbiCoder.defaultAbiCoder().encode(['bytes'], [typeof value === 'string' ? toUtf8Bytes(value) : value]);
const toWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

test('names are cleaned UTF-8 of a string or bytes32; everything else is null', (t) => {
  const cases: [string, string | null, string | null][] = [
    ['string', text('Tether USD'), 'Tether USD'],
    ['bytes32', encodeBytes32String('MKR'), 'MKR'],
    ['bytes32 of 32 bytes', `0x${Buffer.from('a'.repeat(32)).toString('hex')}`, 'a'.repeat(32)],
    [
      'bytes32, text behind the first zero left out',
      `0x${Buffer.from('AB\0CD').toString('hex').padEnd(64, '0')}`,
      'AB',
    ],
    ['bytes32 of zeros', toWord(0n), null],
    ['bytes32 that is no UTF-8', `0x${'ff'.repeat(32)}`, null],
    ['string that is no UTF-8', text(Uint8Array.from([0xc3, 0x28])), null],
    ['overlong UTF-8', text(Uint8Array.from([0xc0, 0x80])), null],
    ['half a surrogate pair in UTF-8', text(Uint8Array.from([0xed, 0xa0, 0x80])), null],
    ['longest that is believed', text('x'.repeat(maxTextBytes)), 'x'.repeat(maxTextBytes)],
    ['a byte longer', text('x'.repeat(maxTextBytes + 1)), null],
    ['a megabyte', text('x'.repeat(1 << 20)), null],
    ['empty string', text(''), null],
    ['blanks and control characters alone', text(' \u0000\u0007\u200b\u202e '), null],
    ['direction marks and zero-width joiners', text('\u202eUSDC\u200d\u2066'), 'USDC'],
    ['markup stays as it is', text('<script>alert(1)</script>'), '<script>alert(1)</script>'],
    ['offset outside of the reply', `${toWord(1n << 200n)}${'00'.repeat(32)}`, null],
    ['offset that overflows', `0x${'ff'.repeat(64)}`, null],
    ['length outside of the reply', `${toWord(32n)}${toWord(1_000n).slice(2)}${'61'.repeat(32)}`, null],
    ['offset alone', `${toWord(32n)}00`, null],
    ['31 bytes', `0x${'61'.repeat(31)}`, null],
    ['33 bytes', `0x${'61'.repeat(33)}`, null],
    ['no code', '0x', null],
    ['half a byte', '0x616', null],
    ['no hex', '0xzz', null],
    ['no reply', null, null],
  ];
  for (const [name, reply, expected] of cases) t.is(decodeText(reply), expected, name);
});

test('numbers are one bounded word; decimals that revert, are too many or too long are null, never a default', (t) => {
  const cases: [string, string | null, bigint | null][] = [
    ['18', toWord(18n), 18n],
    ['zero', toWord(0n), 0n],
    ['255', toWord(255n), 255n],
    ['256', toWord(256n), null],
    ['2^256 - 1', toWord(maxUint256), null],
    ['31 bytes', `0x${'00'.repeat(30)}12`, null],
    ['33 bytes', `${toWord(18n)}00`, null],
    ['two words', `${toWord(18n)}${toWord(0n).slice(2)}`, null],
    ['one byte', '0x12', null],
    ['no code', '0x', null],
    ['reverted', null, null],
    ['text', text('18'), null],
  ];
  for (const [name, reply, expected] of cases) t.is(decodeUint(reply, 255n), expected, name);
  t.is(decodeUint(toWord(maxUint256), maxUint256), maxUint256);
  t.true(decodeBool(toWord(1n)));
  for (const reply of [toWord(0n), toWord(2n), toWord(maxUint256), '0x01', '0x', null, `${toWord(1n)}00`])
    t.false(decodeBool(reply), String(reply).slice(0, 20));
});

test('a contract declares an NFT standard only if it follows EIP-165', (t) => {
  const declared = (yes: readonly string[]) => {
    const reply = (name: string) => toWord(yes.includes(name) ? 1n : 0n);
    const [isErc165, isAnything] = [reply('isErc165'), reply('isAnything')];
    return decodeStandard({ isErc165, isAnything, isErc721: reply('isErc721'), isErc1155: reply('isErc1155') });
  };
  t.is(declared(['isErc165', 'isErc721']), 'erc721');
  t.is(declared(['isErc165', 'isErc1155']), 'erc1155');
  t.is(declared(['isErc165']), undefined);
  t.is(declared(['isErc721', 'isErc1155']), undefined);
  t.is(declared(['isErc165', 'isAnything', 'isErc721', 'isErc1155']), undefined, 'a fallback that says yes to all');
});

test('a token has no supply if its contract fails, and the call fails if no node runs it', async (t) => {
  const token = question.to;
  const reverting = await startNode((to) => (to === zeroAddress ? { result: '0x' } : failed(3, 'execution reverted')));
  const broken = await startNode(() => failed(-32603, 'Internal error'));
  const clients = [openClient(reverting.url), openClient(broken.url)] as const;
  t.is(await new ContractReader(clients[0]).totalSupply(token, 1, '0x1'), null);
  const supply = () => new ContractReader(clients[1]).totalSupply(token, 1, '0x1');
  await t.throwsAsync(supply(), { instanceOf: ApiProblem, message: /no node returned/ });
  t.is(await orUnknown(supply()), null);
  for (const client of clients) await client.close();
  for (const node of [reverting, broken]) node.stop();
});

test('calls at the newest block never go to a node that lags', async (t) => {
  const broken = await startNode(() => undefined);
  const lagging = await startNode(() => ({ result: '0x' }));
  const client = openClient(broken.url, lagging.url);
  client.endpoints[0]!.setHead(5_000);
  client.endpoints[1]!.setHead(3_000);
  await t.throwsAsync(askContract(client, { ...question, block: 'latest' }, { retries: 2 }), {
    instanceOf: TransportError,
  });
  t.is(lagging.asked.length, 0);
  t.is(await askContract(client, question, { retries: 2 }), '0x', 'it has old blocks');
  client.endpoints[1]!.setHead(4_998);
  t.is(await askContract(client, { ...question, block: 'latest' }, { retries: 2 }), '0x', 'it is near the head');
  await client.close();
  broken.stop();
  lagging.stop();
});
