/**
 * Adds dollar values to coin amounts. Pages render empty elements, which this step fills in the finished page, so that
 * a page looks up the price once.
 */

import { Html, html } from '../../drawing/html.ts';
import { coinAmount, dollars } from './number.ts';

/** Renders the element for a dollar value. It stays empty without a price. @param wei decimal */
export const worth = (wei: string): Html | false => wei !== '0' && html`<span class="worth" data-wei="${wei}"></span>`;

const place = /<span class="worth" data-wei="(\d+)"><\/span>/g;

export const hasWorth = ({ text }: Html): boolean => text.includes(' data-wei="');

/** @param price dollars per coin; undefined: unknown */
export function priceAmounts(page: Html, price: number | undefined): Html {
  return new Html(page.text.replace(place, (_, wei: string) => (price === undefined ? '' : amount(wei, price))));
}

const amount = (wei: string, price: number) =>
  html` <small class="worth" title="at the average price of recent trades">${dollars((Number(wei) / 1e18) * price)}</small>`
    .text;

/** After a failure, strikes the amount out without its dollar value, because nothing was transferred. */
export const movedCoin = (wei: string, coin: string, hasFailed: boolean): Html =>
  hasFailed ? html`<span class="void">${coinAmount(wei, coin)}</span>` : html`${coinAmount(wei, coin)}${worth(wei)}`;
