import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { chainText } from './chain-text.ts';
import { shortHex } from './links.ts';

interface ListedNft {
  readonly tokenId: string;
  readonly metadata: { readonly name: string | null; readonly picture: string | null };
}

export function nftLink(contract: string, { tokenId, metadata }: ListedNft, coin: string): Html {
  const { name, picture } = metadata;
  return html`<a class="nft" href="/nft/${contract}?id=${tokenId}" title="${tokenId}">${picture !== null && html`<img src="${picture}" alt="" width="32" height="32" loading="lazy">`}<span>#${shortHex(grouped(tokenId), 16, 8)}${name !== null && html` <small class="muted">${chainText(name, coin)}</small>`}</span></a>`;
}
