/** What the wallet of an exchange can spend, and what a payout costs. */
import { Transaction, toQuantity, type Wallet } from 'ethers';
import type { NodeClient } from './node-client.ts';
import type { SignedPayout } from './payouts.ts';

/** Gas of a transfer to an account without code. @source Ethereum Yellow Paper, G_transaction */
export const transferGas = 21_000n;
/** Highest estimate that is paid for: a recipient must not spend the fees of the exchange, or fill a block. */
const maxGas = 200_000n;

export interface Funds {
  /** Wei per gas. */
  readonly gasPrice: bigint;
  /** Wei. */
  readonly balance: bigint;
  /** Part of the balance for new withdrawals, wei. */
  left: bigint;
}

interface FundsOptions {
  readonly writer: NodeClient;
  readonly wallet: Pick<Wallet, 'address'>;
  /** Balance reserved for gas, wei. */
  readonly gasFloat: bigint;
}

/** Returns what a transaction takes from the wallet at most, wei. */
export const computeCost = ({
  value,
  gasLimit,
  gasPrice,
}: Pick<Transaction, 'value' | 'gasLimit' | 'gasPrice'>): bigint => value + gasLimit * (gasPrice ?? 0n);

/** Reads what the wallet can spend, less signed withdrawals that no block contains, and the balance reserved for gas. */
export async function readFunds(
  { writer, wallet, gasFloat }: FundsOptions,
  signed: readonly SignedPayout[],
): Promise<Funds> {
  const gasPrice = 2n * (await writer.readQuantity('eth_gasPrice'));
  // both at one block: otherwise a withdrawal could be missing in the balance and in what is promised
  const at = [wallet.address, toQuantity(await writer.readQuantity('eth_blockNumber'))];
  const mined = Number(await writer.readQuantity('eth_getTransactionCount', at));
  const balance = await writer.readQuantity('eth_getBalance', at);
  const pending = signed.filter(({ nonce }) => nonce >= mined);
  const promised = pending.reduce((sum, one) => sum + computeCost(Transaction.from(one.raw)), 0n);
  return { gasPrice, balance, left: balance - promised - gasFloat };
}

/** Returns the gas limit of a payout: a recipient with code needs more, and less would cost the fee without paying. */
export async function estimateGas(
  { writer, wallet }: Pick<FundsOptions, 'writer' | 'wallet'>,
  to: string,
  value: bigint,
): Promise<bigint> {
  const call = { from: wallet.address, to, value: toQuantity(value) };
  const estimate = await writer.readQuantity('eth_estimateGas', [call]);
  if (estimate > maxGas) throw new Error(`the recipient needs ${estimate} gas, a payout may use ${maxGas}`);
  return estimate <= transferGas ? transferGas : (estimate * 6n) / 5n;
}
