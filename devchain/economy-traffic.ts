/** Plans trades and migrations. A migration burns a legacy token, and the bridge pays coins in the same block. */

import { id } from 'ethers';
import { known } from '#runtime/known.ts';
import { migrationProof } from './economy.ts';
import type { Random } from './random.ts';
import type { TransactionRequest } from './transaction-request.ts';
import type { World } from './world.ts';

const tradeEvery = 3;
const migrationEvery = 20;
const migrants = 9;

export function planEconomy(world: World, random: Random, number: number): TransactionRequest[] {
  return [
    ...(number % tradeEvery === 0 ? [planTrade(world, random)] : []),
    ...(number % migrationEvery === 0 ? planMigration(world, random, number) : []),
  ];
}

function planTrade({ economy, contracts, wfatIsToken0 }: World, random: Random): TransactionRequest {
  const sellsWfat = random.chance(0.5);
  const amount = sellsWfat ? BigInt(random.between(1, 40)) * 10n ** 17n : BigInt(random.between(1, 80)) * 10n ** 5n;
  const from = random.pick(economy.traders);
  const data = contracts.Pool.abi.encodeFunctionData('swapExactIn', [sellsWfat === wfatIsToken0, amount, from]);
  return { from, to: economy.pool, data, gas: 300_000 };
}

function planMigration({ economy, contracts, accounts }: World, random: Random, number: number): TransactionRequest[] {
  const origin = random.pick([1, 2]);
  const amount = BigInt(random.between(1, 900)) * 10n ** 18n + BigInt(random.between(0, 1e9));
  const reference = id(`burn ${origin} ${number}`);
  const recipient = random.pick(accounts.slice(0, migrants));
  const token = known(economy.legacyTokens[origin - 1], 'the token of the origin chain');
  const send = (to: string, data: string) => ({ from: economy.migrant, to, data, gas: 400_000 });
  return [
    send(token, contracts.LegacyToken.abi.encodeFunctionData('burn', [reference, amount])),
    send(
      economy.bridge,
      contracts.LegacyBridge.abi.encodeFunctionData('mint', migrationProof(origin, reference, recipient, amount)),
    ),
  ];
}
