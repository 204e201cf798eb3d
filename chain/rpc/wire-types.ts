/**
 * Objects as they come over JSON-RPC: hex strings, unchecked until `chain/verify/check-bundle.ts` has seen them.
 * Fields that no rule needs are left out; unknown fields are ignored.
 * @source ethereum/execution-apis src/schemas/{block,transaction,receipt}.yaml
 */
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
  /** Absent on some proof-of-authority chains. */
  mixHash?: string | null;
  nonce?: string | null;
  difficulty?: string | null;
  /** Not part of the header; some nodes leave it out. */
  size?: string | null;
  /** From London on. */
  baseFeePerGas?: string | null;
  /** From Shanghai on. */
  withdrawalsRoot?: string | null;
  withdrawals?: WireWithdrawal[] | null;
  /** From Cancun on. */
  blobGasUsed?: string | null;
  excessBlobGas?: string | null;
  parentBeaconBlockRoot?: string | null;
  /** From Prague on. */
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
  /** From Byzantium on; before it `root`. */
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

/** A block with its transactions, and all their receipts in order. */
export interface BlockBundle {
  block: WireBlock;
  receipts: WireReceipt[];
}

/** What is needed to follow heads. */
export interface HeadRef {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix seconds. */
  readonly timestamp: number;
}
