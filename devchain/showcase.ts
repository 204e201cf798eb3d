/**
 * Contracts that demonstrate contract pages. A separate account creates them, so that other contracts keep their
 * addresses.
 */
import { getCreateAddress } from 'ethers';
import { known } from '#runtime/known.ts';
import { type ContractName, creationCode } from './compile-contracts.ts';
import { devWallet } from './dev-wallets.ts';
import { type World, withSetup } from './world.ts';

const creator = 57;
const oneFat = 10n ** 18n;

/** In order of creation. */
const names = ['Savings', 'SavingsTwo', 'SavingsProxy', 'Escrow', 'SharedWallet', 'NameBook'] as const;

export function showcaseContracts(): { readonly name: ContractName; readonly address: string }[] {
  const from = devWallet(creator).address;
  return names.map((name, nonce) => ({ name, address: getCreateAddress({ from, nonce }).toLowerCase() }));
}

/** Adds setup transactions: block 1 creates the contracts, block 2 uses them, block 3 upgrades the proxy. */
export function withShowcase(world: World): World {
  const from = known(world.accounts[creator], 'the account that creates the showcase');
  const [one, two, proxy, , wallet, book] = showcaseContracts().map(({ address }) => address);
  const [user = '', friend = ''] = world.accounts.slice(50, 52);
  const create = (name: ContractName, args: readonly unknown[], value = 0n) => ({
    from,
    data: creationCode(world.contracts[name], args),
    gas: 1_500_000,
    ...(value === 0n ? {} : { value }),
  });
  const call = (name: ContractName, to: string | undefined, method: string, args: readonly unknown[], value = 0n) => ({
    from,
    to: known(to, 'a contract of the showcase'),
    data: world.contracts[name].abi.encodeFunctionData(method, args),
    gas: 400_000,
    ...(value === 0n ? {} : { value }),
  });
  const mine = [
    [
      create('Savings', []),
      create('SavingsTwo', []),
      create('SavingsProxy', [one]),
      create('Escrow', [user, friend], oneFat),
      create('SharedWallet', [[from, user, friend], 2n], 2n * oneFat),
      create('NameBook', []),
    ],
    [
      call('Savings', proxy, 'save', ['rainy days'], 3n * oneFat),
      call('NameBook', book, 'register', ['harbour', user]),
      call('SharedWallet', wallet, 'propose', [friend, oneFat]),
    ],
    [call('SavingsProxy', proxy, 'upgradeTo', [two])],
  ];
  return withSetup(world, mine);
}
