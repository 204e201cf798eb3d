/** Writes movements as exact CSV, CSV for spreadsheets, NDJSON, or camt.053 for accounting. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { formatUnits } from 'ethers';
import { isoTime } from '#chain/codec/iso-time.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { readBatches } from '../export/read-batches.ts';
import { coinDecimals, sheetTime, toCells, tokenAmount } from '../export/sheet.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { readTokenNames, type TokenName } from '../tokens/token-names.ts';
import type { StatementTimes } from './read-statement.ts';
import type { CoinTotal, Movement, Statement } from './statement.ts';

export interface WriteOptions extends StatementTimes {
  /** Coin symbol. */
  readonly symbol: string;
  readonly chainName: string;
  /** Decimals of the stablecoins. */
  readonly dollarTokens: ReadonlyMap<string, number>;
}

interface Line extends Movement {
  /** Coin balance after the movement, wei; null for tokens or if unknown. */
  readonly balance: string | null;
  /** Dollars at the day's price; stablecoins count as one dollar; null without a price. */
  readonly dollars: string | null;
}

/**
 * Yields movements with the balance after each, or null if the account's movements do not explain its closing balance.
 * @throws Error at the end if coin movements differ from the statement's sums, because more traces were stored since
 */
export async function* readLines(
  rows: Readable,
  statement: Statement,
  { prices, dollarTokens }: Pick<WriteOptions, 'prices' | 'dollarTokens'>,
): AsyncGenerator<Line[]> {
  const balances = new Map(
    statement.coin.map(({ account, opening, difference }) => [account, difference === 0n ? opening : null]),
  );
  const changes = new Map(statement.coin.map(({ account }) => [account, 0n]));
  let movements = 0;
  const add = (movement: Movement): Line => {
    const { account, token, amount, direction, timestamp } = movement;
    if (token !== null) return { ...movement, balance: null, dollars: toDollars(amount, dollarTokens.get(token), '1') };
    const before = balances.get(account) ?? null;
    const wei = direction === 'in' ? BigInt(amount) : -BigInt(amount);
    const after = before === null ? null : before + wei;
    balances.set(account, after);
    changes.set(account, (changes.get(account) ?? 0n) + wei);
    movements++;
    const dollars = toDollars(amount, coinDecimals, prices.get(bucketStart('day', timestamp)));
    return { ...movement, balance: after === null ? null : String(after), dollars };
  };
  for await (const text of readBatches(rows)) yield text.split('\n').map((line) => add(JSON.parse(line) as Movement));
  const isSame = statement.coin.every(({ account, change }) => changes.get(account) === change);
  if (!isSame || movements !== countMovements(statement))
    throw new Error('movements were stored while the statement was written: its sums do not include them');
}

const countMovements = ({ coin }: Pick<Statement, 'coin'>) =>
  coin.flatMap(({ sums }) => sums).reduce((sum, one) => sum + one.movements, 0);

function toDollars(amount: string, decimals: number | undefined, price: string | undefined): string | null {
  if (decimals === undefined || price === undefined) return null;
  return (Number(formatUnits(amount, decimals)) * Number(price)).toFixed(2);
}

/** Writes one movement per line, then a line with balances and unexplained differences. */
export async function* writeNdjson(
  rows: Readable,
  statement: Statement,
  options: WriteOptions,
): AsyncGenerator<string> {
  for await (const lines of readLines(rows, statement, options))
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  yield `${JSON.stringify({ statement }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`;
}

const exactTitles = [
  ...['Account', 'Block', 'TransactionIndex', 'UnixTimeStamp', 'Transaction', 'Kind', 'Direction', 'Amount'],
  ...['Counterparty', 'Token', 'TokenId', 'Balance', 'Dollars'],
];

/** Writes amounts in wei or the smallest unit of a token. */
export async function* writeCsv(rows: Readable, statement: Statement, options: WriteOptions): AsyncGenerator<string> {
  yield toCells(exactTitles);
  for await (const lines of readLines(rows, statement, options))
    yield lines
      .map((line) =>
        toCells([
          ...[line.account, line.blockNumber, line.txIndex, line.timestamp, line.txHash, line.kind, line.direction],
          ...[line.amount, line.counterparty, line.token, line.token === null ? null : line.tokenId],
          ...[line.balance, line.dollars],
        ]),
      )
      .join('');
}

/** Writes signed amounts in units of the coin or token, and spreadsheet times. */
export async function* writeSheet(
  deps: StoreDeps,
  rows: Readable,
  statement: Statement,
  options: WriteOptions,
): AsyncGenerator<string> {
  const { symbol } = options;
  const end = (name: string, account: string, wei: bigint | null) =>
    toCells(['', '', name, account, '', '', symbol, '', '', wei === null ? '' : units(wei), '']);
  const ends = (name: string, pick: (coin: CoinTotal) => bigint | null) => {
    const lines = statement.coin.map((coin) => end(name, coin.account, pick(coin)));
    return [...lines, ...(lines.length > 1 ? [end(`${name}, all accounts`, '', pick(statement.total.coin))] : [])].join(
      '',
    );
  };
  const titles = [
    'Time (UTC)',
    'Transaction',
    'Kind',
    'Account',
    'Counterparty',
    'Amount',
    'Symbol',
    'Token',
    'Token id',
  ];
  yield `\ufeff${toCells([...titles, `Balance (${symbol})`, 'Dollars'])}`;
  yield ends('opening balance', ({ opening }) => opening);
  for await (const lines of readLines(rows, statement, options)) {
    const tokens = lines.flatMap(({ token }) => token ?? []);
    const names = await readTokenNames(deps, tokens);
    yield lines.map((line) => toCells(sheetCells(line, symbol, names.get(line.token ?? '')))).join('');
  }
  yield ends('closing balance', ({ closing }) => closing);
  yield ends('not explained by movements', ({ difference }) => difference);
  for (const notice of getNotices(statement)) yield toCells(['', '', notice]);
}

/** Returns what the statement lacks, and why. */
export const getNotices = ({ hasInternal, unknownBecause }: Statement): string[] => [
  ...(unknownBecause === undefined ? [] : [`Balances are unknown: ${unknownBecause}.`]),
  ...(hasInternal
    ? []
    : [
        'Some blocks have no indexed internal transfers. They are missing from this statement, even if the unexplained amount is 0.',
      ]),
];

export function sheetCells(line: Line, symbol: string, token: TokenName | undefined) {
  const { timestamp, txHash, kind, account, counterparty, direction, balance, dollars } = line;
  const isCoin = line.token === null;
  const sign = direction === 'out' ? '-' : '';
  const amount = isCoin ? units(BigInt(line.amount)) : kind === 'erc20' ? tokenAmount(line.amount, token) : line.amount;
  return [
    ...[sheetTime(timestamp), txHash, kind, account, counterparty],
    ...[`${sign}${amount}`, isCoin ? symbol : token?.symbol],
    ...[line.token, isCoin ? '' : line.tokenId, balance === null ? '' : units(BigInt(balance))],
    dollars && `${sign}${dollars}`,
  ];
}

export const units = (wei: bigint) => formatUnits(wei, coinDecimals);

/**
 * Writes one statement of coin movements per account. Tokens are excluded: they have no currency code.
 * @source ISO 20022, camt.053.001.08
 */
export async function* writeCamt(rows: Readable, statement: Statement, options: WriteOptions): AsyncGenerator<string> {
  const { symbol, from, to } = options;
  const isAlone = statement.accounts.length === 1;
  const entries = new Map<string, string[]>(statement.accounts.map((account) => [account, []]));
  const movements = camtMovements(readLines(rows, statement, options), symbol);
  // the file lists one account after another, but the movements are mixed
  if (!isAlone) for await (const { account, text } of movements) entries.get(account)?.push(text);
  const [start, time] = [isoTime(from), isoTime(to)];
  const { accounts, fromBlock, toBlock } = statement;
  const id = createHash('sha256').update(accounts.join()).digest('hex').slice(0, 8);
  // ids have at most 35 characters
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>\n`;
  yield `<GrpHdr><MsgId>cs-${id}-${fromBlock}-${toBlock}</MsgId><CreDtTm>${time}</CreDtTm></GrpHdr>\n`;
  for (const { account, opening, closing, difference } of statement.coin) {
    yield `<Stmt><Id>${account.slice(2, 8)}${account.slice(-6)}-${fromBlock}-${toBlock}</Id><CreDtTm>${time}</CreDtTm>`;
    yield `<FrToDt><FrDtTm>${start}</FrDtTm><ToDtTm>${time}</ToDtTm></FrToDt>`;
    yield `<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency(symbol)}</Ccy></Acct>\n`;
    yield camtBalance('OPBD', opening, symbol, start) + camtBalance('CLBD', closing, symbol, time);
    if (isAlone) for await (const { text } of movements) yield text;
    else for (const text of entries.get(account) ?? []) yield text;
    yield `${camtUnexplained(difference, symbol, to)}${camtNotices(statement)}</Stmt>\n`;
  }
  yield '</BkToCstmrStmt></Document>\n';
}

async function* camtMovements(pages: AsyncIterable<readonly Line[]>, symbol: string) {
  for await (const lines of pages)
    for (const line of lines)
      if (line.token === null) yield { account: line.account, text: camtMovement(line, symbol) };
}

/** Maximum coin movements for several accounts. They stay in memory: about 600 bytes each. */
const maxMixedMovements = 100_000;

/**
 * @throws ApiProblem bad_query if the movements of several accounts do not fit into memory; state_unavailable if
 * balances are unknown
 */
export function assertFitsCamt({ accounts, coin, unknownBecause }: Statement): void {
  if (unknownBecause !== undefined)
    throw new ApiProblem('state_unavailable', `camt053 needs the balances of the accounts: ${unknownBecause}`);
  const movements = countMovements({ coin });
  if (accounts.length > 1 && movements > maxMixedMovements)
    throw new ApiProblem(
      'bad_query',
      `the statement has ${movements} coin movements, but camt053 allows at most ${maxMixedMovements} for several accounts: request one account, or fewer blocks`,
    );
}

/** Returns three capital letters, or XXX for no currency. @source ISO 4217 */
const currency = (symbol: string) => (/^[A-Z]{3}$/.test(symbol) ? symbol : 'XXX');

function camtBalance(type: 'OPBD' | 'CLBD', wei: bigint | null, symbol: string, time: string): string {
  if (wei === null) return '';
  const amount = `<Amt Ccy="${currency(symbol)}">${units(wei)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amount}<Dt><DtTm>${time}</DtTm></Dt></Bal>\n`;
}

/** Returns one element of at most 500 characters. */
function camtNotices(statement: Statement): string {
  const text = getNotices(statement).join(' ').slice(0, 500).replace(/[&<>]/g, ' ');
  return text === '' ? '' : `<AddtlStmtInf>${text}</AddtlStmtInf>`;
}

interface CamtEntry {
  readonly wei: bigint;
  readonly isCredit: boolean;
  /** Booking time, Unix seconds. */
  readonly time: number;
  readonly kind: string;
  /** Elements after the code of the kind. */
  readonly more: string;
}

function camtEntry({ wei, isCredit, time, kind, more }: CamtEntry, symbol: string): string {
  const stamp = isoTime(time);
  return `<Ntry><Amt Ccy="${currency(symbol)}">${units(wei)}</Amt><CdtDbtInd>${isCredit ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>${stamp}</DtTm></BookgDt><ValDt><DtTm>${stamp}</DtTm></ValDt><BkTxCd><Prtry><Cd>${kind}</Cd></Prtry></BkTxCd>${more}</Ntry>\n`;
}

/** Returns an entry for the balance change that no movement explains, so that the statement adds up. */
function camtUnexplained(difference: bigint | null, symbol: string, time: number): string {
  if (difference === null || difference === 0n) return '';
  const isCredit = difference > 0n;
  const more = '<AddtlNtryInf>change of the balance that no indexed movement explains</AddtlNtryInf>';
  return camtEntry({ wei: isCredit ? difference : -difference, isCredit, time, kind: 'unexplained', more }, symbol);
}

function camtMovement(
  { amount, direction, timestamp, txHash, kind, counterparty, blockNumber }: Line,
  symbol: string,
): string {
  const side = direction === 'in' ? 'Dbtr' : 'Cdtr';
  const party =
    counterparty === null ? '' : `<RltdPties><${side}><Pty><Nm>${counterparty}</Nm></Pty></${side}></RltdPties>`;
  const details = `<Refs><EndToEndId>${(txHash ?? `block-${blockNumber}`).slice(0, 35)}</EndToEndId><Prtry><Tp>transaction</Tp><Ref>${txHash ?? `block ${blockNumber}`}</Ref></Prtry></Refs>${party}`;
  const more = `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>`;
  return camtEntry({ wei: BigInt(amount), isCredit: direction === 'in', time: timestamp, kind, more }, symbol);
}
