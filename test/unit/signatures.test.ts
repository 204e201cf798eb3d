import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Interface } from 'ethers';
import { decodeLog } from '#api/read/contracts/decode/decode.ts';
import { findEvent, listEvents, parseAbi } from '#api/read/contracts/parse-abi.ts';
import { describeFragments } from '#api/read/contracts/signatures/describe-fragments.ts';
import { askSignatureServer } from '#api/read/contracts/signatures/signature-server.ts';
import type { Signature, Signatures } from '#api/read/contracts/signatures/signatures.ts';
import { nameEvents } from '#api/read/sql/decoded-events.ts';
import { silentLog } from '#runtime/log.ts';
import { parseSignatures, type SignatureRow } from '#sql/reference-data.ts';
import { waitFor } from '#test/helpers/processes.ts';

test('every bundled signature has the selector of its declaration, and an origin with a licence', (t) => {
  const rows = parseSignatures(readFileSync('sql/reference/signatures.tsv', 'utf8'));
  t.true(rows.length > 2_000);
  for (const { origin, ...row } of rows) {
    t.deepEqual(describeFragments(parseAbi([row.declaration])), [row as never]);
    t.regex(origin, /^\S.* \((MIT|ISC|Apache-2\.0)\)$/);
  }
});

test('anonymous events and overlong declarations of strangers are left out', (t) => {
  const long = `function f(${Array.from({ length: 300 }, (_, i) => `uint256 p${i}`).join(', ')})`;
  t.deepEqual(describeFragments(parseAbi(['event Hidden(uint256 a) anonymous', long])), []);
});

test('a signature server is asked again after an error, and only names with the right selector count', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    if (asked.length === 1) return void response.writeHead(500).end('down');
    const names = (...list: string[]) => list.map((name) => ({ name, filtered: false }));
    const result = {
      '0xa9059cbb': names('transfer(address,uint256)', 'approve(address,uint256)', 'no signature'),
      '0x12345678': null,
    };
    response.end(JSON.stringify({ ok: true, result: { function: result, event: {} } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stored: SignatureRow[] = [];
  const signatures = {
    onUnknown: (_: readonly string[]) => {},
    learn: async (rows: SignatureRow[]) => void stored.push(...rows),
  };
  const stop = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asking = askSignatureServer(
    { signatures: signatures as unknown as Signatures, log: silentLog },
    url,
    stop.signal,
  );
  signatures.onUnknown(['0xa9059cbb', '0x12345678', `0x${'12'.repeat(32)}`]);
  await waitFor(async () => stored.length > 0, 20_000, 'the server names a function');
  signatures.onUnknown(['0x12345678']);
  stop.abort();
  await asking;
  server.close();
  t.deepEqual(
    stored.map(({ signature, origin }) => [signature, origin]),
    [['transfer(address,uint256)', url]],
  );
  t.is(asked.length, 2);
  t.is(new URL(asked[1]!, url).searchParams.get('function'), '0xa9059cbb,0x12345678', 'events are not asked');
});

test('an event is decoded only by declarations whose values encode to the same log', (t) => {
  const right =
    'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 mode, uint256 rate, uint16 indexed code)';
  // an attacker verified a contract with this declaration: the same first topic, other indexed parameters
  const planted = right.replace('address user', 'address indexed user').replace('uint16 indexed', 'uint16');
  const [reserve, user, other] = ['11', '22', '33'].map((digits) => `0x${digits.repeat(20)}`);
  const { topics, data } = new Interface([right]).encodeEventLog('Borrow', [reserve, user, other, 1_000n, 2, 7n, 5]);
  const toSignature = (declaration: string) => ({ kind: 'event', declaration }) as Signature;
  const decode = (...declarations: string[]) =>
    decodeLog({ topics, data }, { signatures: declarations.map(toSignature) });
  t.is(decode(planted), undefined);
  for (const decoded of [decode(right), decode(planted, right)]) {
    t.deepEqual(
      decoded?.values.map(({ value }) => value),
      [reserve, user, other, '1000', '2', '7', '5'],
    );
    t.deepEqual(decoded?.others, []);
  }
  // both declarations match, so the reply lists the other one too
  const pair = new Interface(['event Pair(address indexed a, address b)']).encodeEventLog('Pair', [reserve, user]);
  const both = ['event Pair(address indexed a, address b)', 'event Pair(address a, address indexed b)'];
  const ambiguous = decodeLog(pair, { signatures: both.map(toSignature) });
  t.deepEqual(ambiguous?.others, ['Pair(address,address) with other indexed values']);
});

test('events that differ only in what is indexed are both decoded, and names of overloaded events are stable', (t) => {
  const [fungible, unique] = ['uint256 value', 'uint256 indexed tokenId'].map(
    (last) => `event Transfer(address indexed from, address indexed to, ${last})`,
  );
  const abi = parseAbi([fungible!, unique!, 'event Paid(uint256 amount)', 'event Other()']);
  t.deepEqual(
    listEvents(abi).map(({ inputs }) => inputs.at(-1)?.name),
    ['value', 'tokenId', 'amount', undefined],
  );
  const topic = new Interface([fungible!]).getEvent('Transfer')!.topicHash;
  for (const [count, name] of [
    [3, 'value'],
    [4, 'tokenId'],
  ] as const)
    t.is(findEvent(abi, [topic, ...Array.from({ length: count - 1 }, () => topic)])?.inputs.at(-1)?.name, name);
  t.is(findEvent(abi, [topic, topic]), undefined);
  const names = (...declarations: string[]) => nameEvents(listEvents(parseAbi(declarations))).map(({ name }) => name);
  t.deepEqual(names(fungible!, unique!, 'event Paid(uint256 amount)'), ['Transfer', 'Transfer', 'Paid']);
  const [one, other] = ['event Paid(uint256 amount)', 'event Paid(address to, uint256 amount)'];
  const [first, second] = names(one!, other!);
  t.deepEqual(names(other!, one!), [second, first], 'the order of an ABI does not matter');
  t.regex(first!, /^Paid_[0-9a-f]{8}$/);
});
