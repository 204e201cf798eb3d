/** CSV for spreadsheets. @source RFC 4180; OWASP CSV injection */
import { stringify } from 'csv-stringify/sync';

/** Returns a header row and rows; cells that a spreadsheet would run as a formula get an apostrophe prefix. */
export function toCsv(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify(
    [columns, ...rows].map((row) => [...row]),
    { escape_formulas: true, record_delimiter: '\r\n' },
  );
}
