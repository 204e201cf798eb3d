import { type DatasetName, type FilterName, filterNames, type measures } from './datasets.ts';
import type { StatsQuery } from './stats-query.ts';

export const measureNames: Readonly<Record<(typeof measures)[number], string>> = {
  count: 'Number',
  sum: 'Sum of',
  average: 'Average of',
  min: 'Smallest',
  max: 'Largest',
  p50: 'Median of',
  p90: '90th percentile of',
  p99: '99th percentile of',
  distinct: 'Different values of',
  new: 'New values of',
  share: 'Share of all rows (or of the sum of)',
};

export const datasetTitles: Readonly<Record<DatasetName, string>> = {
  transactions: 'Transactions',
  coin_transfers: 'Coin transfers',
  native_transfers: 'Coin transfers, also internal ones',
  token_transfers: 'Token transfers',
  logs: 'Event logs',
  blocks: 'Blocks',
  contracts: 'New contracts',
  internal_creations: 'Contracts by contracts',
  nft_trades: 'NFT trades',
};

export const titled = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replace('_', ' ');

/** Query of a request, in which labels and categories are not replaced by addresses yet. */
interface GivenQuery extends Pick<StatsQuery, 'of' | 'measure'>, GivenFilters {
  readonly field?: string | undefined;
  readonly groupBy?: readonly string[] | undefined;
  readonly cumulative: 'true' | 'false';
}

type GivenFilters = { readonly [name in FilterName]?: string | readonly string[] | undefined };

/** Describes a query in words, for example "Transactions (status failure): Median of fee, by method". */
export function queryTitle({ of, measure, field, groupBy = [], cumulative, ...given }: GivenQuery): string {
  const filters = filterNames.flatMap((name) =>
    given[name] === undefined ? [] : [`${name} ${inWords(name, given[name])}`],
  );
  const rows = filters.length > 0 ? `${datasetTitles[of]} (${filters.join(', ')})` : datasetTitles[of];
  const measured = field === undefined ? measureNames[measure] : `${measureNames[measure]} ${field}`;
  const shares = field === undefined ? 'Share of all rows' : `Share of the sum of ${field}`;
  const total = cumulative === 'true' ? ', running total' : '';
  return `${rows}: ${measure === 'share' ? shares : measured}${total}${groupBy.length > 0 ? `, by ${groupBy.join(' and ')}` : ''}`;
}

/** Topics and methods have no 0x. */
const inWords = (name: FilterName, values: string | readonly string[]) =>
  [values]
    .flat()
    .map((value) => (/^(topic\d|method)$/.test(name) ? `0x${value}` : value))
    .join(', ');

/** Returns whether values are amounts per time bucket: the scale of their chart then starts at zero. */
export const isFlow = (measure: string, isCumulative: boolean): boolean =>
  /count|sum|distinct|new/.test(measure) && !isCumulative;
