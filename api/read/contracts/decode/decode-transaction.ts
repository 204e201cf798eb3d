import type { Interface } from 'ethers';
import { firstWholeBlock } from '#sql/snapshot.ts';
import { ApiProblem } from '../../../terms/errors.ts';
import type { SnapshotDeps, StoreDeps } from '../../reader-deps.ts';
import { DecodingBudget } from '../decoding-cost.ts';
import { readInterfaces } from '../interfaces-of.ts';
import { readStarts } from '../proxy-history.ts';
import type { SourceReadDeps } from '../read-source.ts';
import type { SignatureDeps } from '../signatures/signatures.ts';
import { type Decoded, decodeCall, decodeLog } from './decode.ts';

export interface DecodeDeps extends SourceReadDeps, SignatureDeps, StoreDeps, SnapshotDeps {}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Default: block of the transaction. */
  readonly blockNumber?: number;
}

interface Decodable {
  /** Undefined: the transaction is pending. */
  readonly blockNumber?: number | undefined;
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
  { to, input, logs, blockNumber }: Decodable,
): Promise<TransactionDecoding> {
  const isCall = to !== null && input !== '0x';
  const selectors = [...(isCall ? [input.slice(0, 10)] : []), ...logs.flatMap(({ topics }) => topics[0] ?? [])];
  const [interfaces, signatures] = await Promise.all([
    readInterfaces(deps, [...(isCall ? [to] : []), ...logs.map(({ address }) => address)]),
    deps.signatures.lookUp(selectors),
  ]);
  const readSignatures = boundedSignatures(signatures);
  const findAbi = await readPastAbis(deps, interfaces);
  const abi = to === null ? undefined : findAbi(to, blockNumber);
  const budget = new DecodingBudget();
  return {
    call: isCall ? decodeCall(input, { own: abi, signatures: signatures.get(input.slice(0, 10)), budget }) : undefined,
    log: (log) =>
      decodeLog(log, {
        own: findAbi(log.address, log.blockNumber ?? blockNumber),
        signatures: readSignatures(log.topics[0] ?? ''),
        budget,
      }),
    abi,
    isComplete: interfaces.isComplete,
  };
}

/**
 * Returns a function that finds the ABI of a contract at a block. Before its last upgrade, a proxy may have run an
 * implementation that uses equal selectors for other parameters. So for earlier blocks, the function returns only the
 * proxy's own ABI. The same applies to blocks before a missing block, which may contain an upgrade, and to delegated
 * accounts (EIP-7702) and EIP-1822 proxies, which never report upgrades.
 */
async function readPastAbis(
  { database, snapshots }: DecodeDeps,
  { of, proxies }: Awaited<ReturnType<typeof readInterfaces>>,
): Promise<(address: string, block: number | undefined) => Interface | undefined> {
  const emitters = [...new Set([...proxies.values()].flatMap(({ changedBy }) => changedBy ?? []))];
  const state = emitters.length === 0 ? undefined : await snapshots.current();
  const starts = state ? await readStarts(database, state, emitters) : new Map<string, number>();
  return (address, block) => {
    const proxy = proxies.get(address);
    if (!proxy || proxy.changedBy?.length === 0 || block === undefined) return of.get(address);
    if (proxy.changedBy === undefined) return proxy.own;
    const start = Math.max(
      state ? firstWholeBlock(state) : 0,
      ...proxy.changedBy.map((emitter) => starts.get(emitter) ?? 0),
    );
    return block >= start ? of.get(address) : proxy.own;
  };
}

/** @throws ApiProblem node_unavailable if verified ABIs may be missing */
export async function decodeSurely(deps: DecodeDeps, decodable: Decodable): Promise<TransactionDecoding> {
  const decoding = await decodeTransaction(deps, decodable);
  if (decoding.isComplete) return decoding;
  throw new ApiProblem(
    'node_unavailable',
    'decoding is incomplete: no node answered in time, or the contracts or their ABIs are too many; send the request without decode=true',
  );
}

/** Maximum number of logs per transaction that are decoded by known signatures, to limit CPU time. */
const maxBySignature = 200;

function boundedSignatures(known: Awaited<ReturnType<SignatureDeps['signatures']['lookUp']>>) {
  let used = 0;
  return (topic: string) => (used++ < maxBySignature ? known.get(topic) : undefined);
}
