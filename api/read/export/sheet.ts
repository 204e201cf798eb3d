/**
 * Converts exported rows to CSV for spreadsheets: amounts in coin or token units, times as dates, roles and results as
 * words. Spreadsheets round numbers to 15 digits. The other formats are exact.
 * @source RFC 4180; https://owasp.org/www-community/attacks/CSV_Injection
 */
import { Readable } from 'node:stream';
import { formatUnits } from 'ethers';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { SignatureDeps } from '../contracts/signatures/signatures.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { readTokenNames, type TokenName } from '../tokens/token-names.ts';
import { readBatches } from './read-batches.ts';

export const sheetKinds = ['transactions', 'transfers'] as const;
type SheetKind = (typeof sheetKinds)[number];

export interface SheetDeps extends StoreDeps, SignatureDeps {
  readonly settings: { readonly network: { readonly nativeCurrency: { readonly symbol: string } } };
}

interface TransactionRow {
  readonly blockNumber: string;
  readonly timestamp: number;
  readonly txHash: string;
  readonly from: string;
  readonly to: string | null;
  readonly contractCreated: string | null;
  readonly value: string;
  readonly fee: string;
  readonly status: number | null;
  readonly methodId: string;
  readonly nonce: string;
  readonly roles?: number;
}

interface TransferRow {
  readonly blockNumber: string;
  readonly timestamp: number;
  readonly txHash: string;
  readonly token: string;
  readonly standard: string;
  readonly from: string;
  readonly to: string;
  readonly tokenId: string;
  readonly value: string;
}

type Cell = string | number | null | undefined;

export const coinDecimals = 18;
/** Contracts can report 255 decimals, but ethers rejects more than 77. */
const maxDecimals = 77;
const statusNames: Readonly<Record<string, string>> = { 0: 'failed', 1: 'succeeded' };
const roleNames = ['sender', 'recipient', 'log'];
/** Makes spreadsheets read the file as UTF-8. */
const byteOrderMark = '\ufeff';

/** @param rows one JSON row per line */
export function toSheet(deps: SheetDeps, kind: SheetKind, rows: Readable): Readable {
  const sheet = Readable.from(convert(deps, kind, rows), { objectMode: false });
  sheet.once('close', () => rows.destroy());
  return sheet;
}

async function* convert(deps: SheetDeps, kind: SheetKind, rows: Readable): AsyncGenerator<Buffer> {
  const coin = deps.settings.network.nativeCurrency.symbol;
  yield Buffer.from(byteOrderMark + toCells(titles[kind](coin)));
  for await (const text of readBatches(rows)) yield await convertLines(deps, kind, text);
}

async function convertLines(deps: SheetDeps, kind: SheetKind, text: string): Promise<Buffer> {
  const rows: unknown[] = text.split('\n').map((line) => JSON.parse(line));
  const lines =
    kind === 'transactions'
      ? await transactionLines(deps, rows as TransactionRow[])
      : await transferLines(deps, rows as TransferRow[]);
  return Buffer.from(lines.map(toCells).join(''));
}

const titles: Readonly<Record<SheetKind, (coin: string) => string[]>> = {
  transactions: (coin) => [
    ...['Time (UTC)', 'Transaction', 'Block', 'Role', 'From', 'To', 'Contract created'],
    ...[`Value (${coin})`, `Fee (${coin})`, 'Result', 'Method', 'Method id', 'Nonce'],
  ],
  transfers: () => [
    ...['Time (UTC)', 'Transaction', 'Block', 'From', 'To'],
    ...['Amount', 'Symbol', 'Token', 'Standard', 'Token id'],
  ],
};

async function transactionLines({ signatures }: SheetDeps, rows: readonly TransactionRow[]): Promise<Cell[][]> {
  const getName = await signatures.methodNames(rows.map(({ methodId }) => methodId));
  return rows.map((row) => {
    const roles = roleNames.filter((_, bit) => ((row.roles ?? 0) >> bit) & 1).join(', ');
    const method =
      row.to === null ? 'contract creation' : row.methodId === '0x' ? 'coin transfer' : getName(row.methodId)?.name;
    const amounts = [row.value, row.fee].map((wei) => formatUnits(wei, coinDecimals));
    const result = row.status === null ? '' : (statusNames[row.status] ?? '');
    const parties = [roles, row.from, row.to, row.contractCreated];
    return [...place(row), ...parties, ...amounts, result, method ?? '', row.methodId, row.nonce];
  });
}

async function transferLines(deps: SheetDeps, rows: readonly TransferRow[]): Promise<Cell[][]> {
  const known = await readTokenNames(
    deps,
    rows.map(({ token }) => token),
  );
  return rows.map((row) => {
    const token = known.get(row.token);
    const isFungible = row.standard === 'erc20';
    const amount = isFungible ? tokenAmount(row.value, token) : row.value;
    const id = isFungible ? '' : row.tokenId;
    return [...place(row), row.from, row.to, amount, token?.symbol ?? '', row.token, row.standard, id];
  });
}

/**
 * Converts an amount to token units. Without usable decimals, adds the unit as text, so that spreadsheets do not sum
 * it.
 */
export function tokenAmount(value: string, token: TokenName | undefined): string {
  const decimals = token?.decimals ?? maxDecimals + 1;
  return decimals <= maxDecimals ? formatUnits(value, decimals) : `${value} (smallest units)`;
}

function place({ timestamp, txHash, blockNumber }: TransactionRow | TransferRow): Cell[] {
  return [sheetTime(timestamp), txHash, blockNumber];
}

/** @param timestamp Unix seconds */
export const sheetTime = (timestamp: number): string => isoTime(timestamp).replace('T', ' ').replace('Z', '');

export const toCells = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** Adds an apostrophe before text that a spreadsheet would evaluate as a formula. */
function toCell(cell: Cell): string {
  const text = String(cell ?? '').replace(/;/g, ','); // some spreadsheets split cells at semicolons
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
