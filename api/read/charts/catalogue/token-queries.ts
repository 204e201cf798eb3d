/** Token charts whose values come from statistics queries (read/query). */

import { zeroAddress } from '#chain/codec/hex.ts';
import { ApiProblem } from '../../../terms/errors.ts';
import { datasets } from '../../query/datasets.ts';
import { readTokenNames } from '../../tokens/token-names.ts';
import { type Chart, customChart, distinctChart } from '../chart.ts';
import { fat } from '../decimals.ts';
import { assertAllTransfers, readHeldDollars } from '../dollar-series.ts';
import { requireDollarDecimals, toDollars } from '../dollar-tokens.ts';
import type { ChartDeps, OwnSeries } from '../own-series.ts';
import type { ChartQuery } from '../query-charts.ts';
import { querySeries, readSums } from '../query-series.ts';
import { sumByBucket } from '../subject-series.ts';

/** @param scale converts a value by the decimals of its token */
const ofStablecoins =
  (
    query: Pick<ChartQuery, 'measure' | 'field'>,
    scale: (value: bigint, decimals: number) => bigint,
    show: (sum: bigint) => string,
  ): OwnSeries =>
  async (request) => {
    const amounts: (readonly [number, bigint])[] = [];
    for (const { address, decimals } of await readStablecoins(request.deps)) {
      const own = { of: 'token_transfers', ...query, filters: { token: [address.slice(2)] } } as const;
      for (const [time, sum] of await readSums(request, own)) amounts.push([time, scale(sum, decimals)]);
    }
    return new Map([...sumByBucket(amounts)].map(([time, sum]) => [time, show(sum)]));
  };

/** Mints come from the zero address, burns go to it. */
const stablecoinSupply: OwnSeries = async (request) => {
  assertAllTransfers(request.deps, request.state);
  const tokens = await readStablecoins(request.deps);
  const mints = tokens.map(({ address: token, decimals }) => ({ address: zeroAddress, token, decimals }));
  return readHeldDollars(request, mints, -1n);
};

/** @throws ApiProblem bad_query if STABLECOINS is empty; indexing if decimals are unknown or above 18 */
async function readStablecoins({ database, settings }: ChartDeps) {
  const { dollars } = settings.price;
  if (dollars.length === 0)
    throw new ApiProblem(
      'bad_query',
      'this service has no stablecoin charts, because its operator did not set STABLECOINS',
    );
  const names = await readTokenNames({ database }, dollars);
  return dollars.map((address) => {
    const { decimals = null } = names.get(address) ?? {};
    return { address, decimals: requireDollarDecimals('stablecoin', address, decimals) };
  });
}

const tokenTransfers = { tables: ['token_transfers'] };
const payments = { tables: ['token_transfers', 'transactions'] };

const standards = [
  ['erc721', 'token721Transfers', 'ERC-721 transfers'],
  ['erc1155', 'token1155Transfers', 'ERC-1155 transfers'],
] as const;

export const tokenQueryCharts: readonly Chart[] = [
  ...standards.map(([standard, id, title]) =>
    customChart(
      'flow',
      [id, 'tokens', title, null, `${title}; each item of a batch counts`],
      querySeries({ of: 'token_transfers', measure: 'count', filters: { standard: [standard] } }),
      tokenTransfers,
    ),
  ),
  distinctChart('token_transfers', 'token', [
    'activeTokens',
    'tokens',
    'Active tokens',
    null,
    'Distinct tokens with a transfer',
  ]),
  distinctChart('token_transfers', 'recipient', [
    'activeTokenRecipients',
    'tokens',
    'Active token recipients',
    null,
    'Distinct recipients of token transfers',
  ]),
  customChart(
    'flow',
    ['newTokens', 'tokens', 'New tokens', null, 'Tokens whose first transfer was in the time bucket'],
    querySeries({ of: 'token_transfers', measure: 'new', field: 'token' }),
    { ...tokenTransfers, needsAllBlocks: true },
  ),
  customChart(
    'flow',
    [
      'newTokenRecipients',
      'tokens',
      'New token recipients',
      null,
      'Accounts that received a token for the first time in the time bucket',
    ],
    querySeries({ of: 'token_transfers', measure: 'new', field: 'recipient' }),
    { ...tokenTransfers, needsAllBlocks: true },
  ),
  customChart(
    'flow',
    ['stablecoinTransfers', 'tokens', 'Stablecoin transfers', null, 'Transfers of the tokens in STABLECOINS'],
    ofStablecoins({ measure: 'count' }, (count) => count, String),
    tokenTransfers,
  ),
  customChart(
    'flow',
    [
      'stablecoinVolume',
      'tokens',
      'Stablecoin volume',
      'USD',
      'Amount of the transfers of the tokens in STABLECOINS, each token at one dollar, mints and burns included',
    ],
    ofStablecoins({ measure: 'sum', field: 'value' }, toDollars, fat),
    tokenTransfers,
  ),
  customChart(
    'growth',
    [
      'stablecoinSupply',
      'tokens',
      'Stablecoin supply',
      'USD',
      'Mints minus burns of the tokens in STABLECOINS since the first block, each token at one dollar',
    ],
    stablecoinSupply,
    tokenTransfers,
  ),
  customChart(
    'flow',
    ['nftTrades', 'tokens', 'NFT trades', null, datasets.nft_trades.title],
    querySeries({ of: 'nft_trades', measure: 'count' }),
    payments,
  ),
  distinctChart(
    'nft_trades',
    'recipient',
    ['nftBuyers', 'tokens', 'NFT buyers', null, 'Distinct accounts that bought an NFT; see NFT trades'],
    payments,
  ),
];
