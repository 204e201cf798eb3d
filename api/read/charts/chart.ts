import { fixedSeconds, type Resolution, resolutions } from '../../terms/buckets.ts';
import type { ActorKind, CountName, ExtremeName, Figures, RankName } from '../../terms/figures.ts';
import { ratio } from './decimals.ts';
import type { OwnSeries, SubjectKind } from './own-series.ts';
import type { ChartQuery } from './query-charts.ts';
import { querySeries } from './query-series.ts';
import type { TradeSum } from './trade-series.ts';

export const sections = {
  accounts: 'Accounts',
  transactions: 'Transactions',
  blocks: 'Blocks',
  gas: 'Gas and fees',
  tokens: 'Tokens',
  contracts: 'Contracts',
  user_ops: 'User operations',
  network: 'Network',
  subjects: 'By validator, method, token, account or pool',
  market: 'Market',
} as const;

export interface Chart {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly section: keyof typeof sections;
  readonly title: string;
  readonly unit: string | null;
  readonly definition: string;
  readonly tables: readonly string[];
  readonly resolutions: readonly Resolution[];
  /** `flow`: sum per time bucket; `rate`: average or share; `growth`: running total. */
  readonly kind: 'flow' | 'rate' | 'growth';
  readonly readsActive?: boolean;
  readonly part?: (figures: Figures) => bigint;
  /** Converts a running total of `part` to a chart value. */
  readonly showTotal?: (total: bigint) => string;
  readonly tradeValue?: (sum: TradeSum) => string | null;
  readonly ownSeries?: OwnSeries;
  /** Computes weeks, months and years if these can't be computed from days. */
  readonly periodSeries?: OwnSeries;
  readonly subject?: SubjectKind;
  /** Seconds after the end of a bucket in which its value can change. */
  readonly openSeconds?: number;
  /** Values need all earlier blocks: for first occurrences, balances, or trades (which depend on pool reserves). */
  readonly needsAllBlocks?: boolean;
  readonly value: (figures: Figures) => string | null;
}

type More = Partial<Pick<Chart, 'aliases' | 'tables' | 'resolutions' | 'periodSeries' | 'needsAllBlocks'>>;
export type Head = readonly [
  id: string,
  section: Chart['section'],
  title: string,
  unit: string | null,
  definition: string,
];

const fixed = Object.keys(fixedSeconds) as Resolution[];
const defaults = { aliases: [], tables: ['blocks', 'transactions'], resolutions };

const chart = (
  kind: Chart['kind'],
  [id, section, title, unit, definition]: Head,
  value: Chart['value'],
  more: More = {},
): Chart => ({
  ...defaults,
  ...more,
  id,
  section,
  title,
  unit,
  definition,
  kind,
  value,
});
export const flow = (head: Head, value: (figures: Figures) => bigint | string, more?: More) =>
  chart('flow', head, (figures) => String(value(figures)), more);
/** Counts of distinct addresses can't be added up, because addresses repeat. */
export const distinct: typeof flow = (head, value, more) => ({ ...flow(head, value, more), readsActive: true });
/** Counts first occurrences of addresses. */
export const firsts = (head: Head, kind: ActorKind, more: More = {}) =>
  flow(head, fresh(kind), { ...more, needsAllBlocks: true });
export const rate = (head: Head, value: Chart['value'], more?: More) => chart('rate', head, value, more);
export const growth = (
  head: Head,
  part: (figures: Figures) => bigint,
  more?: More,
  showTotal: (total: bigint) => string = String,
): Chart => ({
  ...chart('growth', head, (figures) => showTotal(part(figures)), more),
  part,
  showTotal,
});

export const tradeChart = (
  kind: 'flow' | 'rate',
  head: Head,
  value: (sum: TradeSum) => string | null,
  aliases: readonly string[] = [],
): Chart => ({
  ...chart(kind, head, () => null, { tables: ['swaps'], aliases, needsAllBlocks: true }),
  tradeValue: value,
});

export const customChart = (
  kind: 'flow' | 'rate' | 'growth',
  head: Head,
  ownSeries: OwnSeries,
  more: More & Pick<Chart, 'subject' | 'openSeconds'> = {},
): Chart => ({ ...chart(kind, head, () => null, more), ...more, ownSeries });

/** Counts distinct values of a dataset field. */
export const distinctChart = (of: ChartQuery['of'], field: string, head: Head, more: More = { tables: [of] }): Chart =>
  customChart('flow', head, querySeries({ of, measure: 'distinct', field }), more);

export const count = (name: CountName) => (figures: Figures) => figures.counts[name];
export const perBlock =
  (name: CountName, digits: number) =>
  ({ counts }: Figures) =>
    ratio(counts[name], counts.block_count, digits);
export const perTx =
  (name: CountName, scale: bigint, digits: number) =>
  ({ counts }: Figures) =>
    ratio(counts[name], counts.transaction_count * scale, digits);
export const share =
  (part: CountName, whole: CountName) =>
  ({ counts }: Figures) =>
    ratio(counts[part], counts[whole], 6);
export const extreme =
  (name: ExtremeName, show: (value: bigint) => string) =>
  ({ extremes }: Figures) =>
    extremes[name] === null ? null : show(extremes[name]);
export const rank =
  (name: RankName, show: (value: bigint) => string) =>
  ({ ranks }: Figures) =>
    ranks[name] === null ? null : show(ranks[name]);
export const active =
  (kind: ActorKind) =>
  ({ actors }: Figures) =>
    actors[kind].active;
export const fresh =
  (kind: ActorKind) =>
  ({ actors }: Figures) =>
    actors[kind].fresh;

export const logs = { tables: ['logs'] };
export const ranked = { resolutions: fixed };
/** Computes percentiles of weeks, months and years from rows: percentiles of days can't be combined. */
export const rankedBy = (query: ChartQuery, show: (value: bigint) => string): More => ({
  periodSeries: querySeries(query, (value) => show(BigInt(value))),
});
export const byDay = { resolutions: ['day', 'week', 'month', 'year'] as Resolution[] };
export const weiPerFat = 10n ** 18n;
