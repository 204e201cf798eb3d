import { toQuantity } from '#chain/codec/hex.ts';
import type { DevCall, DevRpc } from './dev-rpc.ts';
import { devWallet } from './dev-wallets.ts';
import type { TransactionRequest } from './transaction-request.ts';

const feeCap = toQuantity(200n * 10n ** 9n);
const tip = toQuantity(10n ** 9n);
/** @source EIP-4844: a blob is 4,096 field elements of 32 bytes; a commitment is a compressed point of BLS12-381 */
const [zeroBlob, infinity] = [`0x${'00'.repeat(131_072)}`, `0xc0${'00'.repeat(47)}`];

export class Miner {
  readonly #nonces = new Map<string, number>();
  #blocks = 0;
  readonly rpc: DevRpc;
  readonly chainId: number;

  constructor(rpc: DevRpc, chainId: number) {
    this.rpc = rpc;
    this.chainId = chainId;
  }

  /** Mines a block. @param timestamp Unix seconds; default: the node's clock */
  async mine(requests: readonly TransactionRequest[], timestamp?: number, producer?: string): Promise<void> {
    await this.#loadNonces(requests.map((request) => request.from));
    await this.rpc.batch([
      baseFeeCall(this.#blocks++),
      ...(producer === undefined ? [] : [{ method: 'anvil_setCoinbase', params: [producer] }]),
      ...requests.map((request) => this.#sendCall(request)),
    ]);
    await this.rpc.batch([{ method: 'evm_mine', params: timestamp === undefined ? [] : [{ timestamp }] }]);
  }

  /** Delegates an account to a contract by a type 4 transaction. Fails if the node lacks this type. */
  async delegate(accountIndex: number, delegate: string): Promise<void> {
    const [sender, owner] = [devWallet(1), devWallet(accountIndex)];
    await this.#loadNonces([sender.address, owner.address].map((address) => address.toLowerCase()));
    const nonce = this.#nextNonce(sender.address.toLowerCase());
    const ownerNonce = this.#nextNonce(owner.address.toLowerCase());
    const authorization = await owner.authorize({ address: delegate, chainId: this.chainId, nonce: ownerNonce });
    const fees = { maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, gasLimit: 200_000 };
    const raw = await sender.signTransaction({
      type: 4,
      chainId: this.chainId,
      nonce,
      to: owner.address,
      value: 1n,
      ...fees,
      authorizationList: [authorization],
    });
    await this.rpc.call('eth_sendRawTransaction', [raw]);
  }

  /** Sends blobs of zeros by a type 3 transaction: their commitments and proofs are the point at infinity. */
  async sendBlobs(accountIndex: number, count: number): Promise<void> {
    const sender = devWallet(accountIndex);
    await this.#loadNonces([sender.address.toLowerCase()]);
    const transaction = {
      type: 3,
      chainId: this.chainId,
      nonce: this.#nextNonce(sender.address.toLowerCase()),
      to: sender.address,
      gasLimit: 30_000,
      ...{ maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, maxFeePerBlobGas: feeCap },
      blobs: Array.from({ length: count }, () => ({ data: zeroBlob, commitment: infinity, proof: infinity })),
    };
    await this.rpc.call('eth_sendRawTransaction', [await sender.signTransaction(transaction)]);
  }

  /** Deletes cached nonces, because a reorg lowers nonces. */
  forgetNonces(): void {
    this.#nonces.clear();
  }

  #sendCall(request: TransactionRequest): DevCall {
    const type = request.type ?? 2;
    const fees = type === 2 ? { maxFeePerGas: feeCap, maxPriorityFeePerGas: tip } : { gasPrice: feeCap };
    const transaction = {
      from: request.from,
      ...(request.to ? { to: request.to } : {}),
      ...(request.data ? { data: request.data } : {}),
      ...(request.value === undefined ? {} : { value: toQuantity(request.value) }),
      gas: toQuantity(request.gas),
      nonce: toQuantity(this.#nextNonce(request.from)),
      type: toQuantity(type),
      ...fees,
      ...(type === 1 ? { accessList: [] } : {}),
    };
    return { method: 'eth_sendTransaction', params: [transaction] };
  }

  #nextNonce(account: string): number {
    const nonce = this.#nonces.get(account) ?? 0;
    this.#nonces.set(account, nonce + 1);
    return nonce;
  }

  async #loadNonces(accounts: readonly string[]): Promise<void> {
    const unknown = [...new Set(accounts)].filter((account) => !this.#nonces.has(account));
    const counts = await this.rpc.batch<string>(
      unknown.map((account) => ({ method: 'eth_getTransactionCount', params: [account, 'pending'] })),
    );
    for (const [i, account] of unknown.entries()) this.#nonces.set(account, Number(counts[i]));
  }
}

/** Sets a base fee of about 1 gwei. Otherwise it would fall, because the blocks are small. */
function baseFeeCall(block: number): DevCall {
  const fee = 1_000_000_000 + Math.round(200_000_000 * Math.sin(block / 40));
  return { method: 'anvil_setNextBlockBaseFeePerGas', params: [toQuantity(fee)] };
}
