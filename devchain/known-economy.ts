import { getCreateAddress } from 'ethers';
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
