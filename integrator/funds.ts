/** Spendable balance of the exchange wallet, and cost of a payout. */
import { Transaction, toQuantity, type Wallet } from 'ethers';
import type { NodeClient } from './node-client.ts';
import type { SignedPayout } from './payouts.ts';

/** Gas of a transfer to an account without code. @source Ethereum Yellow Paper, G_transaction */
export const transferGas = 21_000n;
/** Highest accepted gas estimate: a recipient must not spend the exchange's fees or fill a block. */
const maxGas = 200_000n;

export interface Funds {
  /** Wei per gas. */
  readonly gasPrice: bigint;
  /** Wei. */
  readonly balance: bigint;
  /** Balance left for new withdrawals, wei. */
  left: bigint;
}

interface FundsOptions {
  readonly writer: NodeClient;
  readonly wallet: Pick<Wallet, 'address'>;
  /** Balance reserved for gas, wei. */
  readonly gasFloat: bigint;
}

/** Returns the maximum cost of a transaction to the wallet, wei. */
export const computeCost = ({
  value,
  gasLimit,
  gasPrice,
}: Pick<Transaction, 'value' | 'gasLimit' | 'gasPrice'>): bigint => value + gasLimit * (gasPrice ?? 0n);

/** Balance for new withdrawals, without the reserve for gas and signed withdrawals that no block contains. */
export async function readFunds(
  { writer, wallet, gasFloat }: FundsOptions,
  signed: readonly SignedPayout[],
): Promise<Funds> {
  const gasPrice = 2n * (await writer.readQuantity('eth_gasPrice'));
  // read both at one block: otherwise a withdrawal could be missing in the balance and in the promised amount
  const at = [wallet.address, toQuantity(await writer.readQuantity('eth_blockNumber'))];
  const mined = Number(await writer.readQuantity('eth_getTransactionCount', at));
  const balance = await writer.readQuantity('eth_getBalance', at);
  const pending = signed.filter(({ nonce }) => nonce >= mined);
  const promised = pending.reduce((sum, one) => sum + computeCost(Transaction.from(one.raw)), 0n);
  return { gasPrice, balance, left: balance - promised - gasFloat };
}

/** A recipient with code needs more gas; with too little, the payout fails but costs its fee. */
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
