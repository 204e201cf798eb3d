import { type Html, html } from '../../drawing/html.ts';

const kinds = [
  ['transactions', 'Transactions'],
  ['transfers', 'Token transfers'],
] as const;
const formats = [
  ['csv-excel', 'spreadsheet'],
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
] as const;
const statementFormats = [
  ['csv-excel', 'spreadsheet'],
  ['csv', 'CSV'],
  ['pdf', 'PDF'],
  ['camt053', 'camt.053'],
] as const;
/**
 * These formats have a size limit: without the attribute download, the browser shows the error of a statement that is
 * too long.
 */
const limited: ReadonlySet<string> = new Set(['pdf', 'camt053']);

export function exportLinks(address: string): Html {
  return html`<section class="exports"><h2>Export</h2><p class="muted">Each file contains all finalized rows of this address.</p><ul>${kinds.map(
    ([kind, title]) =>
      html`<li>${title}: ${formats.map(
        ([format, name]) =>
          html`<a class="button small" href="/api/v1/export/${kind}?address=${address}&amp;format=${format}" aria-label="${title} as ${name}" download>${name}</a> `,
      )}<a href="/api/v1/export/${kind}/certificate?address=${address}">count and digest</a></li>`,
  )}<li>Statement of account: ${statementFormats.map(
    ([format, name]) =>
      html`<a class="button small" href="/api/v1/statement?accounts=${address}&amp;format=${format}" aria-label="Statement as ${name}"${!limited.has(format) && html` download`}>${name}</a> `,
  )}<a href="/api/v1/statement?accounts=${address}">balances and proof</a> <a href="/statement?accounts=${address}">for a period</a></li></ul></section>`;
}
