import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { TypedFields } from '../../read/chain/typed-fields.ts';
import { fullAddress } from '../parts/links.ts';
import { counted } from '../parts/number.ts';

/** Maximum list entries on the page. The API reply has all. */
const maxShown = 50;

export function typedFieldsView({ accessList, blobVersionedHashes, authorizationList }: TypedFields): Html {
  return html`${section(
    'Access list',
    'The sender announced these contracts and storage slots and paid for them in advance (EIP-2930).',
    accessList,
    ({ address, storageKeys }) =>
      html`<p class="line">${fullAddress(address)} <span class="muted">${counted(storageKeys.length, 'slot')}</span></p>${slotsView(storageKeys)}`,
  )}${section(
    'Blobs',
    'Versioned hashes of the blobs that the transaction carries (EIP-4844). Nodes keep the blobs for some weeks.',
    blobVersionedHashes,
    (hash) => html`<code class="hex whole">${hash}</code>`,
  )}${section(
    'Authorizations',
    'Accounts that let a contract run as their code (EIP-7702). An authorization takes effect only if its nonce is the nonce of the account.',
    authorizationList,
    ({ authority, address, nonce, chainId }) =>
      html`<p class="line">${authority === null ? html`<span class="bad-text">invalid signature</span>` : fullAddress(authority)}</p><p class="line"><span class="muted">runs the code of</span> ${fullAddress(address)}</p><p class="muted">nonce ${grouped(nonce)}, ${chainId === '0' ? 'valid on all chains' : `chain ${chainId}`}</p>`,
  )}`;
}

function slotsView(keys: readonly string[]): Html | false {
  if (keys.length === 0) return false;
  return html`<details><summary>Slots</summary><ul>${keys.slice(0, maxShown).map((key) => html`<li><code class="hex whole">${key}</code></li>`)}</ul>${more(keys.length)}</details>`;
}

function section<T>(title: string, note: string, list: readonly T[] | null, view: (one: T) => Html): Html | false {
  if (!list?.length) return false;
  return html`<h2>${title}</h2><p class="muted">${note}</p><ol class="logs">${list.slice(0, maxShown).map((one) => html`<li>${view(one)}</li>`)}</ol>${more(list.length)}`;
}

const more = (count: number) =>
  count > maxShown &&
  html`<p class="muted">and ${grouped(count - maxShown)} more: see the complete reply on the tab Raw</p>`;
