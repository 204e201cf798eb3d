/**
 * Reads a deposit from the index, the node that receives transactions (writer) and a second node.
 * @source docs/deposits.md#what-the-verdict-checks
 */
import { isDeepStrictEqual } from 'node:util';
import { getCreateAddress } from 'ethers';
import { isHash, toQuantity } from '#chain/codec/hex.ts';
import type { Upstream } from '#gateway/upstream.ts';
import { type ChainState, isDoubted } from '#sql/snapshot.ts';
import { receiptStatus } from '../../terms/records.ts';
import type { TransactionReader } from '../chain/transaction-reader.ts';
import type { NodeDeps } from '../reader-deps.ts';

export interface EvidenceDeps extends Pick<NodeDeps, 'upstreams'> {
  readonly transactions: TransactionReader;
}

export interface Sighting {
  readonly source: 'ok' | 'unavailable';
  readonly found: boolean;
  readonly status: 0 | 1 | null;
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  readonly latest: number | null;
  readonly hashAtHeight: string | null;
}

export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

export interface Evidence {
  readonly writer: Sighting;
  /** Null if the writer is the only node. */
  readonly pool: Sighting | null;
  readonly index: Sighting;
  readonly transfer: Transfer | undefined;
  /** False: the index and a node disagree on sender, recipient or value. */
  readonly isSameTransfer: boolean;
  /** Undefined: no node returned the transaction, or its signature has no chain id (before EIP-155). */
  readonly chainId: number | undefined;
  /** False: no node returned the transaction. */
  readonly isChainIdKnown: boolean;
}

const timeoutMs = 5_000;
const notFound = { found: false, status: null, blockNumber: null, blockHash: null, hashAtHeight: null } as const;
const unavailable: Sighting = { ...notFound, source: 'unavailable', latest: null };

export async function gatherEvidence(deps: EvidenceDeps, state: ChainState, hash: string): Promise<Evidence> {
  const { upstreams } = deps;
  const reader = upstreams.inOrder().find((upstream) => upstream !== upstreams.writer);
  const [writerAnswer, poolAnswer, index, sent] = await Promise.all([
    readFromNode(upstreams.writer, hash),
    reader ? readFromNode(reader, hash) : null,
    readFromIndex(deps, state, hash),
    readSigned([upstreams.writer, ...(reader ? [reader] : [])], hash),
  ]);
  const height = [writerAnswer, poolAnswer, index.sighting].find((one) => one?.found)?.blockNumber ?? null;
  const [writer, pool] = await Promise.all([
    addHashAtHeight(upstreams.writer, writerAnswer, height),
    reader && poolAnswer ? addHashAtHeight(reader, poolAnswer, height) : null,
  ]);
  const ofNode = sent && toTransfer({ ...sent, from: sent.from.toLowerCase(), to: sent.to?.toLowerCase() ?? null });
  return {
    writer,
    pool,
    index: index.sighting,
    transfer: index.transfer ?? ofNode,
    isSameTransfer: isDeepStrictEqual(index.transfer ?? ofNode, ofNode ?? index.transfer),
    chainId: sent?.chainId == null ? undefined : Number(sent.chainId),
    isChainIdKnown: sent !== undefined,
  };
}

async function readSigned(nodes: readonly Upstream[], hash: string): Promise<WireTransaction | undefined> {
  for (const node of nodes) {
    const sent = await node.call('eth_getTransactionByHash', [hash], timeoutMs).catch(() => undefined);
    if (sent) return sent as WireTransaction;
  }
  return undefined;
}

interface WireTransaction {
  readonly from: string;
  readonly to: string | null;
  readonly nonce: string;
  readonly value: string;
  readonly chainId?: string;
}

/** Adds the node's block hash at the deposit's height, which differs if the node follows another chain. */
async function addHashAtHeight(node: Upstream, sighting: Sighting, height: number | null): Promise<Sighting> {
  if (sighting.found || height === null || sighting.latest === null || sighting.latest < height) return sighting;
  // the verdict needs this hash
  const hashAtHeight = await readHash(node, toQuantity(height)).catch(() => undefined);
  return hashAtHeight === undefined ? unavailable : { ...sighting, hashAtHeight };
}

async function readHash(node: Upstream, height: string): Promise<string | null> {
  const block = await node.call('eth_getBlockByNumber', [height, false], timeoutMs);
  const hash = (block as { hash?: unknown } | null)?.hash;
  if (block !== null && !isHash(hash)) throw new Error('eth_getBlockByNumber returned a block without a hash');
  return isHash(hash) ? hash.toLowerCase() : null;
}

async function readFromNode(node: Upstream, hash: string): Promise<Sighting> {
  try {
    const [receipt, latest] = (await Promise.all([
      node.call('eth_getTransactionReceipt', [hash], timeoutMs),
      node.call('eth_blockNumber', [], timeoutMs),
    ])) as [{ status?: string; blockNumber: string; blockHash: string } | null, string];
    if (!receipt?.blockNumber) return { ...notFound, source: 'ok', latest: Number(latest) };
    return {
      source: 'ok',
      found: true,
      latest: Number(latest),
      status: receipt.status === undefined ? null : receipt.status === '0x1' ? 1 : 0,
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash.toLowerCase(),
      hashAtHeight: await readHash(node, receipt.blockNumber),
    };
  } catch {
    return unavailable;
  }
}

async function readFromIndex(
  deps: Pick<EvidenceDeps, 'transactions'>,
  state: ChainState,
  hash: string,
): Promise<{ sighting: Sighting; transfer?: Transfer }> {
  const row = await deps.transactions.find(state, hash);
  if (!row) return { sighting: { ...notFound, source: 'ok', latest: state.head } };
  const blockNumber = Number(row.block_number);
  return {
    sighting: {
      source: 'ok',
      found: true,
      latest: state.head,
      status: receiptStatus(row),
      blockNumber,
      blockHash: row.block_hash,
      hashAtHeight: isDoubted(state, blockNumber) ? null : row.block_hash,
    },
    transfer: toTransfer(row),
  };
}

/** Returns the transfer. A creation pays its value to the new contract. @source Yellow Paper, "Contract Creation" */
function toTransfer({ from, to, value, nonce }: Record<'from' | 'value' | 'nonce', string> & { to: string | null }) {
  return { from, to: to ?? getCreateAddress({ from, nonce }).toLowerCase(), value: BigInt(value) };
}
