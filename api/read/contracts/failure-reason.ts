/** Finds out why a transaction or call failed. */
import { Interface } from 'ethers';
import { toQuantity } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { DetailRecord } from '../../terms/records.ts';
import { callContract } from './call-contract.ts';
import { decodingCost, maxDecodingCost } from './decoding-cost.ts';
import { errorInterface, type SignatureDeps, type Signatures } from './signatures/signatures.ts';

/** Codes of Panic(uint256). @source https://docs.soliditylang.org, "Panic via assert and Error via require" */
const panics: Readonly<Record<string, string>> = {
  0: 'generic panic of the compiler',
  1: 'assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division or modulo by zero',
  33: 'value out of range of an enum',
  34: 'storage byte array is encoded incorrectly',
  49: 'pop() on an empty array',
  50: 'array index out of bounds',
  65: 'out of memory, or array too large',
  81: 'call of an uninitialized function',
};

const standardErrors = new Interface(['error Error(string)', 'error Panic(uint256)']);
const maxReason = 500;
/** Maximum length of decoded error data, hex digits. */
const maxData = 65_536;

/** @param data error data, 0x hex @param abi declares the contract's custom errors */
export function describeRevert(data: string, abi?: Interface): string {
  if (data === '0x') return 'no reason given';
  try {
    const standard = parseError(standardErrors, data);
    if (standard?.name === 'Error') return String(standard.args[0]).slice(0, maxReason);
    if (standard) return `Panic ${toQuantity(standard.args[0])}: ${panics[String(standard.args[0])] ?? 'unknown code'}`;
    const custom = abi && isAffordable(abi, data) ? parseError(abi, data) : null;
    if (!custom) return `unknown error ${data.slice(0, 10)}`;
    const values = custom.fragment.inputs.map(({ name }, i) => `${name && `${name}: `}${String(custom.args[i])}`);
    return `${custom.name}(${values.join(', ')})`.slice(0, maxReason);
  } catch {
    return `error ${data.slice(0, 10)} with invalid data`; // ethers checks strings only when they are read
  }
}

const isAffordable = (abi: Interface, data: string) =>
  data.length <= maxData && decodingCost(abi.getError(data.slice(0, 10))?.inputs ?? [], data) <= maxDecodingCost;

function parseError(abi: Interface, data: string) {
  try {
    return abi.parseError(data);
  } catch {
    return null; // the data does not match the declaration
  }
}

export interface TopCall {
  /** EVM error, such as "execution reverted" or "out of gas". */
  readonly error: string;
  /** Return data, 0x hex. */
  readonly output: string;
}

/** Traces the outermost call of a transaction; undefined if this fails. */
export async function readTopCall(client: RpcClient, hash: string): Promise<TopCall | undefined> {
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  const root = await client
    .call<{ error?: unknown; output?: unknown } | null>('debug_traceTransaction', [hash, options], { retries: 0 })
    .catch(() => null);
  if (typeof root !== 'object' || root === null) return undefined;
  const output = typeof root.output === 'string' && /^0x[0-9a-f]*$/i.test(root.output) ? root.output : '0x';
  return { error: typeof root.error === 'string' ? root.error : '', output };
}

interface FailedTransaction {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly value: string;
  readonly gasUsed: number;
  readonly gasLimit: number;
}

/** Evidence for a reason. trace: trace of the transaction. gas: all gas was used. replay: the call was repeated. */
export const failureSources = ['trace', 'gas', 'replay'] as const;

export interface FailureReason {
  readonly reason: string;
  readonly source: (typeof failureSources)[number];
}

export function toFailed(row: DetailRecord): FailedTransaction {
  const { hash: txHash, to, value, input, from } = row;
  const numbers = {
    blockNumber: Number(row.block_number),
    gasUsed: Number(row.gas_used),
    gasLimit: Number(row.gas_limit),
  };
  return { txHash, to, value, input, from, ...numbers };
}

interface FailureDeps extends SignatureDeps {
  readonly client: RpcClient;
}

/**
 * Describes error data by the verified ABI, else by another contract's error with this selector. The text says so,
 * because anyone can declare an error with the same selector.
 */
export async function explainRevert(signatures: Signatures, data: string, abi?: Interface): Promise<string> {
  const selector = data.slice(0, 10);
  const isKnown = [standardErrors, abi].some((each) => each?.getError(selector));
  if (isKnown || selector === '0x') return describeRevert(data, abi);
  const declared = errorInterface((await signatures.lookUp([selector])).get(selector) ?? []);
  if (!declared || !isExactly(declared, data)) return describeRevert(data, abi);
  return `${describeRevert(data, declared)}, by the declaration of another contract`;
}

/** Returns whether the decoded values encode to exactly the same error data. */
function isExactly(abi: Interface, data: string): boolean {
  const parsed = isAffordable(abi, data) ? parseError(abi, data) : null;
  try {
    return parsed !== null && abi.encodeErrorResult(parsed.fragment, parsed.args) === data.toLowerCase();
  } catch {
    return false; // ethers checks strings only when they are read
  }
}

/** Uses a trace, else the gas used, else a replay (not of creations). Returns undefined if none explains it. */
export async function readFailure(
  { client, signatures }: FailureDeps,
  tx: FailedTransaction,
  abi?: Interface,
): Promise<FailureReason | undefined> {
  const call = await readTopCall(client, tx.txHash);
  if (call && call.error !== '')
    return {
      source: 'trace',
      reason: /revert/i.test(call.error)
        ? await explainRevert(signatures, call.output, abi)
        : call.error.slice(0, maxReason),
    };
  if (tx.gasUsed === tx.gasLimit)
    return { source: 'gas', reason: 'all gas was used: out of gas, or an invalid instruction' };
  if (tx.to === null || tx.blockNumber === 0) return undefined;
  const { from, to, input: data, value } = tx;
  const block = String(tx.blockNumber - 1);
  const question = { from, to, data, value: toQuantity(BigInt(value)), gas: toQuantity(tx.gasLimit), block };
  const outcome = await callContract(client, question).catch(() => undefined);
  // only a revert is evidence: the transaction left gas, so it did not run out of gas
  return outcome && 'revertData' in outcome && outcome.isRevert
    ? { source: 'replay', reason: await explainRevert(signatures, outcome.revertData, abi) }
    : undefined;
}
