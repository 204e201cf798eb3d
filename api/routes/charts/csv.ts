import { stringify } from 'csv-stringify/sync';

/** First characters that make a spreadsheet run a cell as a formula. @source OWASP, CSV injection */
const formula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const amount = /^-?\d+(\.\d+)?$/;

/**
 * Prefixes cells that a spreadsheet would run as a formula with an apostrophe, except negative amounts. @source RFC
 * 4180
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const safe = (cell: string | number | null) =>
    typeof cell === 'string' && formula.test(cell) && !amount.test(cell) ? `'${cell}` : cell;
  return stringify(
    [columns, ...rows].map((row) => row.map(safe)),
    { record_delimiter: '\r\n' },
  );
}
