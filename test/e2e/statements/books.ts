import test from 'ava';
import { parse } from 'csv-parse/sync';
import { formatUnits, parseUnits, ZeroAddress as zeroAddress } from 'ethers';
import { XMLParser } from 'fast-xml-parser';
import { extractText } from 'unpdf';
import { TableDocument } from '#api/drawing/table-document.ts';
import { addStatements } from '#api/read/statements/statement-total.ts';
import { assertFitsPdf } from '#api/read/statements/write-pdf.ts';
import { devEconomy } from '#devchain/known-economy.ts';
import { readBalance } from '#test/helpers/coin-snapshots.ts';
import { accounts, readStatement as ask, finalized, indexed, low } from './chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

test.serial('the movements of every account explain its balances at a node, to the last wei', async (t) => {
  t.true(accounts.length > 30);
  for (let at = 0; at < accounts.length; at += 100) {
    const some = accounts.slice(at, at + 100);
    const { coin, internal, unknownBecause, toBlock } = await ask({ accounts: some.join(), fromBlock: String(low) });
    t.deepEqual([internal, unknownBecause, toBlock], [true, null, finalized]);
    for (const { account, opening, closing, change, difference } of coin) {
      t.is(BigInt(opening), await readBalance(indexed.chain, account, low - 1), account);
      t.is(BigInt(closing), await readBalance(indexed.chain, account, finalized), account);
      t.is(difference, '0', `${account}: ${change}`);
    }
    const kinds = new Set(coin.flatMap(({ sums }: Reply) => sums.map(({ kind }: Reply) => kind)));
    if (at === 0) t.deepEqual([...kinds].sort(), ['fee', 'internal', 'produced', 'transfer']);
  }
});

test.serial('a statement whose period has blocks that are not final is refused', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const [account] = accounts;
  const read = (end: string) => indexed.api.get(`/api/v1/statement?accounts=${account}&fromBlock=${low}&${end}`);
  const getTime = (number: number) => indexed.blocks[number]!.time;
  for (const end of [
    `toTime=${now}`,
    `toTime=${getTime(finalized)}`,
    `toBlock=${finalized + 1}`,
    `toTime=${now}&toBlock=99999`,
  ]) {
    const { status, body } = await read(end);
    t.deepEqual([status, body.code], [503, 'indexing'], end);
  }
  for (const end of [`toTime=${getTime(finalized) - 1}`, `toBlock=${finalized}`, `toTime=${now}&toBlock=${finalized}`])
    t.is((await read(end)).status, 200, end);
});

test.serial('tokens equal a count of all transfers by hand', async (t) => {
  const [holder] = indexed.transfers.map(({ to }) => to).filter((one) => accounts.includes(one));
  const { tokens } = await ask({ accounts: holder!, fromBlock: String(low) });
  const expected = new Map<string, { opening: bigint; received: bigint; sent: bigint; movements: number }>();
  for (const { block, token, tokenId, from, to, value } of indexed.transfers) {
    if (block > finalized || (from !== holder && to !== holder)) continue;
    const key = `${token} ${tokenId}`;
    const one = expected.get(key) ?? { opening: 0n, received: 0n, sent: 0n, movements: 0 };
    expected.set(key, one);
    const delta = (to === holder ? value : 0n) - (from === holder ? value : 0n);
    if (block < low) one.opening += delta;
    else {
      one.movements += Number(from === holder) + Number(to === holder);
      if (to === holder) one.received += value;
      if (from === holder) one.sent += value;
    }
  }
  const wanted = [...expected].filter(([, one]) => one.movements > 0 || one.opening > 0n);
  t.true(wanted.length > 2);
  t.is(tokens.length, wanted.length);
  for (const { token, tokenId, opening, received, sent, closing, movements, ...node } of tokens) {
    t.deepEqual([node.openingAtNode, node.closingAtNode, node.difference], [opening, closing, '0'], token);
    const one = expected.get(`${token} ${tokenId}`)!;
    t.deepEqual([opening, received, sent].map(BigInt), [one.opening, one.received, one.sent]);
    t.is(BigInt(closing), one.opening + one.received - one.sent);
    t.is(movements, one.movements);
  }
});

test.serial('a statement can be limited to some tokens, also its movements', async (t) => {
  const [holder] = indexed.transfers.map(({ to }) => to).filter((one) => accounts.includes(one));
  const asked = { accounts: holder!, fromBlock: String(low) };
  const whole = await ask(asked);
  const { token } = whole.tokens.find(({ movements }: Reply) => movements > 0);
  const some = await ask({ ...asked, tokens: token });
  t.true(whole.tokens.length > some.tokens.length);
  t.deepEqual([some.coin, some.tokens], [whole.coin, whole.tokens.filter((one: Reply) => one.token === token)]);
  const lines = String(await ask({ ...asked, tokens: token, format: 'ndjson' }))
    .trim()
    .split('\n');
  const listed = lines.slice(0, -1).map((line) => JSON.parse(line).token);
  t.deepEqual(new Set(listed), new Set([null, token]));
});

test.serial('an address set is one book, and its totals say what moved between its accounts', async (t) => {
  const book = accounts.slice(0, 30);
  const created = await createSet(book);
  const query = { fromBlock: String(low) };
  const { coin, tokens, total, tokensUnknownBecause } = await ask({ ...query, set: created.body.id });
  t.deepEqual({ coin, tokens, total }, pickBook(await ask({ ...query, accounts: book.join() })));
  t.is(tokensUnknownBecause, null);
  const sum = (rows: Reply[], name: string) => rows.reduce((all, row) => all + BigInt(row[name]), 0n);
  for (const name of ['opening', 'closing', 'change', 'difference'])
    t.is(BigInt(total.coin[name]), sum(coin, name), name);
  const inside = (one: string | null) => one !== null && book.includes(one);
  const paid = indexed.blocks
    .flatMap(({ txs }) => txs)
    .filter(({ block, status, from, to, created: made }) => {
      return block >= low && block <= finalized && status === 1 && inside(from) && inside(to ?? made);
    });
  const within = paid.reduce((all, { value }) => all + value, 0n);
  t.true(within > 0n);
  for (const direction of ['in', 'out'])
    t.is(
      BigInt(total.coin.sums.find((one: Reply) => one.kind === 'transfer' && one.direction === direction).within),
      within,
    );
  t.deepEqual([...new Set(tokens.map(({ standard }: Reply) => standard))].sort(), ['erc1155', 'erc20', 'erc721']);
  for (const one of total.tokens) {
    const own = tokens.filter((row: Reply) => row.token === one.token && row.tokenId === one.tokenId);
    for (const name of ['opening', 'received', 'sent', 'closing', 'closingAtNode'])
      t.is(BigInt(one[name]), sum(own, name), name);
    t.is(one.difference, '0', one.token);
    const moved = indexed.transfers.filter(({ block, token, tokenId, from, to }) => {
      return (
        block >= low &&
        block <= finalized &&
        token === one.token &&
        String(tokenId) === one.tokenId &&
        inside(from) &&
        inside(to) &&
        to !== zeroAddress // burns are not listed as received
      );
    });
    t.is(
      BigInt(one.within),
      moved.reduce((all, { value }) => all + value, 0n),
      one.token,
    );
  }
  const readStatus = async (query: string) => (await indexed.api.get(`/api/v1/statement?${query}`)).status;
  t.is(await readStatus(`set=${created.body.id}&accounts=${book[0]}`), 400, 'both');
  t.is(await readStatus(''), 400, 'neither');
  t.is(await readStatus(`set=${'0'.repeat(32)}`), 404);
});

const createSet = (addresses: readonly string[]) =>
  indexed.api.get('/api/v1/address-sets', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addresses }),
  });

test.serial('the largest address set has a statement, a larger one is refused', async (t) => {
  const unused = Array.from({ length: 2_441 }, (_, i) => `0x${'b'.repeat(36)}${i.toString(16).padStart(4, '0')}`);
  const used = accounts.slice(0, 60);
  const query = { fromBlock: String(low), set: (await createSet([...used, ...unused.slice(1)])).body.id };
  const { coin, total } = await ask(query);
  t.is(coin.length, 2_500);
  t.is(total.coin.difference, '0');
  const lines = (await ask({ ...query, format: 'csv' })).trim().split('\r\n');
  const movements = total.coin.sums.reduce((sum: number, one: Reply) => sum + one.movements, 0);
  t.true(lines.length > movements && movements > 100);
  const { body: larger } = await createSet([...used, ...unused]);
  const refused = await indexed.api.get(`/api/v1/statement?set=${larger.id}`);
  t.regex(refused.body.detail, /more than 2500 addresses/);
});

const pickBook = ({ coin, tokens, total }: Reply) => ({ coin, tokens, total });

test.serial('every format lists the same movements, with the balance after each', async (t) => {
  const book = accounts.slice(0, 40).join();
  const query = { accounts: book, fromBlock: String(low) };
  const { coin, tokens } = await ask(query);
  const lines: Reply[] = (await ask({ ...query, format: 'ndjson' }))
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  const { statement } = lines.pop();
  t.deepEqual(
    statement.coin.map(({ difference }: Reply) => difference),
    coin.map(() => '0'),
  );
  const ofCoin = lines.filter(({ token }) => token === null);
  const ofTokens = lines.filter(({ token }) => token !== null);
  const { dollars } = devEconomy();
  t.true(
    ofTokens.some(({ token }) => dollars.includes(token)),
    'stablecoins move',
  );
  for (const { token, amount, dollars: worth } of ofTokens)
    t.is(worth, dollars.includes(token) ? Number(formatUnits(amount, 6)).toFixed(2) : null, token);
  t.is(
    ofCoin.length,
    coin.flatMap(({ sums }: Reply) => sums).reduce((sum: number, { movements }: Reply) => sum + movements, 0),
  );
  t.is(
    lines.length - ofCoin.length,
    tokens.reduce((sum: number, { movements }: Reply) => sum + movements, 0),
  );
  for (const { account, opening, closing } of coin)
    t.is(ofCoin.filter((line) => line.account === account).at(-1)?.balance ?? opening, closing, account);
  for (let i = 1; i < lines.length; i++) t.true(lines[i].blockNumber >= lines[i - 1].blockNumber);

  const exact = parse(await ask({ ...query, format: 'csv' }), { columns: true }) as Record<string, string>[];
  t.deepEqual(
    exact.map(({ Amount, Kind, Transaction }) => [Amount, Kind, Transaction]),
    lines.map(({ amount, kind, txHash }) => [amount, kind, txHash ?? '']),
  );
  const sheet = parse(await ask({ ...query, format: 'csv-excel' }), { columns: true, bom: true }) as Record<
    string,
    string
  >[];
  const movements = sheet.filter(({ Kind }) => !/balance|explained/.test(Kind!));
  t.is(movements.length, lines.length);
  const signs = movements.filter(({ Dollars }) => Number(Dollars) !== 0);
  t.true(signs.some(({ Dollars }) => Dollars!.startsWith('-')));
  for (const { Amount, Dollars } of signs) t.is(Dollars!.startsWith('-'), Amount!.startsWith('-'));
  for (const [i, line] of lines.entries())
    if (line.token === null)
      t.is(parseUnits(movements[i]!['Amount']!, 18), (line.direction === 'out' ? -1n : 1n) * BigInt(line.amount));

  const xml = new XMLParser({ parseTagValue: false, ignoreAttributes: false }).parse(
    await ask({ ...query, format: 'camt053' }),
  );
  const statements = [xml.Document.BkToCstmrStmt.Stmt].flat();
  t.is(statements.length, coin.length);
  t.is(statements.flatMap(({ Ntry = [] }) => Ntry).length, ofCoin.length);
  const stamp = (one: Reply) => one.Dt.DtTm;
  for (const { Bal, Acct, FrToDt } of statements) {
    t.deepEqual(Bal.map(stamp), [FrToDt.FrDtTm, FrToDt.ToDtTm]);
    t.true(FrToDt.FrDtTm < FrToDt.ToDtTm);
    const { opening, closing } = coin.find(({ account }: Reply) => account === Acct.Id.Othr.Id);
    t.deepEqual(
      Bal.map((one: Reply) => parseUnits(one.Amt['#text'], 18)),
      [BigInt(opening), BigInt(closing)],
    );
  }

  const pdf = await fetch(`${indexed.api.origin}/api/v1/statement?${new URLSearchParams({ ...query, format: 'pdf' })}`);
  t.is(pdf.headers.get('content-type'), 'application/pdf');
  const { text, totalPages } = await extractText(new Uint8Array(await pdf.arrayBuffer()));
  t.true(text.length === totalPages && totalPages > 2);
  const words = text.join(' ').replace(/\s+/g, ' ');
  t.is([...words.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d 0x|\d\d:\d\d:\d\d produced/g)].length, lines.length);
  for (const { account, opening, closing } of coin) {
    const [before, after] = [opening, closing].map((wei: string) => formatUnits(wei, 18));
    const pattern = new RegExp(`${account} ${before} -?[\\d.]+ 0\\.0 ${after} `);
    t.regex(words, pattern);
  }
});

test.serial('a PDF wraps what does not fit, and refuses more movements than it can list', async (t) => {
  const document = await TableDocument.create('Title', 'Footer', new Date(0));
  document.addTable('Wide', [
    { title: 'A', width: 4 },
    { title: 'B', width: 12, isRight: true },
  ]);
  for (let i = 0; i < 100; i++) document.addRow(['abcdefghij', `${i} \u202e\u0007Ωж`]);
  const parts: Buffer[] = [];
  for await (const part of document.end()) parts.push(part);
  const { text, totalPages } = await extractText(new Uint8Array(Buffer.concat(parts)));
  t.is(totalPages, 5);
  t.regex(text[0]!, /Title\s+Wide\s+A\s+B\s+abcd\s+efgh\s+ij/);
  t.true(text.every((page, i) => page.includes(`Footer, page ${i + 1}`) && page.includes('Ωж')));
  t.notRegex(text.join('').replaceAll('\n', ''), /\p{C}/u);

  const sums = [{ kind: 'transfer' as const, direction: 'in' as const, movements: 10_001, amount: 1n, within: 0n }];
  const balances = { account: accounts[0]!, opening: 0n, closing: 1n, change: 1n, difference: 0n };
  const known = { unknownBecause: undefined, tokensUnknownBecause: undefined };
  const range = { accounts, fromBlock: 1, toBlock: 2, hasInternal: true, ...known };
  const coin = [{ ...balances, sums }];
  t.throws(() => assertFitsPdf({ ...range, coin, tokens: [], total: addStatements(coin, []) }), {
    message: /the statement has 10001 movements and tokens, but a PDF allows at most 10000/,
  });
});
