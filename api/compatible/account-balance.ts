/** @source docs/compatible.md */
import { isQuantity, toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type CoinAtDeps, readCoinFromHistory } from '../read/accounts/coin-at.ts';
import { type ReportDeps, runReport } from '../read/query/query-turns.ts';
import { ApiProblem } from '../terms/errors.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, computeCost } from './action.ts';
import { parseAddress, parseAddresses, parseTag } from './parameters.ts';

interface BalanceDeps extends CoinAtDeps, ReportDeps {}

const maxAccounts = 1_000;
/** Extra cost of a balance that is computed from all later movements of the account. */
const historyCost = 4;

/** Reads the balance from a node, or from the history if no node keeps the state of the block. @returns wei, decimal */
async function readBalance(request: CompatibleRequest<BalanceDeps>, block: string | undefined): Promise<string> {
  const { deps, parameters, caller, ip, gone, charge } = request;
  const [address, tag] = [parseAddress(parameters), parseTag(block)];
  try {
    return await deps.accounts.balance(address, tag);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'state_unavailable' || !isQuantity(tag)) throw error;
    await charge(historyCost, 0);
    const read = (state: ChainState) => readCoinFromHistory(deps, state, address, Number(tag), error.detail);
    return runReport(deps, { caller, address: ip, gone }, read, { isFinal: true });
  }
}

export const accountBalance: CompatibleAction<BalanceDeps> = (request) =>
  readBalance(request, request.parameters.get('tag'));

export const accountBalances: CompatibleAction<BalanceDeps> = async ({ deps, parameters, charge }) => {
  const addresses = parseAddresses(parameters, 'address', maxAccounts);
  await charge(computeCost(addresses.length), 0);
  const balances = await deps.accounts.balances(addresses, parseTag(parameters.get('tag')));
  return addresses.map((account, i) => ({ account, balance: known(balances[i], 'a balance') }));
};

export const accountBalanceAt: CompatibleAction<BalanceDeps> = (request) => {
  const block = request.parameters.get('blockno');
  if (!block) throw new CompatibleError('Error! Missing blockno: set it to a block number');
  return readBalance(request, block);
};

export const accountBalanceInHex: CompatibleAction<BalanceDeps> = async (request) =>
  toQuantity(BigInt(await readBalance(request, request.parameters.get('block'))));
