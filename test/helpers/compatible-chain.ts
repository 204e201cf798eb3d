import { readFileSync } from 'node:fs';
import { readWireChain, type WireBlock } from './chain-model.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from './indexed-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
export type Row = any;

export interface CompatibleChain extends IndexedChain {
  readonly wire: WireBlock[];
  readonly addresses: Set<string>;
  ask(query: string): Promise<Row>;
}

const declarations = readFileSync('sql/reference/signatures.tsv', 'utf8')
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([, kind]) => kind === 'function');

/** Empty if several bundled functions have the selector. */
function functionName(selector: string): string {
  const found = declarations.filter(([each]) => each === selector);
  return found.length === 1 ? found[0]![4]!.replace('function ', '') : '';
}

export async function startCompatibleChain(blocks: number, seed: number): Promise<CompatibleChain> {
  const indexed = await startIndexedChain({ blocks, seed });
  await waitForTokens(indexed);
  const wire = await readWireChain(indexed.chain.rpc, indexed.head);
  const addresses = new Set<string>();
  for (const { receipts } of wire)
    for (const { from, to, contractAddress, logs } of receipts)
      for (const address of [from, to, contractAddress, ...logs.map((log: Row) => log.address)])
        if (address) addresses.add(address.toLowerCase());
  for (const { from, to } of indexed.transfers) addresses.add(from).add(to);
  const ask = async (query: string) => {
    const { status, headers, body } = await indexed.api.get(`/api?${query}`);
    if (status !== 200) throw new Error(`${query}: ${status}`);
    return { ...body, next: headers.get('x-next-cursor') };
  };
  return { ...indexed, wire, addresses, ask };
}

export const lower = (address: string | null) => address?.toLowerCase() ?? '';
export const decimal = (hex: string) => BigInt(hex).toString();

export async function everyPage({ ask }: CompatibleChain, query: string, offset: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { status, result, message } = await ask(`${query}&page=${page}&offset=${offset}`);
    if (status === '0' && !/^No (transactions|records) found$/.test(message)) throw new Error(`${query}: ${result}`);
    rows.push(...result);
    if (result.length < offset) return rows;
  }
}

export async function everyCursor({ ask }: CompatibleChain, query: string, offset: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { result, next } = await ask(`${query}&page=1&offset=${offset}&cursor=${cursor}`);
    rows.push(...result);
    if (next === null) return rows;
    cursor = next;
  }
}

function txlistRow(head: number, { header }: WireBlock, tx: Row, receipt: Row) {
  return {
    blockNumber: decimal(header.number),
    timeStamp: decimal(header.timestamp),
    hash: tx.hash,
    nonce: decimal(tx.nonce),
    blockHash: header.hash,
    transactionIndex: decimal(tx.transactionIndex),
    from: lower(tx.from),
    to: lower(tx.to),
    value: decimal(tx.value),
    gas: decimal(tx.gas),
    gasPrice: decimal(receipt.effectiveGasPrice),
    isError: receipt.status === '0x1' ? '0' : '1',
    txreceipt_status: decimal(receipt.status),
    input: tx.input,
    contractAddress: lower(receipt.contractAddress),
    cumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    gasUsed: decimal(receipt.gasUsed),
    confirmations: String(head - Number(header.number)),
    methodId: tx.input.length >= 10 ? tx.input.slice(0, 10) : tx.input,
    functionName: tx.to === null ? '' : functionName(tx.input.slice(0, 10)),
  };
}

export const txlistRows = ({ wire, head }: CompatibleChain) =>
  wire.flatMap((block) =>
    block.receipts.map((receipt, i) => txlistRow(head, block, block.header.transactions[i], receipt)),
  );
