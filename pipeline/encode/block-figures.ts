/** Computes a block's figures: sums, samples (for medians) and participants. Charts and totals aggregate these rows. */
import { readTopicAddress, zeroAddress } from '#chain/codec/hex.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import type { RowWriter } from '#sql/row-writer.ts';

/** `fees` and `burned` are in wei. */
interface FigureBlock {
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  readonly fees: bigint;
  readonly burned: bigint;
  readonly bytes: bigint;
}

/** Addresses are lower case, amounts in wei. */
export interface FigureTransaction {
  readonly from: string;
  readonly to: string | null;
  /** Set even if the creation failed. */
  readonly created: string | null;
  readonly isFailed: boolean;
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  readonly fee: bigint;
  readonly inputBytes: number;
  readonly authorizations: number;
}

/** Hex is lower case. */
export interface FigureLog {
  readonly txIndex: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface FigureInput {
  readonly block: FigureBlock;
  readonly transactions: readonly FigureTransaction[];
  readonly logs: readonly FigureLog[];
}

/** Roles of addresses in the table block_figures. */
const partCodes = {
  sender: 1,
  /** Sender, recipient, created contract, or log emitter. */
  address: 2,
  /** Sender of a successful contract creation. */
  builder: 3,
  token_sender: 4,
  /** Wallet, paymaster and bundler of an ERC-4337 operation. */
  wallet: 5,
  paymaster: 6,
  bundler: 7,
} as const;
type Part = keyof typeof partCodes;
const parts = Object.keys(partCodes) as Part[];

/** Topic of UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256). @source ERC-4337 */
const operationTopic = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

class BlockSums {
  failedCount = 0;
  failedGasUsed = 0n;
  failedFees = 0n;
  creationCount = 0;
  callCount = 0;
  plainCount = 0;
  authorizationCount = 0;
  nativeValue = 0n;
  gasPriceSum = 0n;
  tokenTransferCount = 0;
  erc20TransferCount = 0;
  userOpCount = 0;
  readonly values: bigint[] = [];
  readonly gasPrices: bigint[] = [];
  readonly fees: bigint[] = [];
  readonly #actors: Readonly<Record<Part, Set<string>>> = {
    sender: new Set(),
    address: new Set(),
    builder: new Set(),
    token_sender: new Set(),
    wallet: new Set(),
    paymaster: new Set(),
    bundler: new Set(),
  };
  readonly block: FigureBlock;
  readonly transactionCount: number;
  readonly logCount: number;

  constructor({ block, transactions, logs }: FigureInput) {
    this.block = block;
    this.transactionCount = transactions.length;
    this.logCount = logs.length;
    for (const transaction of transactions) this.#addTransaction(transaction);
    for (const log of logs) this.#addLog(log, transactions[log.txIndex]?.from);
  }

  get actors(): (readonly [part: Part, address: string])[] {
    return parts.flatMap((part) => Array.from(this.#actors[part], (address) => [part, address] as const));
  }

  #addTransaction(transaction: FigureTransaction): void {
    const { from, to, created, isFailed, value, gasPrice, fee, inputBytes } = transaction;
    this.#addActor('sender', from);
    this.#addActor('address', from);
    if (to !== null) this.#addActor('address', to);
    if (isFailed) {
      this.failedCount++;
      this.failedGasUsed += transaction.gasUsed;
      this.failedFees += fee;
    } else if (created !== null) {
      this.creationCount++;
      this.#addActor('address', created);
      this.#addActor('builder', from);
    }
    if (to !== null && inputBytes >= 4) this.callCount++;
    if (to !== null && inputBytes === 0) this.plainCount++;
    this.authorizationCount += transaction.authorizations;
    if (!isFailed && value > 0n) {
      this.nativeValue += value;
      this.values.push(value);
    }
    this.gasPriceSum += gasPrice;
    this.gasPrices.push(gasPrice);
    this.fees.push(fee);
  }

  #addLog({ address, topics, data }: FigureLog, bundler: string | undefined): void {
    this.#addActor('address', address);
    for (const { standard, from } of decodeTransfers({ topics, data })) {
      this.tokenTransferCount++;
      if (standard !== 'erc20') continue;
      this.erc20TransferCount++;
      if (from !== zeroAddress) this.#addActor('token_sender', from);
    }
    const [topic0, , wallet, paymaster] = topics;
    if (topic0 !== operationTopic || wallet === undefined || paymaster === undefined) return;
    this.userOpCount++;
    this.#addActor('wallet', readTopicAddress(wallet));
    if (readTopicAddress(paymaster) !== zeroAddress) this.#addActor('paymaster', readTopicAddress(paymaster));
    if (bundler !== undefined) this.#addActor('bundler', bundler);
  }

  #addActor(part: Part, address: string): void {
    this.#actors[part].add(address);
  }
}

/** Numeric columns, in the order of the table block_figures. */
const numbers: readonly (readonly ['uint64' | 'uint256', (sums: BlockSums) => number | bigint])[] = [
  ['uint64', () => 1],
  ['uint64', (sums) => Number(sums.transactionCount === 0)],
  ['uint64', ({ block }) => block.gasUsed],
  ['uint64', ({ block }) => block.gasLimit],
  ['uint256', ({ block }) => block.fees],
  ['uint256', ({ block }) => block.burned],
  ['uint64', ({ block }) => block.bytes],
  ['uint64', (sums) => sums.logCount],
  ['uint64', (sums) => sums.transactionCount],
  ['uint64', (sums) => sums.failedCount],
  ['uint64', (sums) => sums.failedGasUsed],
  ['uint256', (sums) => sums.failedFees],
  ['uint64', (sums) => sums.creationCount],
  ['uint64', (sums) => sums.callCount],
  ['uint64', (sums) => sums.plainCount],
  ['uint64', (sums) => sums.authorizationCount],
  ['uint64', (sums) => sums.values.length],
  ['uint256', (sums) => sums.nativeValue],
  ['uint256', (sums) => sums.gasPriceSum],
  ['uint64', (sums) => sums.tokenTransferCount],
  ['uint64', (sums) => sums.erc20TransferCount],
  ['uint64', (sums) => sums.userOpCount],
];

/** Encodes a block's figures (sums for charts) as a row. @throws EncodeError for an invalid address */
export function encodeFigures(w: RowWriter, final: 0 | 1, input: FigureInput): void {
  const sums = new BlockSums(input);
  w.uint8(final);
  w.uint64(input.block.number);
  w.uint32(input.block.timestamp);
  for (const [type, value] of numbers)
    if (type === 'uint64') w.uint64(value(sums));
    else w.uint256(BigInt(value(sums)));
  w.uint256Array(sums.values);
  w.uint256Array(sums.gasPrices);
  w.uint256Array(sums.fees);
  const { actors } = sums;
  w.uint8Array(actors.map(([part]) => partCodes[part]));
  w.fixedArray(
    actors.map(([, address]) => address),
    20,
  );
  w.endRow();
}

export function figureTexts(input: FigureInput): Readonly<Record<'numbers' | 'samples' | 'actors', string>> {
  const sums = new BlockSums(input);
  return {
    numbers: numbers.map(([, value]) => value(sums)).join(' '),
    samples: [sums.values, sums.gasPrices, sums.fees].map((samples) => samples.join(' ')).join(','),
    actors: sums.actors.map(([part, address]) => `${part} ${address}`).join(','),
  };
}
