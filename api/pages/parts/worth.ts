/**
 * Shows amounts of the coin in dollars too. Pages mark the place; this step fills all places of a finished page with one
 * price, so that a page needs no more than one look-up and its amounts agree.
 */
import { Html, html } from '../../drawing/html.ts';
import { dollars } from './number.ts';

/** The place of an amount in dollars, beside the same amount in coins. It stays empty without a price. @param wei decimal */
export const worth = (wei: string): Html | false => wei !== '0' && html`<span class="worth" data-wei="${wei}"></span>`;

const place = /<span class="worth" data-wei="(\d+)"><\/span>/g;

/** True if a page has a place for an amount in dollars. */
export const hasWorth = ({ text }: Html): boolean => text.includes(' data-wei="');

/** @param price dollars per coin; undefined: unknown */
export function priceAmounts(page: Html, price: number | undefined): Html {
  return new Html(page.text.replace(place, (_, wei: string) => (price === undefined ? '' : amount(wei, price))));
}

const amount = (wei: string, price: number) =>
  html` <small class="worth" title="at the average price of the last 24 hours">${dollars((Number(wei) / 1e18) * price)}</small>`
    .text;
