/** In-memory model of the chain, computed from the node's replies only. */
import { Interface } from 'ethers';
import type { DevRpc } from '#devchain/dev-rpc.ts';

export interface ModelTx {
  readonly hash: string;
  readonly block: number;
  readonly index: number;
  readonly from: string;
  readonly to: string | null;
  readonly created: string | null;
  readonly value: bigint;
  readonly input: string;
  readonly type: number;
  readonly status: number;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  readonly fee: bigint;
  readonly authorizations: number;
}

interface ModelLog {
  readonly block: number;
  readonly logIndex: number;
  readonly txHash: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface ModelBlock {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
  readonly miner: string;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  /** Base fees and blob fees, wei. */
  readonly burned: bigint;
  readonly blobGas: bigint;
  readonly size: number;
  readonly txs: readonly ModelTx[];
  readonly logs: readonly ModelLog[];
}

export interface ModelTransfer {
  readonly block: number;
  readonly logIndex: number;
  readonly batchIndex: number;
  readonly txHash: string;
  readonly token: string;
  readonly standard: 'erc20' | 'erc721' | 'erc1155';
  readonly from: string;
  readonly to: string;
  readonly tokenId: bigint;
  readonly value: bigint;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the test's own node
type Wire = any;

const zero = `0x${'0'.repeat(40)}`;
const events = {
  erc20: new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  erc721: new Interface(['event Transfer(address indexed from, address indexed to, uint256 indexed id)']),
  erc1155: new Interface([
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  ]),
};

export interface WireBlock {
  readonly header: Wire;
  readonly receipts: Wire[];
}

export async function readWireChain(rpc: DevRpc, toBlock: number): Promise<WireBlock[]> {
  const blocks: WireBlock[] = [];
  for (let from = 0; from <= toBlock; from += 100) {
    const numbers = Array.from({ length: Math.min(100, toBlock - from + 1) }, (_, i) => `0x${(from + i).toString(16)}`);
    const [headers, receipts] = await Promise.all([
      rpc.batch<Wire>(numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, true] }))),
      rpc.batch<Wire>(numbers.map((number) => ({ method: 'eth_getBlockReceipts', params: [number] }))),
    ]);
    blocks.push(...headers.map((header, i) => ({ header, receipts: receipts[i] })));
  }
  return blocks;
}

export async function readChainModel(rpc: DevRpc, toBlock: number): Promise<ModelBlock[]> {
  return (await readWireChain(rpc, toBlock)).map(({ header, receipts }) => modelBlock(header, receipts));
}

function modelBlock(header: Wire, receipts: Wire[]): ModelBlock {
  const number = Number(header.number);
  const [gasUsed, baseFee] = [BigInt(header.gasUsed), BigInt(header.baseFeePerGas ?? 0)];
  return {
    number,
    hash: header.hash,
    time: Number(header.timestamp),
    miner: header.miner.toLowerCase(),
    gasUsed,
    gasLimit: BigInt(header.gasLimit),
    baseFee,
    burned: receipts.reduce((sum: bigint, receipt: Wire) => sum + blobFee(receipt), baseFee * gasUsed),
    blobGas: receipts.reduce((sum: bigint, receipt: Wire) => sum + BigInt(receipt.blobGasUsed ?? 0), 0n),
    size: Number(header.size),
    txs: header.transactions.map((tx: Wire, index: number) => modelTx(number, index, tx, receipts[index])),
    logs: receipts.flatMap((receipt: Wire) =>
      receipt.logs.map((log: Wire) => ({
        block: number,
        logIndex: Number(log.logIndex),
        txHash: receipt.transactionHash,
        address: log.address.toLowerCase(),
        topics: log.topics,
        data: log.data,
      })),
    ),
  };
}

const blobFee = ({ blobGasUsed, blobGasPrice }: Wire): bigint => BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0);

function modelTx(block: number, index: number, tx: Wire, receipt: Wire): ModelTx {
  const [gasUsed, gasPrice] = [BigInt(receipt.gasUsed), BigInt(receipt.effectiveGasPrice)];
  return {
    hash: tx.hash,
    block,
    index,
    from: tx.from.toLowerCase(),
    to: tx.to?.toLowerCase() ?? null,
    created: receipt.contractAddress?.toLowerCase() ?? null,
    value: BigInt(tx.value),
    input: tx.input,
    type: Number(tx.type),
    status: Number(receipt.status),
    gasUsed,
    gasPrice,
    fee: gasUsed * gasPrice + blobFee(receipt),
    authorizations: tx.authorizationList?.length ?? 0,
  };
}

export function modelTransfers(blocks: readonly ModelBlock[]): ModelTransfer[] {
  return blocks.flatMap((block) => block.logs.flatMap(getTransfers));
}

function getTransfers(log: ModelLog): ModelTransfer[] {
  const place = { block: log.block, logIndex: log.logIndex, txHash: log.txHash, token: log.address };
  const parse = (abi: Interface) => {
    try {
      return abi.parseLog({ topics: [...log.topics], data: log.data });
    } catch {
      return null;
    }
  };
  const item = (standard: ModelTransfer['standard'], args: Wire, tokenId: bigint, value: bigint, batchIndex = 0) => {
    const sides = { from: args.from.toLowerCase(), to: args.to.toLowerCase() };
    return { ...place, ...sides, standard, tokenId, value, batchIndex };
  };
  const multi = parse(events.erc1155);
  if (multi?.name === 'TransferSingle') return [item('erc1155', multi.args, multi.args.id, multi.args.value)];
  if (multi?.name === 'TransferBatch')
    return multi.args.ids.map((id: bigint, i: number) => item('erc1155', multi.args, id, multi.args[4][i], i));
  const nft = log.topics.length === 4 ? parse(events.erc721) : null;
  if (nft) return [item('erc721', nft.args, nft.args.id, 1n)];
  const plain = log.topics.length === 3 ? parse(events.erc20) : null;
  return plain ? [item('erc20', plain.args, 0n, plain.args.value)] : [];
}

/** Returns the token balances above 0 by holder, summed over all token ids. */
export function modelHolders(transfers: readonly ModelTransfer[], token: string): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { from, to, value } of transfers.filter((transfer) => transfer.token === token)) {
    if (from !== zero) balances.set(from, (balances.get(from) ?? 0n) - value);
    if (to !== zero) balances.set(to, (balances.get(to) ?? 0n) + value);
  }
  return new Map([...balances].filter(([, balance]) => balance > 0n));
}

export function modelOwners(transfers: readonly ModelTransfer[], token: string): Map<bigint, string> {
  const owners = new Map<bigint, string>();
  for (const { to, tokenId } of transfers.filter((transfer) => transfer.token === token)) owners.set(tokenId, to);
  return new Map([...owners].filter(([, owner]) => owner !== zero));
}

export function modelBalances(transfers: readonly ModelTransfer[], account: string): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { from, to, token, value, standard } of transfers) {
    if (standard !== 'erc20' || (from !== account && to !== account)) continue;
    const delta = (to === account ? value : 0n) - (from === account ? value : 0n);
    balances.set(token, (balances.get(token) ?? 0n) + delta);
  }
  return balances;
}

/** Returns the value at rank floor(q n) of n sorted values; 0 if there are no values. */
export function valueAtRank(values: readonly bigint[], q: number): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length * q)] ?? 0n;
}
