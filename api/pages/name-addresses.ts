/**
 * Replaces addresses by names, and marks similar addresses. Works on the links of parts/links.ts in the finished page,
 * so that a page needs only one look-up of names.
 */

import { Html, html } from '../drawing/html.ts';
import type { AddressName } from '../read/registry/address-names.ts';
import { detectDisguise, readableText } from './parts/chain-text.ts';
import { copyable, shortHex } from './parts/links.ts';

/** Matches a link of addressLink() or bareLink(). Text from the chain cannot match, because html`` escapes it. */
const link = /<a class="(hex|hex bare)" data-address="(0x[0-9a-f]{40})" href="([^"]*)" title="([^"]*)">[^<]*<\/a>/g;
const anyAddress = /data-address="(0x[0-9a-f]{40})"/g;

const kindNames = { label: '', token: 'token', contract: 'contract' } as const;

/** @param readNames returns names by lower-case address */
export async function nameAddresses(
  page: Html,
  coin: string,
  readNames: (addresses: ReadonlySet<string>) => Promise<ReadonlyMap<string, AddressName>>,
): Promise<Html> {
  const addresses = new Set([...page.text.matchAll(anyAddress)].map(([, address = '']) => address));
  if (addresses.size === 0) return page;
  const names = await readNames(addresses);
  const alike = findLookAlikes(addresses);
  const text = page.text.replace(link, (plain, style: string, address: string, href: string, whole: string) => {
    const name = names.get(address);
    const warning = alike.has(address) ? lookAlikeMark.text : '';
    if (!name || style !== 'hex' || detectDisguise(name.text, coin) !== undefined)
      return plain + copyable(whole, 'address').text + warning;
    const kind = kindNames[name.kind];
    // anyone can choose the name of a token or contract, so keep its address visible
    const short = name.kind === 'label' ? '' : shortHex(whole);
    const named = html`<span class="party"><a class="named" data-address="${address}" href="${href}" title="${whole}"><bdi>${readableText(name.text)}</bdi></a>${kind && html` <small class="muted">${kind} <span class="hex">${short}</span></small>`}${copyable(whole, 'address')}</span>`;
    return named.text + warning;
  });
  return new Html(text.replace(place, (_, address: string) => nameBeside(names.get(address), coin)));
}

/** Matches the empty element for a name beside a full address. */
const place = /<span class="named-too" data-address="(0x[0-9a-f]{40})"><\/span>/g;

function nameBeside(name: AddressName | undefined, coin: string): string {
  if (!name || detectDisguise(name.text, coin) !== undefined) return '';
  const kind = kindNames[name.kind];
  return html` <span class="badge"><bdi>${readableText(name.text)}</bdi>${kind && html` ${kind}`}</span>`.text;
}

const lookAlikeMark = html` <span class="warn-text" title="Another address on this page has the same first and last digits">look-alike</span>`;

/** Returns the addresses whose short form equals that of another address. */
function findLookAlikes(addresses: ReadonlySet<string>): ReadonlySet<string> {
  const byShort = new Map<string, string[]>();
  for (const address of addresses) {
    const short = shortHex(address);
    byShort.set(short, [...(byShort.get(short) ?? []), address]);
  }
  return new Set([...byShort.values()].filter((same) => same.length > 1).flat());
}
