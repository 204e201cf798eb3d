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
  /** call, create, create2 or selfdestruct. */
  readonly type: string;
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
  /** Smallest unit of the token; negative: a loss. */
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
  /** In execution order. */
  readonly internal: readonly InternalMove[];
}

/**
 * Sums value, fee, internal and token transfers of a transaction by account, the sender first.
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
  const calls = internal.filter(({ isError }) => isError === '0');
  for (const call of calls) moveCoin(call.from, getRecipient(call), BigInt(call.value));
  for (const [address, wei] of sumLost(tx.contractCreated, calls)) of(address).coin -= wei;
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

const getRecipient = ({ to, contractAddress }: InternalMove): string => to || contractAddress;

/**
 * Returns the coins lost in contracts that the transaction created and destroyed: coins sent to themselves by
 * SELFDESTRUCT, and coins received afterwards. @source EIP-6780; sql/relations/lost_coin.sql
 */
function sumLost(contractCreated: string | null, calls: readonly InternalMove[]): Map<string, bigint> {
  const created = new Set([contractCreated ?? '', ...calls.map(({ contractAddress }) => contractAddress)]);
  const ends = new Map(
    calls.flatMap(({ type, from }, i) => (type === 'selfdestruct' && created.has(from) ? [[from, i]] : [])),
  );
  const lost = new Map<string, bigint>();
  const add = (address: string, wei: bigint) => void lost.set(address, (lost.get(address) ?? 0n) + wei);
  for (const [i, call] of calls.entries()) {
    const [value, recipient] = [BigInt(call.value), getRecipient(call)];
    if (call.type === 'selfdestruct' && call.from === recipient && ends.has(recipient)) add(recipient, value);
    else {
      if (i > (ends.get(recipient) ?? calls.length)) add(recipient, value);
      if (i > (ends.get(call.from) ?? calls.length)) add(call.from, -value);
    }
  }
  return lost;
}

function withoutZeros(tokens: Map<string, TokenChange>): Map<string, TokenChange> {
  return new Map([...tokens].filter(([, { delta }]) => delta !== 0n));
}
