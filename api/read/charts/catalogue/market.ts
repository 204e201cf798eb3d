/** Charts of the decentralised exchange. */
import { dollars, priceOf } from '../../market/price.ts';
import { type Chart, ofTrades } from '../chart.ts';
import { fat } from '../decimals.ts';

export const marketCharts: readonly Chart[] = [
  ofTrades(
    'rate',
    [
      'fatPrice',
      'market',
      'Price of FAT',
      'USD',
      'Average of the trades on the decentralised exchange, weighted by volume; trades far from the median of their day do not count',
    ],
    ({ quote, base }) => priceOf(quote, base),
    ['etherprice'],
  ),
  ofTrades(
    'flow',
    ['fatVolume', 'market', 'Traded FAT', 'FAT', 'FAT bought and sold in the trades that make the price'],
    ({ base }) => fat(base),
  ),
  ofTrades(
    'flow',
    ['fatVolumeUsd', 'market', 'Traded value', 'USD', 'Dollars paid and received in the trades that make the price'],
    ({ quote }) => dollars(quote),
  ),
  ofTrades('flow', ['fatTrades', 'market', 'Trades', null, 'Trades that make the price'], ({ trades }) =>
    String(trades),
  ),
];
