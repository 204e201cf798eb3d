import type { NodeClient } from './node-client.ts';

/** Mined transaction, as reported by a node. */
export interface Mined {
  readonly blockHash: string;
  readonly depth: number;
  readonly status: number;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string | null;
  /** Amount, wei. */
  readonly value: string;
}

interface Sent {
  readonly blockHash: string | null;
  readonly from: string;
  readonly nonce: string;
  readonly to: string | null;
  readonly value: string;
}

/** @returns undefined if the node has no receipt, or its replies are from different blocks */
export async function readMined(node: NodeClient, hash: string): Promise<Mined | undefined> {
  const [receipt, sent, latest] = await Promise.all([
    node.read<{ status: string; blockNumber: string; blockHash: string } | null>('eth_getTransactionReceipt', [hash]),
    node.read<Sent | null>('eth_getTransactionByHash', [hash]),
    node.read<string>('eth_blockNumber'),
  ]);
  // a load balancer may have sent the requests to nodes on different branches
  if (!receipt || sent?.blockHash?.toLowerCase() !== receipt.blockHash.toLowerCase()) return undefined;
  return {
    blockHash: receipt.blockHash.toLowerCase(),
    status: Number(receipt.status),
    depth: Number(latest) - Number(receipt.blockNumber),
    nonce: Number(sent.nonce),
    sender: sent.from.toLowerCase(),
    to: sent.to?.toLowerCase() ?? null,
    value: BigInt(sent.value).toString(),
  };
}
