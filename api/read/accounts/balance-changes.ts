interface ChangeSource {
  readonly from: string;
  readonly to: string | null;
  readonly contractCreated: string | null;
  readonly status: 0 | 1 | null;
  readonly value: string;
  readonly fee: string;
  readonly gasUsed: number;
  readonly gasPrice: string;
  readonly tokenTransfers: readonly TokenMove[];
}

interface InternalMove {
  readonly from: string;
  /** Empty for a creation. */
  readonly to: string;
  readonly contractAddress: string;
  readonly value: string;
  readonly isError: string;
}

interface TokenMove {
  readonly token: string;
  readonly standard: 'erc20' | 'erc721' | 'erc1155';
  readonly from: string;
  readonly to: string;
  readonly tokenId: string | null;
  readonly value: string;
}

export interface TokenChange {
  readonly token: string;
  readonly standard: TokenMove['standard'];
  readonly tokenId: string | null;
  /** Smallest unit of the token; negative if the account has less. */
  delta: bigint;
}

export interface BalanceChange {
  readonly address: string;
  /** Wei. */
  coin: bigint;
  readonly tokens: Map<string, TokenChange>;
}

interface ChangedBy {
  /** Account that receives the unburned part of the fee. */
  readonly producer: string;
  /** Wei per gas; undefined if the block has no base fee. */
  readonly baseFee: string | undefined;
  readonly internal: readonly InternalMove[];
}

/**
 * Sums the balance changes of a transaction by account: value, fee, internal and token transfers. The sender is first.
 * @source EIP-1559, "priority fee": the producer receives gas used times (gas price minus base fee)
 */
export function balanceChanges(tx: ChangeSource, { producer, baseFee, internal }: ChangedBy): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  const of = (address: string) => {
    const known = changes.get(address) ?? { address, coin: 0n, tokens: new Map<string, TokenChange>() };
    changes.set(address, known);
    return known;
  };
  const moveCoin = (from: string, to: string | null, wei: bigint) => {
    of(from).coin -= wei;
    if (to) of(to).coin += wei;
  };
  of(tx.from).coin -= BigInt(tx.fee);
  if (tx.status !== 0) moveCoin(tx.from, tx.to ?? tx.contractCreated, BigInt(tx.value));
  for (const call of internal)
    if (call.isError === '0') moveCoin(call.from, call.to || call.contractAddress, BigInt(call.value));
  const moveToken = (address: string, move: TokenMove, delta: bigint) => {
    const { tokens } = of(address);
    const key = `${move.token} ${move.tokenId}`;
    const known = tokens.get(key) ?? { token: move.token, standard: move.standard, tokenId: move.tokenId, delta: 0n };
    known.delta += delta;
    tokens.set(key, known);
  };
  for (const move of tx.tokenTransfers) {
    const amount = move.standard === 'erc721' ? 1n : BigInt(move.value);
    moveToken(move.from, move, -amount);
    moveToken(move.to, move, amount);
  }
  of(producer).coin += (BigInt(tx.gasPrice) - BigInt(baseFee ?? 0)) * BigInt(tx.gasUsed);
  return [...changes.values()]
    .map(({ address, coin, tokens }) => ({ address, coin, tokens: withoutZeros(tokens) }))
    .filter(({ coin, tokens }) => coin !== 0n || tokens.size > 0);
}

function withoutZeros(tokens: Map<string, TokenChange>): Map<string, TokenChange> {
  return new Map([...tokens].filter(([, { delta }]) => delta !== 0n));
}
