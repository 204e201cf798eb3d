/** @source docs/economy.md#supply-apiv1supply */
import { fat } from '../read/charts/decimals.ts';
import type { SupplyReaderDeps } from '../read/supply/supply-reader.ts';
import type { CompatibleAction } from './action.ts';

export const coinSupplyWei: CompatibleAction<SupplyReaderDeps> = async ({ deps }) =>
  (await deps.supply.read(deps)).total.toString();

export const coinSupply: CompatibleAction<SupplyReaderDeps> = async ({ deps }) =>
  fat((await deps.supply.read(deps)).circulating);

/** Amounts are in wei. Some are 0, because the chain has no staking and no beacon chain. */
export const coinSupplyParts: CompatibleAction<SupplyReaderDeps> = async ({ deps }) => {
  const { total, feesBurned } = await deps.supply.read(deps);
  return { EthSupply: total.toString(), Eth2Staking: '0', BurntFees: feesBurned.toString(), WithdrawnTotal: '0' };
};
