/** Contents of a statement of accounts. @source docs/statements.md */
/** produced: unburned fees of blocks that the account produced. */
export const coinKinds = ['transfer', 'fee', 'internal', 'produced'] as const;
export type CoinKind = (typeof coinKinds)[number];

/** Amounts are in wei or the smallest unit of the token. */
export interface Movement {
  readonly account: string;
  readonly blockNumber: number;
  /** Null for fees of a produced block. */
  readonly txIndex: number | null;
  readonly timestamp: number;
  readonly txHash: string | null;
  readonly kind: CoinKind | 'erc20' | 'erc721' | 'erc1155';
  readonly direction: 'in' | 'out';
  readonly amount: string;
  readonly counterparty: string | null;
  /** Null: the coin. */
  readonly token: string | null;
  readonly tokenId: string;
}

export interface MovementSum {
  readonly kind: CoinKind;
  readonly direction: 'in' | 'out';
  readonly movements: number;
  readonly amount: bigint;
  /** Part of the amount that moved between accounts of the statement. */
  readonly within: bigint;
}

/** Wei. A balance is null if no node has the state of the block. */
export interface CoinStatement {
  readonly account: string;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly sums: readonly MovementSum[];
  /** Received minus sent. */
  readonly change: bigint;
  /** Amount that no movement explains: closing − opening − change. */
  readonly difference: bigint | null;
}

/** Amounts are in the smallest unit of the token. */
export interface TokenStatement {
  readonly account: string;
  readonly token: string;
  readonly standard: string;
  readonly tokenId: string;
  /** Null: unknown, because the index starts after block 0. */
  readonly opening: string | null;
  readonly received: string;
  readonly sent: string;
  /** Part of `received` that came from accounts of the statement, including the account itself. */
  readonly within: string;
  readonly closing: string | null;
  readonly movements: number;
  /** Balances that the contract returns before and after the range; null if unknown. */
  readonly openingAtNode: string | null;
  readonly closingAtNode: string | null;
  /** Amount that no transfer explains: closingAtNode − openingAtNode − received + sent. */
  readonly difference: string | null;
}

/** Sums over all accounts, wei. A balance is null if it is null for any account. */
export type CoinTotal = Omit<CoinStatement, 'account'>;

/** Sums of one token over all accounts, smallest unit. An amount is null if it is null for any account. */
export type TokenTotal = Omit<TokenStatement, 'account'>;

export interface StatementTotal {
  readonly coin: CoinTotal;
  readonly tokens: readonly TokenTotal[];
}

export interface Statement {
  readonly accounts: readonly string[];
  readonly fromBlock: number;
  readonly toBlock: number;
  /** True if internal calls of all blocks are indexed. */
  readonly hasInternal: boolean;
  readonly coin: readonly CoinStatement[];
  readonly tokens: readonly TokenStatement[];
  /** Why balances are null. */
  readonly unknownBecause: string | undefined;
  /** Why some or all tokens were not compared with nodes. */
  readonly tokensUnknownBecause: string | undefined;
  readonly total: StatementTotal;
}
