import { emissionOfBuckets } from '../../supply/emitted.ts';
import {
  type Chart,
  count,
  customChart,
  extreme,
  flow,
  growth,
  perBlock,
  perTx,
  rank,
  ranked,
  rankedBy,
  rate,
  share,
  weiPerFat,
} from '../chart.ts';
import { fat, gwei, ratio } from '../decimals.ts';
import { type OwnSeries, requestWindow } from '../own-series.ts';

const rewardWords = 'Fees minus burned fees, plus emission if REWARD_CONTRACT or EMISSION_METHOD is set';

const rewards =
  (show: (reward: { readonly wei: bigint; readonly blocks: bigint }) => string | null): OwnSeries =>
  async (request) => {
    const { deps, state, resolution } = request;
    const [series, emitted] = await Promise.all([
      deps.series.read(resolution, state, requestWindow(request)),
      emissionOfBuckets(deps, state, request),
    ]);
    return new Map(
      [...series].map(([time, { counts }]) => {
        const wei = counts.fees - counts.burned + (emitted.get(time) ?? 0n);
        return [time, show({ wei, blocks: counts.block_count })];
      }),
    );
  };

export const blockAndGasCharts: readonly Chart[] = [
  flow(['newBlocks', 'blocks', 'New blocks', null, 'Number of blocks'], count('block_count'), { aliases: ['blocks'] }),
  rate(
    ['averageBlockSize', 'blocks', 'Average block size', 'bytes', 'Mean size of the blocks'],
    perBlock('block_bytes', 3),
    { aliases: ['blocksize'] },
  ),
  rate(
    ['averageBlockTime', 'blocks', 'Average block time', 's', 'Mean time since the previous block'],
    ({ counts }) => ratio(counts.interval_seconds, counts.interval_count, 3),
    { aliases: ['blocktime'] },
  ),
  rate(
    [
      'blockTimeP95',
      'blocks',
      'Block time, 95th percentile',
      's',
      '95th percentile of the time since the previous block',
    ],
    rank('interval_p95', String),
    ranked,
  ),
  rate(
    ['blockTimeMax', 'blocks', 'Longest block time', 's', 'Maximum time since the previous block'],
    // null if the time bucket has only block 0, which has no previous block
    (figures) => (figures.counts.interval_count === 0n ? null : extreme('interval_max', String)(figures)),
  ),
  rate(
    ['emptyBlockShare', 'blocks', 'Share of empty blocks', null, 'Blocks without transactions divided by all blocks'],
    share('empty_block_count', 'block_count'),
  ),
  customChart(
    'rate',
    ['averageBlockRewards', 'blocks', 'Average block reward', 'FAT', `${rewardWords}, per block`],
    rewards(({ wei, blocks }) => ratio(wei, blocks * weiPerFat, 18)),
    { aliases: ['blockreward'], tables: ['blocks', 'logs'] },
  ),
  customChart(
    'flow',
    ['newBlockRewards', 'blocks', 'Block rewards', 'FAT', rewardWords],
    rewards(({ wei }) => fat(wei)),
    { tables: ['blocks', 'logs'] },
  ),

  flow(['txnsFee', 'gas', 'Transaction fees', 'FAT', 'Fees of all transactions'], ({ counts }) => fat(counts.fees), {
    aliases: ['transactionfee'],
  }),
  rate(
    ['averageTxnFee', 'gas', 'Average transaction fee', 'FAT', 'Fees divided by transactions'],
    perTx('fees', weiPerFat, 18),
    { aliases: ['avg-txfee'] },
  ),
  rate(
    ['medianTxnFee', 'gas', 'Median transaction fee', 'FAT', 'Median of fees'],
    rank('fee_p50', fat),
    rankedBy({ of: 'transactions', measure: 'p50', field: 'fee' }, fat),
  ),
  rate(
    ['txnFeeP90', 'gas', 'Transaction fee, 90th percentile', 'FAT', '90th percentile of fees'],
    rank('fee_p90', fat),
    rankedBy({ of: 'transactions', measure: 'p90', field: 'fee' }, fat),
  ),
  rate(
    ['txnFeeP99', 'gas', 'Transaction fee, 99th percentile', 'FAT', '99th percentile of fees'],
    rank('fee_p99', fat),
    rankedBy({ of: 'transactions', measure: 'p99', field: 'fee' }, fat),
  ),
  flow(
    ['burnedFees', 'gas', 'Burned fees', 'FAT', 'Base fee times gas used, plus blob fees'],
    ({ counts }) => fat(counts.burned),
    { aliases: ['dailyethburnt'] },
  ),
  growth(
    ['burnedFeesGrowth', 'gas', 'Burned fees in total', 'FAT', 'Burned fees up to the end of the bucket'],
    count('burned'),
    {},
    fat,
  ),
  rate(
    ['averagePriorityFee', 'gas', 'Average priority fee', 'gwei', 'Fees that are not burned, divided by gas used'],
    ({ counts }) => ratio(counts.fees - counts.burned, counts.gas_used * 10n ** 9n, 9),
  ),
  rate(
    ['averageGasPrice', 'gas', 'Average gas price', 'gwei', 'Mean effective gas price of transactions'],
    perTx('gas_price_sum', 10n ** 9n, 9),
    { aliases: ['gasprice'] },
  ),
  rate(
    ['minGasPrice', 'gas', 'Lowest gas price', 'gwei', 'Lowest effective gas price'],
    extreme('gas_price_min', gwei),
  ),
  rate(
    ['maxGasPrice', 'gas', 'Highest gas price', 'gwei', 'Highest effective gas price'],
    extreme('gas_price_max', gwei),
  ),
  rate(
    ['medianGasPrice', 'gas', 'Median gas price', 'gwei', 'Median of effective gas prices'],
    rank('gas_price_p50', gwei),
    rankedBy({ of: 'transactions', measure: 'p50', field: 'gas_price' }, gwei),
  ),
  rate(
    ['gasPriceP90', 'gas', 'Gas price, 90th percentile', 'gwei', '90th percentile of effective gas prices'],
    rank('gas_price_p90', gwei),
    rankedBy({ of: 'transactions', measure: 'p90', field: 'gas_price' }, gwei),
  ),
  rate(
    ['gasPriceP99', 'gas', 'Gas price, 99th percentile', 'gwei', '99th percentile of effective gas prices'],
    rank('gas_price_p99', gwei),
    rankedBy({ of: 'transactions', measure: 'p99', field: 'gas_price' }, gwei),
  ),
  rate(['averageGasLimit', 'gas', 'Average gas limit', null, 'Mean gas limit of blocks'], perBlock('gas_limit', 3), {
    aliases: ['gaslimit'],
  }),
  rate(['averageGasUsed', 'gas', 'Average gas used', null, 'Mean gas used per block'], perBlock('gas_used', 3)),
  flow(['gasUsed', 'gas', 'Gas used', null, 'Gas used by all blocks'], count('gas_used'), { aliases: ['gasused'] }),
  growth(
    ['gasUsedGrowth', 'gas', 'Gas used in total', null, 'Gas used up to the end of the bucket'],
    count('gas_used'),
  ),
  rate(
    ['networkUtilization', 'gas', 'Network utilization', null, 'Gas used by blocks divided by their gas limits'],
    share('gas_used', 'gas_limit'),
    { aliases: ['networkutilization'] },
  ),
  flow(
    ['failedGasUsed', 'gas', 'Gas of failed transactions', null, 'Gas used by transactions with status 0'],
    count('failed_gas_used'),
  ),
  flow(
    ['failedFees', 'gas', 'Fees of failed transactions', 'FAT', 'Fees of transactions with status 0'],
    ({ counts }) => fat(counts.failed_fees),
  ),
];
