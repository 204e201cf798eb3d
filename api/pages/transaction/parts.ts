import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { TransactionDecoding } from '../../read/contracts/decode/decode-transaction.ts';
import { decodedView, hexView } from '../parts/decoded.ts';
import { fullAddress } from '../parts/links.ts';
import { callDataView } from './call-data.ts';
import type { Detail } from './overview.ts';

const maxLogs = 200;

export function logsView(
  { logs, logCount, txHash }: Pick<Detail, 'logs' | 'logCount' | 'txHash'>,
  decoding: TransactionDecoding,
): Html {
  if (logs.length === 0) return html`<p class="empty">This transaction has no logs.</p>`;
  const rest = logCount - Math.min(logs.length, maxLogs);
  return html`<ol class="logs">${logs.slice(0, maxLogs).map((log) => logView(log, txHash, decoding))}</ol>${
    rest > 0 && html`<p class="muted">and ${grouped(rest)} more: open the complete reply on the tab Raw</p>`
  }`;
}

function logView(log: Detail['logs'][number], hash: string, decoding: TransactionDecoding): Html {
  const decoded = decoding.log(log);
  const raw = html`<ol class="topics" start="0">${log.topics.map((topic) => html`<li><code class="hex whole">${topic}</code></li>`)}</ol><p>${hexView(log.data, `/api/v1/transactions/${hash}`)}</p>`;
  return html`<li><p class="line"><span class="badge">log ${log.logIndex}</span> ${fullAddress(log.address)}</p>${
    decoded
      ? html`${decodedView(decoded)}<details><summary>Topics and data</summary>${raw}</details>`
      : html`<p class="muted">Unknown event: raw topics and data</p>${raw}`
  }</li>`;
}

export function rawView({ input, ...fields }: Detail): Html {
  const { index: _, logs: __, tokenTransfers: ___, ...plain } = fields;
  return html`<h2>Call data</h2>${callDataView(input, fields.txHash)}<h2>Fields</h2><pre class="raw">${JSON.stringify(plain, null, 2)}</pre>
<p><a href="/api/v1/transactions/${fields.txHash}">Complete reply as JSON</a></p>`;
}
