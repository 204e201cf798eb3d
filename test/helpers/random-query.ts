/** Chooses queries of statistics at random. */
import {
  type DatasetName,
  datasetNames,
  datasets,
  type FilterName,
  type Measure,
  measures,
  transferKinds,
} from '#api/read/query/datasets.ts';
import type { Random } from '#devchain/random.ts';
import { getTransfers } from './chart-model.ts';
import { getTrades, type ModelQuery, type QueryChain } from './query-model.ts';

/** The hours of a year in 50 groups are more values than a reply may have. */
const longer = ['day', 'week', 'month', 'year', 'all'];
const resolutions = ['hour', ...longer];

/** Chooses a query with compatible parameters and values from the chain. */
export function randomQuery(random: Random, chain: QueryChain): ModelQuery {
  const { blocks } = chain;
  const of = random.pick(datasetNames);
  const { fields, keys, filters } = datasets[of] as { fields: object; keys: object; filters: readonly FilterName[] };
  const groupBy = [
    ...new Set(
      Object.keys(keys).length === 0
        ? []
        : Array.from({ length: random.between(0, 2) }, () => random.pick(Object.keys(keys))),
    ),
  ];
  const chosen: Record<string, string[]> = {};
  for (const name of filters) if (random.chance(0.2)) chosen[name] = pickValues(random, of, name, chain);
  if (chosen.counterparty && !chosen.account) delete chosen.counterparty;
  const usable = measures.filter((measure) => isUsable(measure, Object.keys(fields)));
  const measure = random.pick(usable);
  const isKeyed = measure === 'distinct' || measure === 'new';
  const field = measure === 'count' ? {} : { field: random.pick(Object.keys(isKeyed ? keys : fields)) };
  if (of === 'token_transfers' && measure !== 'count' && !isKeyed)
    chosen.token = [random.pick(getTransfers(blocks)).token];
  return {
    of,
    measure,
    ...field,
    filters: chosen,
    groupBy,
    resolution: random.pick(groupBy.length === 0 ? resolutions : longer),
  };
}

const isUsable = (measure: Measure, fields: readonly string[]) =>
  measure !== 'share' && (fields.length > 0 || /count|distinct|new/.test(measure));

function pickValues(random: Random, of: DatasetName, name: FilterName, chain: QueryChain): string[] {
  const { blocks, calls } = chain;
  const transaction = () => random.pick(blocks.filter(({ txs }) => txs.length > 0).flatMap(({ txs }) => txs));
  const log = () => random.pick(blocks.flatMap(({ logs }) => logs));
  const transfer = () =>
    random.pick(of === 'nft_trades' && random.chance(0.7) ? getTrades(blocks) : getTransfers(blocks));
  const call = () => random.pick(calls);
  const some = (one: () => string) => [...new Set(Array.from({ length: random.between(1, 3) }, one))];
  const isCall = of === 'internal_creations' || (of === 'native_transfers' && random.chance(0.5));
  const isToken = of === 'token_transfers' || of === 'nft_trades';
  switch (name) {
    case 'sender':
      return some(() => (isCall ? call().from : isToken ? transfer().from : transaction().from));
    case 'account':
    case 'counterparty':
    case 'recipient':
      return some(() =>
        isCall ? call().to || call().from : isToken ? transfer().to : (transaction().to ?? transaction().from),
      );
    case 'contract':
      return some(() => log().address);
    case 'creator':
      if (isCall) return some(() => call().from);
      return some(() => blocks.flatMap(({ txs }) => txs).find(({ created }) => created !== null)!.from);
    case 'producer':
      return some(() => random.pick(blocks).miner);
    case 'token':
      return some(() => transfer().token);
    case 'method':
      return some(() => {
        const { to, input } = transaction();
        return to === null || input.length < 10 ? '0x' : input.slice(0, 10);
      });
    case 'type':
      return some(() => String(random.between(0, 3)));
    case 'status':
      return [random.pick(['success', 'failure'])];
    case 'standard':
      return some(() => random.pick(['erc20', 'erc721', 'erc1155']));
    case 'kind':
      return some(() => random.pick(transferKinds));
    case 'minValue':
    case 'maxValue':
      return [String(isCall ? call().value : isToken ? transfer().value : transaction().value)];
    default:
      return some(() => log().topics[Number(name.slice(5))] ?? `0x${'1'.repeat(64)}`);
  }
}
