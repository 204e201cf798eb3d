import { Readable } from 'node:stream';
import test from 'ava';
import { tokenAmount } from '#api/read/export/sheet.ts';
import type { Movement, Statement } from '#api/read/statements/statement.ts';
import { addStatements } from '#api/read/statements/statement-total.ts';
import { assertFitsCamt, writeCamt, writeCsv, writeNdjson, writeSheet } from '#api/read/statements/write-statement.ts';

const account = `0x${'a'.repeat(40)}`;

const movement = (amount: string): Movement => ({
  ...{ account, blockNumber: 5, txIndex: 0, timestamp: 1_700_000_000, txHash: `0x${'1'.repeat(64)}` },
  ...{ kind: 'transfer', direction: 'in', amount, counterparty: null, token: null, tokenId: '0' },
});

function buildStatement(amount: bigint, changed: Partial<Statement> = {}): Statement {
  const sums = [{ kind: 'transfer' as const, direction: 'in' as const, movements: 1, amount, within: 0n }];
  const coin = [{ account, opening: null, closing: null, change: amount, difference: null, sums }];
  const known = { hasInternal: true, unknownBecause: undefined, tokensUnknownBecause: undefined };
  const range = { accounts: [account], fromBlock: 1, toBlock: 9 };
  return { ...range, coin, tokens: [], total: addStatements(coin, []), ...known, ...changed };
}

const options = { from: 1, to: 2, prices: new Map(), chainName: 'chain', symbol: 'FAT', dollarTokens: new Map() };

const formats = {
  ndjson: writeNdjson,
  csv: writeCsv,
  sheet: (...given: Parameters<typeof writeCsv>) => writeSheet({} as never, ...given),
  camt: writeCamt,
};

async function write(format: keyof typeof formats, statement: Statement, movements: readonly Movement[]) {
  const rows = Readable.from([Buffer.from(movements.map((one) => `${JSON.stringify(one)}\n`).join(''))]);
  let text = '';
  for await (const part of formats[format](rows, statement, options)) text += part;
  return text;
}

for (const format of ['ndjson', 'csv', 'camt'] as const)
  test(`a statement as ${format} breaks off if its movements are not those that its sums include`, async (t) => {
    const statement = buildStatement(7n);
    t.regex(await write(format, statement, [movement('7')]), /0xa{40}/);
    const message = /movements were stored while the statement was written/;
    for (const other of [[movement('7'), movement('3')], [movement('3'), movement('4')], []])
      await t.throwsAsync(write(format, statement, other), { message });
  });

test('files say that internal transfers are missing, and why balances are unknown', async (t) => {
  const statement = buildStatement(0n, { hasInternal: false, unknownBecause: 'no node has <old> state' });
  const own = { ...statement, coin: statement.coin.map((coin) => ({ ...coin, sums: [] })) };
  const said =
    /Balances are unknown: no node has .old. state\. Some blocks have no indexed internal transfers\. They are missing from this statement,? +even if/;
  t.regex(
    await write('camt', own, []),
    /<AddtlStmtInf>Balances are unknown: no node has {2}old {2}state\. Some .*<\/AddtlStmtInf><\/Stmt>/,
  );
  t.regex((await write('sheet', own, [])).replaceAll(/["\r\n,]+/g, ' '), said);
  t.notRegex(await write('camt', buildStatement(7n), [movement('7')]), /AddtlStmtInf/);
});

test('a bank statement without known balances is refused, because the standard requires them', (t) => {
  t.notThrows(() => assertFitsCamt(buildStatement(0n)));
  t.throws(() => assertFitsCamt(buildStatement(0n, { unknownBecause: 'no node has that state' })), {
    message: /camt053 needs the balances of the accounts: no node has that state/,
  });
});

test('an amount of a token without known decimals is no number in a spreadsheet', (t) => {
  const token = { token: `0x${'1'.repeat(40)}`, name: 'T', symbol: 'T', decimals: 6 };
  t.is(tokenAmount('5000000', token), '5.0');
  for (const unknown of [undefined, { ...token, decimals: null }, { ...token, decimals: 255 }])
    t.is(tokenAmount('5000000', unknown), '5000000 (smallest units)');
});
