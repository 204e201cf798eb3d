import { stringify } from 'csv-stringify/sync';

/** Cells that a spreadsheet would run as a formula get an apostrophe prefix. @source RFC 4180; OWASP CSV injection */
export function toCsv(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify(
    [columns, ...rows].map((row) => [...row]),
    { escape_formulas: true, record_delimiter: '\r\n' },
  );
}
