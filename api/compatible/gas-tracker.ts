/** @source docs/economy.md#gas-apiv1gasoracle */
import { firstGasBlock, readGasPrices, secondsToInclusion } from '../read/chain/gas-prices.ts';
import { gwei } from '../read/charts/decimals.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { assertNewest } from './covered.ts';

/** Default of the parameter `gasprice`, wei. @source Etherscan API, gasestimate */
const defaultGasPrice = '2000000000';

const ratios = 5;

/** Gas prices in gwei: the base fee of the next block plus a tip. */
export const gasOracle: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps> = ({ deps }) =>
  deps.snapshots.run(async (state) => {
    assertNewest(deps, state, firstGasBlock(state));
    const { gasPrices: prices } = await readGasPrices(deps, state);
    const base = BigInt(prices.nextBaseFee ?? 0);
    const price = (level: 'slow' | 'average' | 'fast') => gwei(base + BigInt(prices[level].maxPriorityFeePerGas));
    return {
      LastBlock: String(prices.lastBlock),
      SafeGasPrice: price('slow'),
      ProposeGasPrice: price('average'),
      FastGasPrice: price('fast'),
      suggestBaseFee: gwei(base),
      gasUsedRatio: prices.gasUsedRatio.slice(-ratios).join(','),
    };
  });

/** Estimated seconds until a block includes a transaction with the given gas price. */
export const gasEstimate: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps> = ({ deps, parameters }) => {
  const text = parameters.get('gasprice')?.trim() || defaultGasPrice;
  if (!/^\d{1,30}$/.test(text))
    throw new CompatibleError('Error! Invalid gasprice: must be an amount in wei, at most 30 digits');
  return deps.snapshots.run(async (state) => {
    assertNewest(deps, state, firstGasBlock(state));
    const { gasPrices, rows } = await readGasPrices(deps, state);
    const seconds = secondsToInclusion(rows, BigInt(text) - BigInt(gasPrices.nextBaseFee ?? 0));
    if (seconds === null)
      throw new CompatibleError('Error! gasprice is below the prices that recent blocks accepted: set a higher one');
    return String(Math.ceil(seconds));
  });
};
