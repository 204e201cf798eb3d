import { getAddress } from 'ethers';
import { zeroAddress } from '#chain/codec/hex.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { identicon } from './identicon.ts';

const checksums = new Cache<string>('checksums');

export function checksummed(address: string): string {
  let text = checksums.get(address, anywhere);
  if (text === undefined) {
    text = getAddress(address);
    checksums.set(address, anywhere, text);
  }
  return text;
}

export const shortHex = (hex: string, head = 8, tail = 6): string =>
  hex.length <= head + tail + 3 ? hex : `${hex.slice(0, head)}…${hex.slice(-tail)}`;

type Kind = 'address' | 'token' | 'nft';

/** name-addresses.ts later replaces the digits if the address has a name. */
export const addressLink = (address: string, to: Kind = 'address'): Html => shortLink(address, to, 'hex');

/** As `addressLink`, but always shows digits, for lists whose readers compare addresses: names can be faked. */
export const bareLink = (address: string, to: Kind = 'address'): Html => shortLink(address, to, 'hex bare');

function shortLink(address: string, to: Kind, style: 'hex' | 'hex bare'): Html {
  const text = checksummed(address);
  return html`<a class="${style}" data-address="${address.toLowerCase()}" href="/${to}/${text}" title="${text}">${shortHex(text)}</a>`;
}

/** Shows the zero address by name, and the address `self` without a link. */
export function partyLink(address: string | null, self?: string): Html {
  if (address === null) return html`<span class="muted">–</span>`;
  if (address === zeroAddress)
    return html`<a class="hex muted" href="/address/${zeroAddress}" title="${zeroAddress}">zero address</a>`;
  if (address === self) return html`<span class="hex self" title="${checksummed(address)}">this address</span>`;
  return addressLink(address);
}

export function fullAddress(address: string, to: Kind = 'address'): Html {
  const text = checksummed(address);
  return html`${identicon(text)}<a class="hex whole" data-address="${address.toLowerCase()}" href="/${to}/${text}">${text}</a>${copyable(text, 'address')}<span class="named-too" data-address="${address.toLowerCase()}"></span>`;
}

export function txLink(hash: string): Html {
  return html`<a class="hex" href="/tx/${hash}" title="${hash}">${shortHex(hash, 10, 6)}</a>`;
}

export function blockLink(number: number): Html {
  return html`<a href="/block/${number}">${grouped(number)}</a>`;
}

export function fullHash(hash: string, what = 'hash'): Html {
  return html`<span class="hex whole">${hash}</span>${copyable(hash, what)}`;
}

/** The script turns the element into a copy button. */
export function copyable(text: string, what: string): Html {
  return html`<span class="copy" data-copy="${text}" data-what="${what}"></span>`;
}
