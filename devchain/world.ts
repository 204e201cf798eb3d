/** What the dev chain is made of: its accounts, its contracts, and the set-up transactions that create them. */

import { AbiCoder, concat, getCreateAddress } from 'ethers';
import { type Contract, type ContractName, compileContracts } from './compile-contracts.ts';
import { createEconomy, type Economy } from './economy.ts';
import type { TransactionRequest } from './transaction-request.ts';

export interface World {
  readonly accounts: readonly string[];
  readonly contracts: Record<ContractName, Contract>;
  readonly wfat: string;
  /** 6 decimals. */
  readonly usdx: string;
  readonly tokens: readonly string[];
  readonly nft: string;
  readonly multi: string;
  readonly factory: string;
  readonly pair: string;
  /** True where WFAT is token0 of the pair. */
  readonly wfatIsToken0: boolean;
  readonly payout: string;
  /** A second exchange, and the bridge from the legacy tokens. */
  readonly economy: Economy;
  /** Transactions of the first blocks, a block each. */
  readonly setup: readonly (readonly TransactionRequest[])[];
}

const fat = 10n ** 18n;
const unlimited = (1n << 256n) - 1n;

/** @param accounts of the node, the first deploys everything */
export async function createWorld(accounts: readonly string[]): Promise<World> {
  const contracts = await compileContracts();
  const deployer = accounts[0]!;
  const deployments: [ContractName, unknown[]][] = [
    ['WrappedFat', []],
    ['Token20', ['USD Exchange', 'USDX', 6]],
    ['Token20', ['Cord Credit', 'CORD', 18]],
    ['Token20', ['Anchor Points', 'ANCH', 0]],
    ['Nft721', []],
    ['Multi1155', []],
    ['PairFactory', []],
    ['Payout', []],
  ];
  const addresses = deployments.map((_, nonce) => getCreateAddress({ from: deployer, nonce }).toLowerCase());
  const [wfat, usdx, cord, anch, nft, multi, factory, payout] = addresses as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const pair = getCreateAddress({ from: factory, nonce: 1 }).toLowerCase();
  const call = (
    name: ContractName,
    to: string,
    method: string,
    args: unknown[],
    from = deployer,
    value?: bigint,
  ): TransactionRequest => ({
    from,
    to,
    data: contracts[name].abi.encodeFunctionData(method, args),
    gas: 3_000_000,
    ...(value === undefined ? {} : { value }),
  });
  const wfatIsToken0 = wfat < usdx;
  const liquidity = wfatIsToken0 ? [50_000n * fat, 100_000n * 10n ** 6n] : [100_000n * 10n ** 6n, 50_000n * fat];
  const economy = createEconomy(contracts, accounts, wfat, usdx);
  const world = {
    accounts,
    contracts,
    economy,
    wfat,
    usdx,
    tokens: [usdx, cord, anch],
    nft,
    multi,
    factory,
    pair,
    wfatIsToken0,
    payout,
    setup: [
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
        call('Pair', pair, 'addLiquidity', liquidity),
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
    ],
  };
  return { ...world, setup: world.setup.map((requests, at) => [...requests, ...(economy.setup[at] ?? [])]) };
}

/** Creation code with the constructor's arguments behind it. */
export function creationCode(contract: Contract, args: readonly unknown[]): string {
  const encoded = AbiCoder.defaultAbiCoder().encode(contract.abi.deploy.inputs, args);
  return concat([contract.bytecode, encoded]);
}
