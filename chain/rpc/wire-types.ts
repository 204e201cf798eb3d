/**
 * Types of JSON-RPC replies, guaranteed only after the checks in `chain/verify/check-bundle.ts`.
 * @source ethereum/execution-apis src/schemas/{block,transaction,receipt}.yaml
 */
import type { InternalCall } from './internal-call.ts';

export interface WireBlock {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  miner: string;
  gasLimit: string;
  gasUsed: string;
  logsBloom: string;
  stateRoot: string;
  transactionsRoot: string;
  receiptsRoot: string;
  sha3Uncles: string;
  extraData: string;
  /** `mixHash` and `nonce` are absent on some proof-of-authority chains. */
  mixHash?: string | null;
  nonce?: string | null;
  difficulty?: string | null;
  size?: string | null;
  baseFeePerGas?: string | null;
  withdrawalsRoot?: string | null;
  withdrawals?: WireWithdrawal[] | null;
  blobGasUsed?: string | null;
  excessBlobGas?: string | null;
  parentBeaconBlockRoot?: string | null;
  requestsHash?: string | null;
  uncles?: string[] | null;
  transactions: WireTransaction[];
}

export interface WireWithdrawal {
  index: string;
  validatorIndex: string;
  address: string;
  amount: string;
}

export interface WireTransaction {
  hash: string;
  blockHash: string;
  blockNumber: string;
  transactionIndex: string;
  from: string;
  to?: string | null;
  value: string;
  nonce: string;
  gas: string;
  input: string;
  type?: string | null;
  gasPrice?: string | null;
  maxFeePerGas?: string | null;
  maxPriorityFeePerGas?: string | null;
  maxFeePerBlobGas?: string | null;
  blobVersionedHashes?: string[] | null;
  accessList?: { address: string; storageKeys: string[] }[] | null;
  authorizationList?: WireAuthorization[] | null;
  chainId?: string | null;
  yParity?: string | null;
  v?: string | null;
  r?: string | null;
  s?: string | null;
}

export interface WireAuthorization {
  chainId: string;
  address: string;
  nonce: string;
  yParity?: string;
  v?: string;
  r: string;
  s: string;
}

export interface WireReceipt {
  transactionHash: string;
  transactionIndex: string;
  blockHash: string;
  blockNumber: string;
  cumulativeGasUsed: string;
  gasUsed: string;
  logs: WireLog[];
  logsBloom?: string | null;
  contractAddress?: string | null;
  effectiveGasPrice?: string | null;
  /** Since the hard fork Byzantium; earlier receipts have `root` instead. */
  status?: string | null;
  root?: string | null;
  type?: string | null;
  blobGasUsed?: string | null;
  blobGasPrice?: string | null;
}

export interface WireLog {
  address: string;
  topics: string[];
  data: string;
  blockHash: string;
  blockNumber: string;
  transactionHash: string;
  transactionIndex: string;
  logIndex: string;
  removed?: boolean;
}

export interface BlockBundle {
  block: WireBlock;
  receipts: WireReceipt[];
  /** Internal calls per transaction, if the block is traced. */
  calls?: readonly (readonly InternalCall[])[];
}

export interface HeadRef {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Block time, Unix seconds. */
  readonly timestamp: number;
}

/** A call in the format of geth's callTracer. @source geth docs, built-in tracers */
export interface WireCall {
  type: string;
  from: string;
  to?: string | null;
  /** Wei, hex. Absent for calls without value, such as static calls. */
  value?: string | null;
  gas?: string | null;
  gasUsed?: string | null;
  input?: string | null;
  error?: string | null;
  calls?: WireCall[] | null;
}

/** An item in the reply of trace_block. @source OpenEthereum docs, trace module */
export interface WireTrace {
  /** call, create, suicide (or selfdestruct) or reward. */
  type: string;
  action: {
    from?: string;
    to?: string;
    value?: string;
    gas?: string;
    input?: string;
    init?: string;
    callType?: string;
    creationMethod?: string;
    /** Contract that destroys itself, with its `balance` and the beneficiary `refundAddress`. */
    address?: string;
    balance?: string;
    refundAddress?: string;
  };
  result?: { address?: string; gasUsed?: string } | null;
  error?: string | null;
  blockHash: string;
  transactionHash?: string | null;
  transactionPosition?: number | null;
  traceAddress: number[];
  subtraces: number;
}

/** A block and its receipts, unchecked. */
export type RawBlock = readonly [block: WireBlock | null, receipts: (WireReceipt | null)[] | null];
