/** CSV as spreadsheets take it. @source RFC 4180; OWASP CSV injection */
import { stringify } from 'csv-stringify/sync';

/** Rows with a head; a cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function toCsv(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify(
    [columns, ...rows].map((row) => [...row]),
    { escape_formulas: true, record_delimiter: '\r\n' },
  );
}
