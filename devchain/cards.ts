/** Collectible cards (NFTs). Separate accounts create and trade them, so that other contracts keep their addresses. */
import { getCreateAddress } from 'ethers';
import { known } from '#runtime/known.ts';
import { creationCode } from './compile-contracts.ts';
import { devWallet } from './dev-wallets.ts';
import type { TransactionRequest } from './transaction-request.ts';
import { type World, withSetup } from './world.ts';

const creator = 56;
const collectors = { first: 52, count: 4 };
const soldEvery = 4;
const givenEvery = 40;
const unlimited = (1n << 256n) - 1n;

export function devCards(): string {
  return getCreateAddress({ from: devWallet(creator).address, nonce: 0 }).toLowerCase();
}

/** Adds setup transactions: block 1 creates one card per collector, block 3 allows payments in USDX. */
export function withCards(world: World): World {
  const { accounts, contracts, usdx } = world;
  const owners = accounts.slice(collectors.first, collectors.first + collectors.count);
  const create = {
    from: known(accounts[creator], 'the account that creates the cards'),
    data: creationCode(contracts.TradingCards, [owners]),
    gas: 2_000_000,
  };
  const data = contracts.Token20.abi.encodeFunctionData('approve', [devCards(), unlimited]);
  const mine = [[create], [], owners.map((from) => ({ from, to: usdx, data, gas: 100_000 }))];
  return withSetup(world, mine);
}

/** Plans sales: two of three for coins, one for USDX. Sometimes a collector gives a card away without a sale. */
export function planCardSales(world: World, number: number): TransactionRequest[] {
  if (number % soldEvery !== 0) return [];
  const sale = number / soldEvery;
  const collector = (at: number) =>
    known(world.accounts[collectors.first + (at % collectors.count)], 'the account of a collector');
  const card = 1 + (sale % collectors.count);
  const call = (at: number, method: string, args: readonly unknown[], value = 0n) => ({
    from: collector(at),
    to: devCards(),
    data: world.contracts.TradingCards.abi.encodeFunctionData(method, args),
    gas: 250_000,
    ...(value === 0n ? {} : { value }),
  });
  // the buyer changes each round, so that a card does not stay with its owner
  const buyer = sale + 1 + Math.floor(sale / collectors.count);
  const bought =
    sale % 3 === 0
      ? call(buyer, 'buyWith', [world.usdx, card, 1_000_000 + 10_000 * (sale % 50)])
      : call(buyer, 'buy', [card], BigInt(1 + (sale % 9)) * 10n ** 17n);
  return number % givenEvery === 0 ? [bought, call(buyer, 'give', [collector(buyer + 1), card])] : [bought];
}
