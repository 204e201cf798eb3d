/** Writes a statement as PDF: balances and their proof, tokens, then movements. */
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type Column, TableDocument } from '../../drawing/table-document.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { sheetTime, tokenAmount } from '../export/sheet.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { readTokenNames, type TokenName } from '../tokens/token-names.ts';
import type { CoinTotal, Statement } from './statement.ts';
import { getNotices, readLines, sheetCells, units, type WriteOptions } from './write-statement.ts';

/** Maximum rows in a PDF. A row takes 0.2 ms; a page has 15 to 60 rows. */
const maxRows = 10_000;
/** Other requests are served after this number of rows. */
const rowsPerTurn = 40;

/** @throws ApiProblem bad_query if the statement has too many rows for a PDF */
export function assertFitsPdf({ coin, tokens }: Statement): void {
  const counts = [...coin.flatMap(({ sums }) => sums), ...tokens].map(({ movements }) => movements);
  const rows = counts.reduce((sum, count) => sum + count, tokens.length);
  if (rows > maxRows)
    throw new ApiProblem(
      'bad_query',
      `the statement has ${rows} movements and tokens, but a PDF allows at most ${maxRows}: request fewer blocks, or the format csv-excel`,
    );
}

export async function* writePdf(
  deps: StoreDeps,
  rows: Readable,
  statement: Statement,
  options: WriteOptions,
): AsyncGenerator<Buffer> {
  const { chainName, symbol, from, to } = options;
  const { accounts, fromBlock, toBlock } = statement;
  const title = accounts.length === 1 ? 'Statement of account' : `Statement of ${accounts.length} accounts`;
  const footer = `${title}, ${chainName}, blocks ${fromBlock} to ${toBlock}`;
  const document = await TableDocument.create(title, footer, new Date(to * 1_000));
  document.addText(`${chainName}, blocks ${fromBlock} (${sheetTime(from)}) to ${toBlock} (${sheetTime(to)}), UTC.`);
  document.addText('All blocks are finalized. Balances come from a node, movements from the index of the chain.');
  for (const notice of getNotices(statement)) document.addText(notice);
  addBalances(document, statement, symbol);
  if (statement.tokensUnknownBecause)
    document.addText(`Comparison of tokens with their contracts: ${statement.tokensUnknownBecause}.`);
  await addTokens(
    document,
    statement,
    await readTokenNames(
      deps,
      statement.tokens.map(({ token }) => token),
    ),
  );
  document.addTable('Movements', movementColumns(symbol));
  for await (const lines of readLines(rows, statement, options)) {
    const names = await readTokenNames(
      deps,
      lines.flatMap(({ token }) => token ?? []),
    );
    for (const [i, line] of lines.entries()) {
      const cells = sheetCells(line, symbol, names.get(line.token ?? '')).map((cell) => String(cell ?? ''));
      document.addRow(cells);
      if (i % rowsPerTurn > 0) continue;
      await setImmediate();
      const drawn = document.read();
      if (drawn) yield drawn;
    }
  }
  yield* document.end();
}

function addBalances(document: TableDocument, { coin, total }: Statement, symbol: string): void {
  const amount = (wei: bigint | null) => (wei === null ? 'unknown' : units(wei));
  document.addTable(`Balances in ${symbol}: opening + change + not explained by movements = closing`, [
    { title: 'Account', width: 42 },
    ...['Opening', 'Change', 'Not explained', 'Closing'].map((title) => ({ title, width: 32, isRight: true })),
  ]);
  const book: (CoinTotal & { readonly account: string })[] =
    coin.length > 1 ? [...coin, { ...total.coin, account: 'All accounts' }] : [...coin];
  for (const { account, opening, change, difference, closing } of book)
    document.addRow([account, amount(opening), amount(change), amount(difference), amount(closing)]);
  document.addTable(`Movements of ${symbol} by kind`, [
    { title: 'Account', width: 42 },
    { title: 'Kind', width: 10 },
    { title: 'Direction', width: 10 },
    { title: 'Movements', width: 12, isRight: true },
    { title: 'Amount', width: 40, isRight: true },
  ]);
  for (const { account, sums } of book)
    for (const { kind, direction, movements, amount: wei } of sums)
      document.addRow([account, kind, direction, String(movements), units(wei)]);
}

async function addTokens(
  document: TableDocument,
  { tokens }: Statement,
  names: ReadonlyMap<string, TokenName>,
): Promise<void> {
  if (tokens.length === 0) return;
  document.addTable('Tokens, computed from their transfers. Not explained: change at the contract minus transfers', [
    { title: 'Account', width: 21 },
    { title: 'Token', width: 21 },
    { title: 'Symbol', width: 10 },
    { title: 'Token id', width: 12 },
    ...['Opening', 'Received', 'Sent', 'Closing', 'Not explained'].map((title) => ({
      title,
      width: 25,
      isRight: true,
    })),
  ]);
  for (const [i, { account, token, standard, tokenId, ...row }] of tokens.entries()) {
    if (i % rowsPerTurn === 0) await setImmediate();
    const isFungible = standard === 'erc20';
    const amounts = [row.opening, row.received, row.sent, row.closing, row.difference].map((amount) => {
      if (amount === null) return 'unknown';
      return isFungible ? tokenAmount(amount, names.get(token)) : amount;
    });
    document.addRow([account, token, names.get(token)?.symbol ?? '', isFungible ? '' : tokenId, ...amounts]);
  }
}

/** Columns in the order of sheetCells(). Addresses wrap, so that usual amounts fit into one line. */
const movementColumns = (symbol: string): readonly Column[] => [
  { title: 'Time (UTC)', width: 19 },
  { title: 'Transaction', width: 22 },
  { title: 'Kind', width: 8 },
  { title: 'Account', width: 14 },
  { title: 'Counterparty', width: 14 },
  { title: 'Amount', width: 34, isRight: true },
  { title: 'Symbol', width: 8 },
  { title: 'Token', width: 14 },
  { title: 'Token id', width: 10 },
  { title: `Balance (${symbol})`, width: 34, isRight: true },
  { title: 'Dollars', width: 12, isRight: true },
];
