/** @source docs/economy.md#supply-apiv1supply */
import { fat } from '../read/charts/decimals.ts';
import { supplyHeaders } from '../read/supply/as-of.ts';
import type { SupplyReaderDeps } from '../read/supply/supply-reader.ts';
import type { CompatibleAction, CompatibleRequest } from './action.ts';

/** Reads the supply and sets headers with its block. */
async function readSupply({ deps, headers }: CompatibleRequest<SupplyReaderDeps>) {
  const supply = await deps.supply.read(deps);
  Object.assign(headers, await supplyHeaders(deps, supply));
  return supply;
}

export const coinSupplyWei: CompatibleAction<SupplyReaderDeps> = async (request) =>
  (await readSupply(request)).total.toString();

export const coinSupply: CompatibleAction<SupplyReaderDeps> = async (request) =>
  fat((await readSupply(request)).circulating);

/** In wei. Some amounts are 0, because the chain has no staking and no beacon chain. */
export const coinSupplyParts: CompatibleAction<SupplyReaderDeps> = async (request) => {
  const { total, feesBurned } = await readSupply(request);
  return { EthSupply: total.toString(), Eth2Staking: '0', BurntFees: feesBurned.toString(), WithdrawnTotal: '0' };
};
