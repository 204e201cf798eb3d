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

/**
 * Returns amounts in wei. The total supply is EthSupply minus BurntFees: Etherscan's EthSupply is the amount before burned
 * fees. Two amounts are 0, because the chain has no staking and no beacon chain. @source Etherscan docs, Get Total Supply of
 * Ether 2
 */
export const coinSupplyParts: CompatibleAction<SupplyReaderDeps> = async (request) => {
  const { total, feesBurned } = await readSupply(request);
  const burned = request.deps.settings.supply.areFeesBurned ? feesBurned : 0n;
  const supply = (total + burned).toString();
  return { EthSupply: supply, Eth2Staking: '0', BurntFees: burned.toString(), WithdrawnTotal: '0' };
};
