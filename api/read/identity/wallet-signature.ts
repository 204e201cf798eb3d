import { AbiCoder, hashMessage, id, verifyMessage } from 'ethers';
import { askContract } from '#chain/rpc/ask-contract.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { stateProblem } from '../accounts/account-reader.ts';

const magicValue = id('isValidSignature(bytes32,bytes)').slice(0, 10);
const timeoutMs = 3_000;

/**
 * Returns how a wallet signed the text; undefined if the signature is wrong, or the contract call reverts or exceeds
 * the gas limit.
 * @param signature 0x hex
 * @param block block at which a contract wallet is called
 * @throws ApiProblem node_unavailable, state_unavailable if no node answered the contract call
 * @source EIP-191 for keys, EIP-1271 for contract wallets
 */
export async function findSigner(
  client: RpcClient,
  { address, text, signature, block = 'latest' }: SignedText,
): Promise<'key' | 'contract' | undefined> {
  if (recoverSigner(text, signature) === address) return 'key';
  const arguments_ = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [hashMessage(text), signature]);
  const question = { to: address, data: magicValue + arguments_.slice(2), block };
  const options = { retries: 1, signal: AbortSignal.timeout(timeoutMs) };
  const reply = await askContract(client, question, options).catch((error: unknown) => {
    throw stateProblem(error, `the reply of the contract wallet ${address} to isValidSignature`);
  });
  return reply === magicValue.padEnd(66, '0') ? 'contract' : undefined;
}

interface SignedText {
  readonly address: string;
  readonly text: string;
  readonly signature: string;
  readonly block?: number | 'latest';
}

/** Returns the address that signed the text; undefined if the signature is malformed. @source EIP-191 */
export function recoverSigner(text: string, signature: string): string | undefined {
  try {
    return verifyMessage(text, signature).toLowerCase();
  } catch {
    return undefined;
  }
}
