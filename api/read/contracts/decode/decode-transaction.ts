import type { Interface } from 'ethers';
import { ApiProblem } from '../../../terms/errors.ts';
import { DecodingBudget } from '../decoding-cost.ts';
import { readInterfaces } from '../interfaces-of.ts';
import type { SourceReadDeps } from '../read-source.ts';
import type { SignatureDeps } from '../signatures/signatures.ts';
import { type Decoded, decodeCall, decodeLog } from './decode.ts';

export interface DecodeDeps extends SourceReadDeps, SignatureDeps {}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface Decodable {
  readonly to: string | null;
  /** Call data; '0x' if the transaction calls no contract. */
  readonly input: string;
  readonly logs: readonly Log[];
}

export interface TransactionDecoding {
  readonly call: Decoded | undefined;
  log(log: Log): Decoded | undefined;
  /** Verified ABI of the called contract. */
  readonly abi: Interface | undefined;
  /** False if verified ABIs may be missing: no node answered in time, or there are too many contracts. */
  readonly isComplete: boolean;
}

export async function decodeTransaction(
  deps: DecodeDeps,
  { to, input, logs }: Decodable,
): Promise<TransactionDecoding> {
  const isCall = to !== null && input !== '0x';
  const selectors = [...(isCall ? [input.slice(0, 10)] : []), ...logs.flatMap(({ topics }) => topics[0] ?? [])];
  const [interfaces, signatures] = await Promise.all([
    readInterfaces(deps, [...(isCall ? [to] : []), ...logs.map(({ address }) => address)]),
    deps.signatures.lookUp(selectors),
  ]);
  const readSignatures = boundedSignatures(signatures);
  const abi = to === null ? undefined : interfaces.of.get(to);
  const budget = new DecodingBudget();
  return {
    call: isCall ? decodeCall(input, { own: abi, signatures: signatures.get(input.slice(0, 10)), budget }) : undefined,
    log: (log) =>
      decodeLog(log, { own: interfaces.of.get(log.address), signatures: readSignatures(log.topics[0] ?? ''), budget }),
    abi,
    isComplete: interfaces.isComplete,
  };
}

/** Decodes a transaction. @throws ApiProblem node_unavailable if verified ABIs may be missing */
export async function decodeSurely(deps: DecodeDeps, decodable: Decodable): Promise<TransactionDecoding> {
  const decoding = await decodeTransaction(deps, decodable);
  if (decoding.isComplete) return decoding;
  throw new ApiProblem(
    'node_unavailable',
    'decoding is incomplete: no node answered in time, or there are more than 40 contracts; send the request without decode=true',
  );
}

/** Only the first logs of a transaction are decoded with known signatures, to limit CPU time. */
const maxBySignature = 200;

function boundedSignatures(known: Awaited<ReturnType<SignatureDeps['signatures']['lookUp']>>) {
  let used = 0;
  return (topic: string) => (used++ < maxBySignature ? known.get(topic) : undefined);
}
