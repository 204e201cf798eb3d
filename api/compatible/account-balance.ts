/** module=account: balances, live from the node. @source specification 4.10, conventions 2.5 */
import { toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { AccountReader } from '../read/accounts/account-reader.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { addressesOf, addressOf, tagOf } from './parameters.ts';

interface BalanceDeps {
  readonly accounts: AccountReader;
}

/** Accounts of one question about many. */
const maxAccounts = 1_000;

/** Wei as a decimal string. */
export const accountBalance: CompatibleAction<BalanceDeps> = ({ deps, parameters }) =>
  deps.accounts.balance(addressOf(parameters), tagOf(parameters.get('tag')));

/** In the order that was asked for. */
export const accountBalances: CompatibleAction<BalanceDeps> = async ({ deps, parameters }) => {
  const addresses = addressesOf(parameters, 'address', maxAccounts);
  const balances = await deps.accounts.balances(addresses, tagOf(parameters.get('tag')));
  return addresses.map((account, i) => ({ account, balance: known(balances[i], 'a balance') }));
};

/** At a height that the node still has the state of. */
export const accountBalanceAt: CompatibleAction<BalanceDeps> = ({ deps, parameters }) => {
  if (!parameters.get('blockno')) throw new CompatibleError('Error! Missing blockno');
  return deps.accounts.balance(addressOf(parameters), tagOf(parameters.get('blockno')));
};

/** In hex; the block as Blockscout names it: a height, latest, earliest or pending. */
export const accountBalanceInHex: CompatibleAction<BalanceDeps> = async ({ deps, parameters }) =>
  toQuantity(BigInt(await deps.accounts.balance(addressOf(parameters), tagOf(parameters.get('block')))));
