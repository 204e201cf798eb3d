import { AbiCoder, getCreateAddress, keccak256 } from 'ethers';
import { known } from '#runtime/known.ts';
import { type Contract, type ContractName, creationCode } from './compile-contracts.ts';
import { devWallet } from './dev-wallets.ts';
import type { TransactionRequest } from './transaction-request.ts';

export interface Economy {
  readonly poolFactory: string;
  /** WFAT/USDX pool that emits the events of Uniswap V3. */
  readonly pool: string;
  readonly bridge: string;
  readonly legacyTokens: readonly [string, string];
  /** Account that burns the old tokens and submits the burn proofs. */
  readonly migrant: string;
  readonly traders: readonly string[];
  readonly setup: readonly (readonly TransactionRequest[])[];
}

const fat = 10n ** 18n;
const usd = 10n ** 6n;
const unlimited = (1n << 256n) - 1n;
const deployerIndex = 6;
const relayerIndex = 59;

export function economyAddresses(deployer: string) {
  const at = (nonce: number) => getCreateAddress({ from: deployer, nonce }).toLowerCase();
  const poolFactory = at(0);
  const pool = getCreateAddress({ from: poolFactory, nonce: 1 }).toLowerCase();
  return { poolFactory, pool, legacyTokens: [at(1), at(2)] as const, bridge: at(3) };
}

export function createEconomy(
  contracts: Record<ContractName, Contract>,
  accounts: readonly string[],
  wfat: string,
  usdx: string,
): Economy {
  const migrant = known(accounts[deployerIndex], 'the account that deploys');
  const addresses = economyAddresses(migrant);
  const { poolFactory, pool, bridge } = addresses;
  const call = (name: ContractName, to: string, method: string, args: unknown[], from = migrant, value = 0n) => ({
    from,
    to,
    data: contracts[name].abi.encodeFunctionData(method, args),
    gas: 1_000_000,
    ...(value === 0n ? {} : { value }),
  });
  const create = (name: ContractName, args: unknown[]) => ({
    from: migrant,
    data: creationCode(contracts[name], args),
    gas: 3_000_000,
  });
  const amounts = [20_000n * fat, 40_000n * usd];
  const traders = accounts.slice(8, 16);
  return {
    ...addresses,
    migrant,
    traders,
    setup: [
      [
        create('PoolFactory', []),
        create('LegacyToken', [2_000_000n * fat]),
        create('LegacyToken', [2_000_000n * fat]),
        create('LegacyBridge', [accounts[relayerIndex]]),
      ],
      [
        call('PoolFactory', poolFactory, 'createPool', [wfat, usdx, 500]),
        call('WrappedFat', wfat, 'deposit', [], migrant, 50_000n * fat),
        call('Token20', usdx, 'mint', [migrant, 100_000n * usd]),
        call('WrappedFat', wfat, 'approve', [pool, unlimited]),
        call('Token20', usdx, 'approve', [pool, unlimited]),
        call('Pool', pool, 'addLiquidity', wfat < usdx ? amounts : amounts.toReversed()),
        { from: migrant, to: bridge, value: 4_000_000n * fat, gas: 60_000 },
      ],
      traders.flatMap((account) => [
        call('WrappedFat', wfat, 'approve', [pool, unlimited], account),
        call('Token20', usdx, 'approve', [pool, unlimited], account),
      ]),
    ],
  };
}

export function migrationProof(originChain: number, burnReference: string, recipient: string, amount: bigint) {
  const values = [originChain, burnReference, recipient, amount];
  const digest = keccak256(AbiCoder.defaultAbiCoder().encode(['uint256', 'bytes32', 'address', 'uint256'], values));
  const { v, r, s } = devWallet(relayerIndex).signingKey.sign(digest);
  return [...values, v, r, s];
}
