import { getCreateAddress } from 'ethers';
import { getFirst } from '#runtime/lists.ts';
import { type Contract, type ContractName, compileContracts, creationCode } from './compile-contracts.ts';
import { createEconomy, type Economy } from './economy.ts';
import type { TransactionRequest } from './transaction-request.ts';

export interface World {
  readonly accounts: readonly string[];
  readonly contracts: Record<ContractName, Contract>;
  readonly wfat: string;
  readonly usdx: string;
  readonly tokens: readonly [usdx: string, cord: string, anch: string];
  readonly nft: string;
  readonly multi: string;
  readonly factory: string;
  readonly pair: string;
  readonly wfatIsToken0: boolean;
  readonly payout: string;
  readonly economy: Economy;
  /** Setup transactions: one list per block, from block 1. */
  readonly setup: readonly (readonly TransactionRequest[])[];
}

const fat = 10n ** 18n;
const unlimited = (1n << 256n) - 1n;

/** In the order in which the first account deploys them. */
const deployments: readonly [ContractName, readonly unknown[]][] = [
  ['WrappedFat', []],
  ['Token20', ['USD Exchange', 'USDX', 6]],
  ['Token20', ['Cord Credit', 'CORD', 18]],
  ['Token20', ['Anchor Points', 'ANCH', 0]],
  ['Nft721', []],
  ['Multi1155', []],
  ['PairFactory', []],
  ['Payout', []],
];

export async function createWorld(accounts: readonly string[]): Promise<World> {
  const contracts = await compileContracts();
  const at = (nonce: number, from = getFirst(accounts)) => getCreateAddress({ from, nonce }).toLowerCase();
  const [wfat, usdx, cord, anch] = [at(0), at(1), at(2), at(3)];
  const [nft, multi, factory, payout] = [at(4), at(5), at(6), at(7)];
  const economy = createEconomy(contracts, accounts, wfat, usdx);
  const world: Omit<World, 'setup'> = {
    accounts,
    contracts,
    economy,
    wfat,
    usdx,
    tokens: [usdx, cord, anch],
    nft,
    multi,
    factory,
    pair: at(1, factory),
    wfatIsToken0: wfat < usdx,
    payout,
  };
  return { ...world, setup: getSetup(world).map((requests, i) => [...requests, ...(economy.setup[i] ?? [])]) };
}

/** Adds transactions to the first blocks. @param added one list per block, from block 1 */
export const withSetup = (world: World, added: readonly (readonly TransactionRequest[])[]): World => ({
  ...world,
  setup: world.setup.map((requests, at) => [...requests, ...(added[at] ?? [])]),
});

function getSetup({ accounts, contracts, wfat, usdx, tokens, factory, pair, wfatIsToken0 }: Omit<World, 'setup'>) {
  const deployer = getFirst(accounts);
  const call = (name: ContractName, to: string, method: string, args: unknown[], from = deployer, value?: bigint) => ({
    from,
    to,
    data: contracts[name].abi.encodeFunctionData(method, args),
    gas: 3_000_000,
    ...(value === undefined ? {} : { value }),
  });
  const [, cord, anch] = tokens;
  const liquidity = [50_000n * fat, 100_000n * 10n ** 6n];
  return [
    deployments.map(([name, args]) => ({
      from: deployer,
      data: creationCode(contracts[name], args),
      gas: 3_000_000,
    })),
    [
      call('PairFactory', factory, 'createPair', [wfat, usdx]),
      call('WrappedFat', wfat, 'deposit', [], deployer, 100_000n * fat),
      call('Token20', usdx, 'mint', [deployer, 1_000_000n * 10n ** 6n]),
      call('WrappedFat', wfat, 'approve', [pair, unlimited]),
      call('Token20', usdx, 'approve', [pair, unlimited]),
      call('Pair', pair, 'addLiquidity', wfatIsToken0 ? liquidity : liquidity.toReversed()),
    ],
    accounts
      .slice(1)
      .flatMap((account) => [
        call('WrappedFat', wfat, 'deposit', [], account, 1_000n * fat),
        call('WrappedFat', wfat, 'approve', [pair, unlimited], account),
        call('Token20', usdx, 'mint', [account, 10_000n * 10n ** 6n], account),
        call('Token20', usdx, 'approve', [pair, unlimited], account),
        call('Token20', cord, 'mint', [account, 5_000n * fat], account),
        call('Token20', anch, 'mint', [account, 900n], account),
      ]),
  ];
}
