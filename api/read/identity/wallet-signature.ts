import { AbiCoder, hashMessage, id, verifyMessage } from 'ethers';
import { toQuantity } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';

const magicValue = id('isValidSignature(bytes32,bytes)').slice(0, 10);
const gas = toQuantity(1_000_000);
const timeoutMs = 3_000;

/**
 * Returns whether a wallet signed the text; false if the call of a contract wallet reverts or exceeds a limit.
 * @param signature 0x hex
 * @source EIP-191 for keys, EIP-1271 for contract wallets
 */
export async function isSignedBy(
  client: RpcClient,
  address: string,
  text: string,
  signature: string,
): Promise<boolean> {
  if (recoverSigner(text, signature) === address) return true;
  const arguments_ = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [hashMessage(text), signature]);
  const call = { to: address, data: magicValue + arguments_.slice(2), gas };
  const options = { retries: 0, signal: AbortSignal.timeout(timeoutMs) };
  const reply = await client.call<unknown>('eth_call', [call, 'latest'], options).catch(() => undefined);
  return reply === magicValue.padEnd(66, '0');
}

function recoverSigner(text: string, signature: string): string | undefined {
  try {
    return verifyMessage(text, signature).toLowerCase();
  } catch {
    return undefined;
  }
}
