/**
 * Creates proofs of reserves. The owner signs one text with each account. The service confirms the balances after a
 * finalized block.
 * @source docs/statements.md
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { toQuantity } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, finalizedPart } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { type HeldToken, readTokensAt } from '../accounts/tokens-at.ts';
import { findBlock } from '../chain/find-block.ts';
import { assertCovered } from '../chain/freshness.ts';
import { findSigner } from '../identity/wallet-signature.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import { readContractBalances } from './compare-tokens.ts';

export interface ReservesDeps extends StoreDeps, CoverageDeps {
  readonly client: RpcClient;
  readonly accounts: AccountReader;
}

/** Contents of the signed text. */
export interface Book {
  readonly chainId: number;
  /** 0x, lower case. */
  readonly accounts: readonly string[];
  readonly purpose: string;
  readonly block: { readonly number: number; readonly hash: string; readonly timestamp: number };
}

export interface SignedAccount {
  readonly address: string;
  readonly signature: string;
}

interface ProvenAccount extends SignedAccount {
  /** key: EIP-191 signature; contract: the wallet confirmed the signature at the block (EIP-1271). */
  readonly wallet: 'key' | 'contract';
  /** Wei, from a node. */
  readonly balance: string;
}

/** A token of all accounts. `amount`: sum of their balances by transfers. */
type TokenSum = Omit<HeldToken, 'account'> & {
  /** Sum of the balances that the contract returns for these accounts; null if one is unknown. */
  readonly amountAtNode: string | null;
};

/** Maximum balances to compare with contracts: each takes a node call. */
const maxCompared = 500;

export interface Reserves {
  readonly message: string;
  readonly accounts: readonly ProvenAccount[];
  /** Wei. */
  readonly coin: string;
  /** Null: unknown, because the index starts after block 0. */
  readonly tokens: readonly TokenSum[] | null;
  /** Why some balances were not compared with contracts; null if all were, or `tokens` is null. */
  readonly tokensUnknownBecause: string | null;
}

/** The check stops after this number of wrong signatures. */
const maxUnsigned = 10;

export const Purpose = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'must be one line of up to 200 characters');

/** Writes the text to sign. Its block hash proves that it was signed after the block. */
export function writeReservesMessage({ chainId, accounts, purpose, block }: Book): string {
  const digest = createHash('sha256')
    .update([...accounts].sort().join(','))
    .digest('hex');
  return [
    'Proof of reserves',
    `Chain: ${chainId}`,
    `Purpose: ${purpose}`,
    `Block: ${block.number} ${block.hash}`,
    `Accounts: ${accounts.length}, SHA-256 of their sorted list ${digest}`,
    'Each of these accounts signs this text.',
  ].join('\n');
}

/**
 * @param number default: the newest finalized block
 * @throws ApiProblem bad_query if the block is not finalized or not indexed; indexing if earlier blocks are missing
 */
export async function requireReservesBlock(
  deps: ReservesDeps,
  newest: ChainState,
  number = newest.finalized,
): Promise<Book['block']> {
  if (number < newest.startBlock || number > newest.finalized)
    throw new ApiProblem(
      'bad_query',
      `block must be finalized and indexed: ${newest.startBlock} to ${newest.finalized}, got ${number}`,
    );
  assertCovered(deps, newest, { from: newest.startBlock, to: number }, 'balances of tokens need all their transfers');
  const block = known(await findBlock(deps, finalizedPart(newest), number), `block ${number}`);
  return { number, hash: block.block_hash, timestamp: block.time };
}

/**
 * Checks all signatures and reads the balances.
 * @throws ApiProblem bad_query with the accounts whose signature is wrong; state_unavailable, node_unavailable
 */
export async function readReserves(
  deps: ReservesDeps,
  newest: ChainState,
  book: Book,
  signed: readonly SignedAccount[],
  tokens?: readonly string[],
): Promise<Reserves> {
  const message = writeReservesMessage(book);
  const { number, hash } = book.block;
  const wallets: ('key' | 'contract' | undefined)[] = [];
  const unsigned: string[] = [];
  for (const one of signed) {
    await setImmediate(); // serves other requests: checking a signature blocks for 2 ms
    const wallet = await findSigner(deps.client, { ...one, text: message, block: number });
    wallets.push(wallet);
    if (wallet === undefined) unsigned.push(one.address);
    if (unsigned.length >= maxUnsigned) break;
  }
  if (unsigned.length > 0)
    throw new ApiProblem(
      'bad_query',
      `these accounts did not sign the message of GET /reserves/message for this block and purpose: ${unsigned.join(', ')}`,
    );
  const addresses = signed.map(({ address }) => address);
  const [balances, held] = await Promise.all([
    deps.accounts.balances(addresses, toQuantity(number), hash),
    readTokens(deps, newest, addresses, { block: number, tokens }),
  ]);
  return {
    message,
    accounts: signed.map((one, i) => ({
      ...one,
      wallet: known(wallets[i], 'the kind of a wallet'),
      balance: known(balances[i], 'the balance of an account'),
    })),
    coin: String(balances.reduce((sum, balance) => sum + BigInt(balance), 0n)),
    ...held,
  };
}

async function readTokens(
  deps: ReservesDeps,
  newest: ChainState,
  addresses: readonly string[],
  asked: { readonly block: number; readonly tokens: readonly string[] | undefined },
): Promise<Pick<Reserves, 'tokens' | 'tokensUnknownBecause'>> {
  if (newest.startBlock > 0) return { tokens: null, tokensUnknownBecause: null };
  const held = await readTokensAt(deps, finalizedPart(newest), addresses, asked);
  const { amounts, reason } = await readContractBalances(deps.client, held.slice(0, maxCompared), asked.block);
  const isCut = held.length > maxCompared;
  const sums = new Map<string, TokenSum>();
  for (const [i, { account: _, ...one }] of held.entries()) {
    const key = `${one.token} ${one.standard} ${one.tokenId}`;
    const before = sums.get(key) ?? { amount: '0', amountAtNode: '0' };
    const atNode = amounts[i] ?? null;
    sums.set(key, {
      ...one,
      amount: addTexts(before.amount, one.amount),
      amountAtNode: atNode === null || before.amountAtNode === null ? null : addTexts(before.amountAtNode, atNode),
    });
  }
  return {
    tokens: [...sums.values()].filter(({ amount }) => amount !== '0'),
    tokensUnknownBecause: reason ?? (isCut ? `the first ${maxCompared} of ${held.length} balances are compared` : null),
  };
}

const addTexts = (a: string, b: string) => String(BigInt(a) + BigInt(b));
