import { computePrice, dollars } from '../../market/price.ts';
import { type Chart, customChart, tradeChart } from '../chart.ts';
import { fat } from '../decimals.ts';
import { liquidity } from '../liquidity-series.ts';

export const marketCharts: readonly Chart[] = [
  tradeChart(
    'rate',
    [
      'fatPrice',
      'market',
      'Price of FAT',
      'USD',
      'Volume-weighted average price on the decentralised exchange; trades far from the median of their day are excluded',
    ],
    ({ quote, base }) => computePrice(quote, base),
    ['etherprice'],
  ),
  tradeChart(
    'flow',
    ['fatVolume', 'market', 'Traded FAT', 'FAT', 'FAT volume of the trades used for the price'],
    ({ base }) => fat(base),
  ),
  tradeChart(
    'flow',
    ['fatVolumeUsd', 'market', 'Traded value', 'USD', 'Dollar volume of the trades used for the price'],
    ({ quote }) => dollars(quote),
  ),
  tradeChart('flow', ['fatTrades', 'market', 'Trades', null, 'Number of trades used for the price'], ({ trades }) =>
    String(trades),
  ),
  customChart(
    'growth',
    [
      'liquidity',
      'market',
      'Liquidity of pools',
      'USD',
      'Dollar tokens in the liquidity pools of the coin at the end of the bucket, computed from their transfers',
    ],
    liquidity,
    { tables: ['token_transfers'] },
  ),
];
