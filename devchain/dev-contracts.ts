import { getCreateAddress } from 'ethers';
import { devCards } from './cards.ts';
import type { ContractName } from './compile-contracts.ts';
import { devWallet } from './dev-wallets.ts';
import { economyAddresses } from './economy.ts';
import { showcaseContracts } from './showcase.ts';
import { devTestimonyContract } from './testimony.ts';

export interface DevContract {
  readonly address: string;
  readonly name: ContractName;
  /** Source file in devchain/contracts. */
  readonly path: string;
}

/** Returns at least one dev contract per source. Omitted contracts have the same source as a returned one. */
export function listDevContracts(): DevContract[] {
  const at = (nonce: number, from = devWallet(0).address) => getCreateAddress({ from, nonce }).toLowerCase();
  const { poolFactory, pool, legacyTokens, bridge } = economyAddresses(devWallet(6).address);
  const file = (path: string, ...contracts: (readonly [ContractName, string])[]) =>
    contracts.map(([name, address]) => ({ path, name, address }));
  return [
    ...file('tokens.sol', ['WrappedFat', at(0)], ['Token20', at(1)], ['Nft721', at(4)], ['Multi1155', at(5)]),
    ...file('exchange.sol', ['PairFactory', at(6)], ['Pair', at(1, at(6))], ['Payout', at(7)]),
    ...file('economy.sol', ['PoolFactory', poolFactory], ['Pool', pool], ['LegacyToken', legacyTokens[0]]),
    ...file('economy.sol', ['LegacyBridge', bridge]),
    ...file('testimony.sol', ['Testimony', devTestimonyContract()]),
    ...file('cards.sol', ['TradingCards', devCards()]),
    ...file('showcase.sol', ...showcaseContracts().map(({ name, address }) => [name, address] as const)),
    ...file('tokens.sol', ['Token20', at(2)]),
    ...file('economy.sol', ['LegacyToken', legacyTokens[1]]),
  ];
}
