import { type Html, html } from '../html.ts';

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

export function exportLinks(address: string): Html {
  return html`<section class="exports"><h2>Export</h2><p class="muted">Each file contains all finalized rows of this address.</p><ul>${kinds.map(
    ([kind, title]) =>
      html`<li>${title}: ${formats.map(
        ([format, name]) =>
          html`<a class="button small" href="/api/v1/export/${kind}?address=${address}&amp;format=${format}" aria-label="${title} as ${name}" download>${name}</a> `,
      )}<a href="/api/v1/export/${kind}/certificate?address=${address}">count and digest</a></li>`,
  )}</ul></section>`;
}
