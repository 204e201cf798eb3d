import { creationCode } from './compile-contracts.ts';
import type { Random } from './random.ts';
import type { TransactionRequest } from './transaction-request.ts';
import type { World } from './world.ts';

const fat = 10n ** 18n;

export function planBlock(world: World, random: Random, number: number): TransactionRequest[] {
  return Array.from({ length: blockSize(random, number) }, () => planTransaction(world, random));
}

function blockSize(random: Random, number: number): number {
  if (number % 400 === 399) return random.between(250, 350);
  if (random.chance(0.12)) return 0;
  if (random.chance(0.05)) return random.between(40, 80);
  return random.between(1, 20);
}

type Kind = (world: World, random: Random, from: string) => TransactionRequest;

const kinds: readonly [weight: number, kind: Kind][] = [
  [
    24,
    (w, r, from) => ({
      from,
      to: r.pick(w.accounts),
      value: BigInt(r.between(1, 5_000)) * 10n ** 15n,
      gas: 21_000,
      type: r.pick([0, 1, 2, 2]),
    }),
  ],
  [3, (_w, r, from) => ({ from, to: freshAddress(r), value: BigInt(r.between(1, 900)) * 10n ** 14n, gas: 21_000 })],
  [2, (w, r, from) => ({ from, to: r.pick(w.accounts), value: 0n, gas: 30_000, data: '0x636f7264' })],
  [
    30,
    (w, r, from) =>
      call(w, 'Token20', r.pick(w.tokens), 'transfer', [r.pick(w.accounts), r.between(1, 5)], from, {
        type: r.pick([0, 2]),
      }),
  ],
  [6, (w, r, from) => call(w, 'Token20', r.pick(w.tokens), 'mint', [from, r.between(10, 500)], from)],
  [1, (w, r, from) => call(w, 'Token20', r.pick(w.tokens), 'burn', [r.between(1, 3)], from)],
  [
    5,
    (w, r, from) =>
      call(w, 'WrappedFat', w.wfat, 'deposit', [], from, { value: BigInt(r.between(1, 50)) * 10n ** 16n }),
  ],
  [3, (w, r, from) => call(w, 'WrappedFat', w.wfat, 'withdraw', [BigInt(r.between(1, 50)) * 10n ** 14n], from)],
  [10, swap],
  [4, (w, _r, from) => call(w, 'Nft721', w.nft, 'mint', [from], from)],
  [
    3,
    (w, r, from) =>
      call(w, 'Multi1155', w.multi, 'mintBatch', [from, [1, 2, r.between(3, 9)], [r.between(1, 9), 5, 1]], from),
  ],
  [2, (w, r, from) => call(w, 'Multi1155', w.multi, 'safeTransferFrom', [from, r.pick(w.accounts), 1, 1, '0x'], from)],
  [
    3,
    (w, r, from) =>
      call(w, 'Payout', w.payout, 'pay', [[r.pick(w.accounts), freshAddress(r), r.pick(w.accounts)]], from, {
        value: fat / 100n,
      }),
  ],
  [2, (w, r, from) => call(w, 'Payout', w.payout, 'fail', [r.between(1, 20)], from, { gas: 60_000 })],
  [1, (w, r, from) => call(w, 'Token20', w.usdx, 'transfer', [r.pick(w.accounts), 10n ** 30n], from, { gas: 60_000 })],
  [
    1,
    (w, r, from) => ({
      from,
      data: creationCode(w.contracts.Token20, [`Token ${r.between(1, 1e6)}`, `T${r.between(1, 999)}`, 18]),
      gas: 1_500_000,
    }),
  ],
];

const totalWeight = kinds.reduce((sum, [weight]) => sum + weight, 0);

function planTransaction(world: World, random: Random): TransactionRequest {
  const from = random.chance(0.3) ? random.pick(world.accounts.slice(1, 6)) : random.pick(world.accounts);
  let at = random.between(0, totalWeight - 1);
  for (const [weight, kind] of kinds) {
    if (at < weight) return kind(world, random, from);
    at -= weight;
  }
  throw new Error('the sum of the weights differs from the total');
}

function swap(world: World, random: Random, from: string): TransactionRequest {
  const sellWfat = random.chance(0.5);
  const amount = sellWfat ? BigInt(random.between(1, 40)) * 10n ** 16n : BigInt(random.between(1, 80)) * 10n ** 4n;
  return call(world, 'Pair', world.pair, 'swapExactIn', [sellWfat === world.wfatIsToken0, amount, from], from);
}

function call(
  world: World,
  name: keyof World['contracts'],
  to: string,
  method: string,
  args: readonly unknown[],
  from: string,
  more: Partial<TransactionRequest> = {},
): TransactionRequest {
  return { from, to, data: world.contracts[name].abi.encodeFunctionData(method, args), gas: 250_000, ...more };
}

function freshAddress(random: Random): string {
  return `0x${Array.from({ length: 20 }, () => random.between(0, 255).toString(16).padStart(2, '0')).join('')}`;
}
