import { deriveFigures } from '#pipeline/figures/derive-figures.ts';
import { PipelineReport } from '#pipeline/report.ts';
import type { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { Rollups } from '#pipeline/store/rollups.ts';
import { silentLog } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { getStatement, loadStatements } from '#sql/compile/statements.ts';

export const transactionsPerBlock = 10;
/** Timestamp of the first block, Unix seconds, and block interval, seconds: 2 million blocks cover three years. */
const [firstTime, blockSeconds] = [1_600_000_000, 47];
const otherAddresses = 200_000;
const holders = 1_000_000;

const hex = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

export const busiest = hex(1);
export const widestToken = hex(0xa000_0000);
export const tokenByNumber = (number: number) => hex(0xa000_0000 + number);

/** Returns one of the addresses in the chain. @param share 0 to 1; low shares give addresses with many transactions */
export function getAddress(share: number): string {
  return hex(2 + Math.floor(share * otherAddresses));
}

export const getTime = (block: number) => firstTime + block * blockSeconds;

const bytes = (n: string, size = 20) =>
  `toFixedString(unhex(leftPad(lower(hex(toUInt64(${n}))), ${2 * size}, '0')), ${size})`;
/** The fourth power of a random share makes a few addresses frequent. */
const skewed = `toUInt64(2 + floor(pow(cityHash64(n) / 18446744073709551616., 4) * ${otherAddresses}))`;
const sender = `if(n % 5 < 2, toUInt64(1), ${skewed})`;
const recipient = `if(n % 5 < 2, ${skewed}, toUInt64(2 + cityHash64(n, 1) % ${otherAddresses}))`;
const blockHash = 'toFixedString(unhex(hex(sipHash128(block))), 32)';
const hash = "toFixedString(unhex(concat(hex(sipHash128(n)), hex(sipHash128(n, 'b')))), 32)";
const time = `toDateTime(${firstTime} + block * ${blockSeconds}, 'UTC')`;
const token = 'if(n % 4 = 0, toUInt64(2684354560), toUInt64(2684354561 + cityHash64(n, 2) % 50))';
const holder = `if(n % 4 = 0, 3000000000 + intDiv(n, 4) % ${holders}, ${recipient})`;
const transferTopic = "unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')";

export async function readHashes(database: Database, numbers: readonly number[]): Promise<string[]> {
  const statement = {
    ...getStatement(loadStatements(), 'chain_state'),
    sql: `SELECT lower(hex(${hash})) AS hash FROM (SELECT toUInt64(arrayJoin([${numbers}])) AS n)`,
  };
  return (await database.read<{ hash: string }>(statement)).map((row) => `0x${row.hash}`);
}

/** Inserts transactions from number `filled` up to `transactions`. */
export async function fillChain(
  database: Database,
  filled: number,
  transactions: number,
  unfinalizedFrom: number,
): Promise<void> {
  const final = `block < ${unfinalizedFrom}`;
  const chunk = 250_000;
  for (let from = filled; from < transactions; from += chunk) {
    const source = `(SELECT number AS n, intDiv(number, ${transactionsPerBlock}) AS block FROM numbers(${from}, ${Math.min(chunk, transactions - from)}))`;
    await database.command(`INSERT INTO transactions
      SELECT ${final}, block, n % ${transactionsPerBlock}, ${hash}, ${blockHash}, ${time}, 2, ${bytes(sender)}, ${bytes(recipient)}, NULL, toUInt256(cityHash64(n)), n, 90000,
        1000000000, 2000000000, 1000000000, NULL, NULL, NULL, 0, 0, unhex(concat('a9059cbb', repeat(lower(hex(cityHash64(n))), 8))), n % 50 != 0, 52000,
        52000 * (1 + n % ${transactionsPerBlock}), 52000000000000, 1 - n % 2, '' FROM ${source}`);
    await database.command(`INSERT INTO address_roles
      SELECT ${final}, ${bytes('side.1')}, block, n % ${transactionsPerBlock}, side.2, side.2, ${hash}, ${blockHash}, ${time}, 2, ${bytes(sender)}, ${bytes(recipient)}, NULL,
        toUInt256(cityHash64(n)), n, 90000, 52000, 1000000000, 52000000000000, n % 50 != 0, unhex('a9059cbb')
      FROM ${source} ARRAY JOIN [(${sender}, 1), (${recipient}, 2)] AS side`);
    await database.command(`INSERT INTO logs
      SELECT ${final}, block, intDiv(n % ${transactionsPerBlock}, 2), n % ${transactionsPerBlock}, ${hash}, ${time}, ${bytes(token)}, 3, ${transferTopic}, ${bytes('0', 32)}, ${bytes(holder, 32)}, ${bytes('0', 32)},
        ${bytes('1 + cityHash64(n, 3) % 1000000000', 32)} FROM ${source} WHERE n % 2 = 0`);
    await database.command(`INSERT INTO blocks (final, block_number, hash, timestamp, transaction_count, log_count, gas_used, gas_limit, base_fee_per_gas, fees, burned, size)
      SELECT ${final}, block, ${blockHash}, ${time}, count(), countIf(n % 2 = 0), 52000 * count(), 30000000, 900000000, 52000000000000 * count(), 46800000000000 * count(), 2000
      FROM ${source} GROUP BY block`);
    const last = Math.min(from + chunk, transactions) - 1;
    await fillFigures(
      database,
      Math.floor(from / transactionsPerBlock),
      Math.floor(last / transactionsPerBlock),
      unfinalizedFrom,
    );
  }
}

async function fillFigures(database: Database, first: number, last: number, unfinalizedFrom: number): Promise<void> {
  const deps = { database, log: silentLog };
  for (let from = first; from <= last; from += 1_000) {
    const to = Math.min(from + 999, last);
    if (from < unfinalizedFrom) await deriveFigures(deps, { final: 1, fromBlock: from, toBlock: to });
    if (to >= unfinalizedFrom) await deriveFigures(deps, { final: 0, fromBlock: from, toBlock: to });
  }
}

export async function closeRollups(database: Database, store: ChainStateStore): Promise<void> {
  await new Rollups(
    { database, log: silentLog, signal: new AbortController().signal, report: new PipelineReport() },
    store,
  ).close();
}
