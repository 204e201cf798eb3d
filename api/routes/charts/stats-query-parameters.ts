/** Parses the parameters of /stats/query, and rejects combinations that make no sense. */
import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import {
  type Dataset,
  datasetNames,
  datasets,
  type FilterName,
  filterNames,
  measures,
  transferKinds,
} from '../../read/query/datasets.ts';
import type { Filters } from '../../read/query/select-rows.ts';
import type { StatsQuery } from '../../read/query/stats-query.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { readLabelledAddresses } from '../../read/registry/labelled-addresses.ts';
import { resolutions } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, integerFrom, MethodId, TxHash, WeiAmount } from '../../terms/primitives.ts';
import { From, To } from './chart-query.ts';
import { pictureFormats } from './picture-reply.ts';

const maxListed = 100;
const maxTop = 50;
/** Maximum addresses that the categories and labels of a filter select. */
const maxAddresses = 2_500;

const toListParameter = <T extends z.ZodType<string, string>>(item: T, description: string, example: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(maxListed, `must have at most ${maxListed} values`))
    .optional()
    .meta({ description, example, type: 'string' });

const maxLabelled = 10;
const labelled = /^(category|label):(.{1,100})$/;

const AddressTerm = z.union([z.string().regex(labelled), Address], {
  error: 'must be an address (0x and 40 hex digits), category:<name> or label:<name>',
});

const exampleAddress = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const addresses = (whose: string) =>
  toListParameter(
    AddressTerm,
    `${whose}: addresses, separated by commas; category:<name> and label:<name> select all addresses of the registry with this category or label, at most ${maxLabelled} of these in all filters`,
    exampleAddress,
  );

const Topic = TxHash.transform((hash) => hash.slice(2));
const topic = (position: string) =>
  toListParameter(Topic, `${position} topic of the log, 0x and 64 hex digits`, `0x${'0'.repeat(64)}`);

const filterShapes = {
  account: addresses('Sender or recipient'),
  counterparty: addresses('Other party in transfers and transactions of `account`'),
  sender: addresses('Sender'),
  recipient: addresses('Recipient; for a contract creation, the new contract'),
  contract: addresses('Contract that emitted the log'),
  creator: addresses('Sender of the transaction that created the contract, in internal_creations the contract'),
  producer: addresses('Validator that produced the block'),
  token: addresses('Token contract'),
  method: toListParameter(
    z.union([MethodId, z.literal('0x').transform(() => '')], 'must be a method id: 0x and 8 hex digits, or 0x'),
    'First 4 bytes of the call data; 0x: transactions that call no method, which are plain transfers of the coin and contract creations',
    '0xa9059cbb',
  ),
  topic0: topic('First'),
  topic1: topic('Second'),
  topic2: topic('Third'),
  topic3: topic('Fourth'),
  type: toListParameter(
    z.string().regex(/^(\d|[1-9]\d|1[0-9]{2}|2[0-4]\d|25[0-5])$/, 'must be a transaction type, 0 to 255'),
    'Type of the transaction (EIP-2718)',
    '2',
  ),
  status: z
    .enum(['success', 'failure'], 'must be success or failure')
    .optional()
    .meta({ description: 'Outcome of the transaction; transactions before Byzantium count as successful' }),
  standard: toListParameter(
    z.enum(['erc20', 'erc721', 'erc1155'], 'must be erc20, erc721 or erc1155'),
    'Standard of the token',
    'erc20',
  ),
  kind: toListParameter(
    z.enum(transferKinds, `must be one of ${transferKinds.join(', ')}`),
    'Cause of a coin transfer: transaction, or the type of an internal call',
    'call',
  ),
  minValue: WeiAmount.optional().meta({ description: 'Smallest value, in wei or the smallest unit of the token' }),
  maxValue: WeiAmount.optional().meta({ description: 'Largest value, in wei or the smallest unit of the token' }),
} as const satisfies Record<FilterName, z.ZodType>;

const fieldsInWords = datasetNames
  .map((name) => `${name}: ${[...Object.keys(datasets[name].fields), ...Object.keys(datasets[name].keys)].join(', ')}`)
  .join('. ');

export const StatsQueryParameters = z.object({
  of: z
    .enum(datasetNames, `must be one of ${datasetNames.join(', ')}`)
    .default('transactions')
    .meta({
      description:
        'Rows to measure. coin_transfers are the transactions that moved coins; native_transfers also contain internal transfers (coins that contracts send), and need traces of all blocks',
    }),
  measure: z
    .enum(measures, `must be one of ${measures.join(', ')}`)
    .default('count')
    .meta({
      description:
        'count: number of rows. sum, average, min, max, p50, p90, p99: of field. distinct: number of different values of field. new: values of field that occur for the first time under these filters. share: rows that match the filters (or their sum of field) divided by all rows of the dataset',
    }),
  field: z
    .string()
    .max(20)
    .optional()
    .meta({ description: `Field that the measure uses. ${fieldsInWords}`, example: 'fee' }),
  ...filterShapes,
  resolution: z
    .enum([...resolutions, 'all'], `must be one of ${resolutions.join(', ')}, all`)
    .default('day')
    .meta({ description: 'Length of the time buckets; all: one value for the complete time range' }),
  from: From,
  to: To,
  groupBy: z
    .string()
    .max(40)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.string()).max(2, 'must name at most two keys'))
    .optional()
    .meta({
      description:
        'One or two fields to group by, separated by a comma; the reply has one series per combination of their values',
      example: 'method',
      type: 'string',
    }),
  top: z
    .string()
    .regex(/^([1-9]|[1-4]\d|50)$/, `must be 1 to ${maxTop}`)
    .transform(Number)
    .default(10)
    .meta({
      ...integerFrom(1, maxTop),
      description: 'Number of groups with their own series; one series adds up all other groups',
    }),
  cumulative: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .meta({ description: 'true: running totals since the first block; only for the measures count, sum and new' }),
  format: z
    .enum(['json', 'csv', ...pictureFormats, 'sql'], 'must be json, csv, svg, png or sql')
    .default('json')
    .meta({
      description: 'Format of the reply. sql: returns the query as SQL over the public views, for POST /sql',
    }),
});

export type GivenQuery = z.output<typeof StatsQueryParameters>;

const cumulativeMeasures: readonly string[] = ['count', 'sum', 'new'];

/**
 * Checks the combination of parameters, and looks up categories and labels.
 * @throws ApiProblem bad_query that lists what is accepted
 */
export async function readStatsQuery(deps: StoreDeps, given: GivenQuery): Promise<StatsQuery> {
  const dataset: Dataset = datasets[given.of];
  const keys = given.groupBy ?? [];
  const isCumulative = given.cumulative === 'true';
  const field = checkField(given, dataset);
  for (const key of keys)
    if (!Object.hasOwn(dataset.keys, key)) throw wrong('groupBy', key, Object.keys(dataset.keys), given.of);
  if (new Set(keys).size < keys.length) throw new ApiProblem('bad_query', 'groupBy must name two different keys');
  if (isCumulative && (!cumulativeMeasures.includes(given.measure) || given.resolution === 'all'))
    throw new ApiProblem(
      'bad_query',
      `cumulative requires one of the measures ${cumulativeMeasures.join(', ')} and a resolution other than all`,
    );
  if (given.measure === 'share' && keys.length > 0)
    throw new ApiProblem('bad_query', 'a share can not be grouped: use count or sum with groupBy');
  const filters = await readFilters(deps, given, dataset);
  assertOneToken(given, filters);
  return {
    of: given.of,
    measure: given.measure,
    field,
    filters,
    resolution: given.resolution,
    from: given.from,
    to: given.to,
    groupBy: keys,
    top: given.top,
    isCumulative,
  };
}

function wrong(name: string, value: string, accepted: readonly string[], of: string): ApiProblem {
  const list = accepted.length > 0 ? `must be one of ${accepted.join(', ')}` : 'is not accepted';
  return new ApiProblem('bad_query', `${name} ${list} for of=${of}, got ${value}`);
}

function checkField({ of, measure, field }: GivenQuery, dataset: Dataset): string | undefined {
  if (measure === 'count' || (measure === 'share' && field === undefined)) {
    if (field === undefined) return undefined;
    throw new ApiProblem('bad_query', 'a count has no field: omit field, or use another measure');
  }
  const isOfKeys = measure === 'distinct' || measure === 'new';
  const accepted = Object.keys(isOfKeys ? dataset.keys : dataset.fields);
  if (field === undefined || !accepted.includes(field)) throw wrong('field', field ?? 'nothing', accepted, of);
  return field;
}

/** Rejects sums over several tokens. A label may select several; a share would divide by the amounts of all tokens. */
function assertOneToken({ of, measure, field, groupBy = [] }: GivenQuery, { token }: Filters): void {
  if (of !== 'token_transfers' || field === undefined || !Object.hasOwn(datasets[of].fields, field)) return;
  if (measure !== 'share' && (token?.length === 1 || groupBy.includes('token'))) return;
  throw new ApiProblem(
    'bad_query',
    'amounts of different tokens can not be added: set token to one token, or groupBy=token',
  );
}

type LabelledTerms = ReadonlyMap<string, readonly string[]>;

async function readFilters(deps: StoreDeps, given: GivenQuery, dataset: Dataset): Promise<Filters> {
  const found = await findLabelled(deps, given);
  const filters: Partial<Record<FilterName, readonly string[]>> = {};
  for (const name of filterNames) {
    const value = given[name];
    if (value === undefined) continue;
    if (!dataset.filters.includes(name))
      throw new ApiProblem(
        'bad_query',
        `of=${given.of} accepts the filters ${dataset.filters.join(', ')}, got ${name}`,
      );
    filters[name] = typeof value === 'string' ? [parseSingle(value)] : readTerms(name, value, found);
  }
  if (filters.counterparty && !filters.account)
    throw new ApiProblem('bad_query', 'counterparty requires the parameter account');
  return filters;
}

const parseSingle = (value: string) => (value === 'success' ? '1' : value === 'failure' ? '0' : value);

/** Returns the addresses of all labels and categories in filters. @throws ApiProblem bad_query */
async function findLabelled(deps: StoreDeps, given: GivenQuery): Promise<LabelledTerms> {
  const terms = filterNames.flatMap((name) => given[name] ?? []).filter((term) => labelled.test(term));
  const distinct = [...new Set(terms)];
  if (distinct.length > maxLabelled)
    throw new ApiProblem(
      'bad_query',
      `a query may name at most ${maxLabelled} labels and categories, got ${distinct.length}`,
    );
  const found = distinct.map(async (term) => {
    const [, by, text = ''] = labelled.exec(term) ?? [];
    return [term, await readLabelledAddresses(deps, by === 'label' ? 'label' : 'category', text)] as const;
  });
  return new Map(await Promise.all(found));
}

/** Returns addresses and bytes as hex digits, other values unchanged. */
function readTerms(name: FilterName, terms: readonly string[], found: LabelledTerms): string[] {
  const values = terms.map((term) => {
    const addresses = found.get(term);
    if (!addresses) return [term.startsWith('0x') ? hexDigits(term) : term];
    if (addresses.length > 0) return addresses;
    throw new ApiProblem('bad_query', `${name}: the registry has no address with ${term.replace(':', ' ')}`);
  });
  const all = [...new Set(values.flat())];
  if (all.length > maxAddresses)
    throw new ApiProblem('bad_query', `${name} must select at most ${maxAddresses} addresses, got ${all.length}`);
  return all;
}
