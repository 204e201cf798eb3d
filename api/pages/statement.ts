import { isAddress } from '#chain/codec/hex.ts';
import { html } from '../drawing/html.ts';
import { ApiProblem } from '../terms/errors.ts';
import { definePage, Redirect } from './page.ts';
import { dateFields, type FilterField, readDates, withForm } from './parts/filters.ts';

const fields: readonly FilterField[] = [
  { name: 'accounts', label: 'Addresses', placeholder: 'separated by commas', maxLength: 1_000 },
  ...dateFields,
  {
    name: 'format',
    label: 'Format',
    options: [
      ['csv-excel', 'spreadsheet'],
      ['csv', 'CSV'],
      ['pdf', 'PDF'],
      ['camt053', 'camt.053'],
      ['json', 'balances and proof, JSON'],
    ],
  },
];

/** Form for a statement of account. With a format, it leads to the file. */
export const statementPage = definePage({
  id: 'statement',
  path: '/statement',
  maxAgeSeconds: 60,
  isUnpinned: true,
  handle: (_, request) =>
    withForm(request, fields, async (form) => {
      const { query, now } = request;
      const accounts = (query.get('accounts') ?? '').split(/[\s,]+/).filter(Boolean);
      const format = query.get('format') ?? '';
      const wrong = accounts.find((account): boolean => !isAddress(account));
      if (wrong !== undefined)
        throw new ApiProblem('bad_query', `accounts must be addresses; this is none: ${wrong.slice(0, 80)}`);
      if (format !== '' && accounts.length === 0) throw new ApiProblem('bad_query', 'accounts must have an address');
      const { toTime, ...from } = readDates(query);
      const dates = toTime !== undefined && Number(toTime) < now ? { ...from, toTime } : from;
      if (format !== '')
        return new Redirect(
          `/api/v1/statement?${new URLSearchParams({ accounts: accounts.join(), format, ...dates })}`,
        );
      const body = html`<h1>Statement of account</h1>
${form}<p>All movements of coins and tokens of some addresses in a period, with the balances before and after it. Dates are in UTC, and both days are included. Without dates, the statement covers all finalized blocks; if the last day is not over, it ends with the newest finalized block. A day that has just ended is available once its last block is final.</p>
<p class="muted">A PDF lists up to 10,000 movements. The other formats have no such limit, except camt.053 with several addresses (100,000).</p>`;
      return { title: 'Statement of account', body };
    }),
});
