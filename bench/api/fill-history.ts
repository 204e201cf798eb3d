/** Address-role rows of a skewed distribution, with the transactions and blocks they belong to, made inside the database. */
import type { Database } from '#sql/client.ts';

export const transactionsPerBlock = 10;
/** Addresses apart from the busiest one. */
const otherAddresses = 200_000;

const hex = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

/** Takes part in two of five transactions: a fifth of all rows. */
export const busiest = hex(1);

/** @param share 0 to 1; low shares are busy addresses */
export function addressOf(share: number): string {
  return hex(2 + Math.floor(share * otherAddresses));
}

/** SQL for the 20 bytes of address number `n`. */
const bytes = (n: string) => `toFixedString(unhex(leftPad(lower(hex(toUInt64(${n}))), 40, '0')), 20)`;
/** A few addresses take part often, most rarely: the fourth power of a uniform share. */
const skewed = `toUInt64(2 + floor(pow(cityHash64(n) / 18446744073709551616., 4) * ${otherAddresses}))`;
const sender = `if(n % 5 < 2, toUInt64(1), ${skewed})`;
const recipient = `if(n % 5 < 2, ${skewed}, toUInt64(2 + cityHash64(n, 1) % ${otherAddresses}))`;
const blockHash = 'toFixedString(unhex(hex(sipHash128(block))), 32)';
const hash = "toFixedString(unhex(concat(hex(sipHash128(n)), hex(sipHash128(n, 'b')))), 32)";

/** Rows of a table go from `filledRows` up to `rows`, two a transaction. */
export async function fillHistory(database: Database, filledRows: number, rows: number): Promise<void> {
  const chunk = 250_000;
  for (let from = filledRows / 2; from < rows / 2; from += chunk) {
    const source = `(SELECT number AS n, intDiv(number, ${transactionsPerBlock}) AS block FROM numbers(${from}, ${Math.min(chunk, rows / 2 - from)}))`;
    const time = "toDateTime(1600000000 + block * 3, 'UTC')";
    await database.command(`INSERT INTO transactions
      SELECT 1, block, n % ${transactionsPerBlock}, ${hash}, ${blockHash}, ${time}, 2, ${bytes(sender)}, ${bytes(recipient)}, NULL, toUInt256(cityHash64(n)), n, 90000,
        1000000000, 2000000000, 1000000000, NULL, NULL, NULL, 0, 0, unhex(concat('a9059cbb', repeat(lower(hex(cityHash64(n))), 8))), 1, 52000,
        52000 * (1 + n % ${transactionsPerBlock}), 52000000000000, 1 FROM ${source}`);
    await database.command(`INSERT INTO address_roles
      SELECT 1, ${bytes('side.1')}, block, n % ${transactionsPerBlock}, side.2, side.2, ${hash}, ${blockHash}, ${time}, 2, ${bytes(sender)}, ${bytes(recipient)}, NULL,
        toUInt256(cityHash64(n)), n, 90000, 52000, 1000000000, 52000000000000, 1, unhex('a9059cbb')
      FROM ${source} ARRAY JOIN [(${sender}, 1), (${recipient}, 2)] AS side`);
    await database.command(`INSERT INTO blocks (final, block_number, hash, timestamp, transaction_count)
      SELECT DISTINCT 1, block, ${blockHash}, ${time}, ${transactionsPerBlock} FROM ${source}`);
  }
}
