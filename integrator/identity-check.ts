/** Checks a node before an exchange uses it for payments. @source docs/integration.md#check-the-node */
import { splitCredentials } from '#runtime/url-credentials.ts';
import { NodeClient } from './node-client.ts';

export interface IdentityOptions {
  readonly url: string;
  readonly chainId: number;
  /** Published hash of block 0; unset: not compared. */
  readonly genesisHash?: string | undefined;
  /** Trusted node to compare with; unset: the lag is not checked. */
  readonly referenceUrl?: string | undefined;
  /** The checked node must reject transactions. */
  readonly isReadPool: boolean;
  /** Transaction whose receipt is checked; unset: one of the last blocks. */
  readonly transaction?: string | undefined;
}

interface Check {
  readonly name: 'chainId' | 'genesisHash' | 'headLag' | 'receipts' | 'writeRefusal';
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
}

export interface Certificate {
  /** Host of the node without the rest of its URL, which may contain credentials. */
  readonly node: string;
  readonly checkedAt: string;
  readonly passed: boolean;
  readonly checks: readonly Check[];
}

const maxLag = 3;
const searchBlocks = 1_000;
const blocksAtOnce = 20;

export async function checkIdentity(options: IdentityOptions): Promise<Certificate> {
  const { url, chainId, genesisHash, referenceUrl, isReadPool, transaction } = options;
  const node = new NodeClient(url);
  const checks = await Promise.all([
    attempt('chainId', `0x${chainId.toString(16)}`, async () => {
      const actual = await node.read<string>('eth_chainId');
      return [Number(actual) === chainId, actual];
    }),
    attempt('genesisHash', genesisHash ?? 'any: GENESIS_HASH is not set', async () => {
      const { hash } = await node.read<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
      return [!genesisHash || hash.toLowerCase() === genesisHash.toLowerCase(), hash];
    }),
    attempt('headLag', `at most ${maxLag} blocks`, () => headLag(node, referenceUrl)),
    attempt('receipts', 'status and block of a transaction', () => checkReceipt(node, transaction)),
    ...(isReadPool ? [attempt('writeRefusal', 'status 405 and error -32601', () => writeRefusal(url))] : []),
  ]);
  const passed = checks.every((check) => check.passed);
  return { node: new URL(url).host, checkedAt: new Date().toISOString(), passed, checks };
}

async function attempt(name: Check['name'], expected: string, check: () => Promise<[boolean, string]>): Promise<Check> {
  try {
    const [passed, actual] = await check();
    return { name, passed, expected, actual };
  } catch (error) {
    return { name, passed: false, expected, actual: `no answer: ${(error as Error).message}` };
  }
}

async function headLag(node: NodeClient, referenceUrl: string | undefined): Promise<[boolean, string]> {
  const head = Number(await node.read<string>('eth_blockNumber'));
  if (!referenceUrl) return [true, `head ${head}; no reference node to compare with`];
  const reference = Number(await new NodeClient(referenceUrl).read<string>('eth_blockNumber'));
  return [reference - head <= maxLag, `${Math.max(0, reference - head)} blocks (head ${head}, reference ${reference})`];
}

/** @param named transaction hash; undefined: use one of the last blocks */
async function checkReceipt(node: NodeClient, named: string | undefined): Promise<[boolean, string]> {
  const hash = named ?? (await findTransaction(node));
  if (!hash) return [false, `no transaction in the last ${searchBlocks} blocks: name one with --tx`];
  const receipt = await node.read<Record<string, string> | null>('eth_getTransactionReceipt', [hash]);
  const { status, blockNumber, blockHash } = receipt ?? {};
  const said = `receipt of ${hash}: status ${status}, block ${blockNumber}`;
  if (!/^0x[01]$/.test(status ?? '') || blockNumber === undefined) return [false, said];
  const block = await node.read<Block | null>('eth_getBlockByNumber', [blockNumber, false]);
  return [block?.hash === blockHash && block?.transactions.includes(hash) === true, said];
}

interface Block {
  readonly hash: string;
  /** Hashes. */
  readonly transactions: readonly string[];
}

/** Returns a transaction hash of the newest block that has a transaction. */
async function findTransaction(node: NodeClient): Promise<string | undefined> {
  const head = Number(await node.readQuantity('eth_blockNumber'));
  const first = Math.max(0, head - searchBlocks + 1);
  for (let last = head; last >= first; last -= blocksAtOnce) {
    const numbers = Array.from({ length: Math.min(blocksAtOnce, last - first + 1) }, (_, i) => last - i);
    const blocks = await Promise.all(
      numbers.map((number) => node.read<Block | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])),
    );
    const found = blocks.find((block) => block !== null && block.transactions.length > 0);
    if (found) return found.transactions[0];
  }
  return undefined;
}

/** Sends an empty transaction. A read pool rejects it with status 405. */
async function writeRefusal(url: string): Promise<[boolean, string]> {
  const { url: address, headers } = splitCredentials(url);
  const reply = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x"]}',
    signal: AbortSignal.timeout(20_000),
  });
  const { error } = (await reply.json()) as { error?: { code: number } };
  return [reply.status === 405 && error?.code === -32601, `status ${reply.status}, error ${error?.code ?? 'none'}`];
}
