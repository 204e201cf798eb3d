/** @source docs/compatible.md */
import { toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { AccountReader } from '../read/accounts/account-reader.ts';
import { type CompatibleAction, CompatibleError, computeCost } from './action.ts';
import { parseAddress, parseAddresses, parseTag } from './parameters.ts';

interface BalanceDeps {
  readonly accounts: AccountReader;
}

const maxAccounts = 1_000;

export const accountBalance: CompatibleAction<BalanceDeps> = ({ deps, parameters }) =>
  deps.accounts.balance(parseAddress(parameters), parseTag(parameters.get('tag')));

export const accountBalances: CompatibleAction<BalanceDeps> = async ({ deps, parameters, charge }) => {
  const addresses = parseAddresses(parameters, 'address', maxAccounts);
  await charge(computeCost(addresses.length), 0);
  const balances = await deps.accounts.balances(addresses, parseTag(parameters.get('tag')));
  return addresses.map((account, i) => ({ account, balance: known(balances[i], 'a balance') }));
};

export const accountBalanceAt: CompatibleAction<BalanceDeps> = ({ deps, parameters }) => {
  if (!parameters.get('blockno')) throw new CompatibleError('Error! Missing blockno: set it to a block number');
  return deps.accounts.balance(parseAddress(parameters), parseTag(parameters.get('blockno')));
};

export const accountBalanceInHex: CompatibleAction<BalanceDeps> = async ({ deps, parameters }) =>
  toQuantity(BigInt(await deps.accounts.balance(parseAddress(parameters), parseTag(parameters.get('block')))));
