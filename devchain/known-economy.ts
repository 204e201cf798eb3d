import { getCreateAddress } from 'ethers';
import type { Config } from '#runtime/config.ts';
import { getFirst } from '#runtime/lists.ts';
import { devTreasury } from './anvil.ts';
import { devWallet } from './dev-wallets.ts';
import { economyAddresses } from './economy.ts';

export interface KnownEconomy {
  readonly wrapped: string;
  readonly dollars: readonly string[];
  readonly factories: readonly string[];
  readonly bridge: string;
  /** Old tokens that users burn to migrate to this chain. The dev chain also acts as both origin chains. */
  readonly legacyTokens: readonly [string, string];
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
}

let known: KnownEconomy | undefined;

export function devEconomy(): KnownEconomy {
  known ??= compute();
  return known;
}

/** Adds the dev chain's contracts to a configuration without RPC_URL, unless the operator has set others. */
export function withDevEconomy(config: Config): Config {
  if (config.RPC_URL) return config;
  const { wrapped, dollars, factories, bridge, excluded, legacyTokens } = devEconomy();
  const ownOrDev = <T>(own: T[], others: readonly T[]): T[] => (own.length > 0 ? own : [...others]);
  const origin = (at: 1 | 2) => {
    const own = { url: config[`ORIGIN_${at}_URL`], token: config[`ORIGIN_${at}_TOKEN`] };
    const { url, token } = own.url === undefined ? { url: getFirst(config.rpcUrls), token: legacyTokens[at - 1] } : own;
    return { [`ORIGIN_${at}_URL`]: url, [`ORIGIN_${at}_TOKEN`]: token };
  };
  return {
    ...config,
    WFAT_ADDRESS: config.WFAT_ADDRESS ?? wrapped,
    STABLECOINS: ownOrDev(config.STABLECOINS, dollars),
    DEX_FACTORIES: ownOrDev(config.DEX_FACTORIES, factories),
    SUPPLY_EXCLUDED: ownOrDev(config.SUPPLY_EXCLUDED, excluded),
    BRIDGE_ADDRESS: config.BRIDGE_ADDRESS ?? bridge,
    ...origin(1),
    ...origin(2),
  };
}

function compute(): KnownEconomy {
  const deployed = (nonce: number) => getCreateAddress({ from: devWallet(0).address, nonce }).toLowerCase();
  const { poolFactory, bridge, legacyTokens } = economyAddresses(devWallet(6).address);
  return {
    wrapped: deployed(0),
    dollars: [deployed(1)],
    factories: [deployed(6), poolFactory],
    bridge,
    legacyTokens,
    excluded: [
      { address: devTreasury, reason: 'treasury of the dev chain' },
      { address: bridge, reason: 'bridge: not migrated yet' },
    ],
  };
}
