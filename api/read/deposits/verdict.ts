/** Whether a deposit may be credited, by every rule at once, over everyone who can know. @source specification 4.14 */
import { isHash, toQuantity } from '#chain/codec/hex.ts';
import type { Upstream } from '#gateway/upstream.ts';
import { type ChainState, isDoubted } from '#sql/snapshot.ts';
import { receiptStatus } from '../../terms/records.ts';
import type { TransactionReader } from '../chain/transaction-reader.ts';
import type { NodeDeps } from '../reader-deps.ts';
import { requiredConfirmations } from './rules.ts';

/** Everyone who can know. */
export interface EvidenceDeps extends Pick<NodeDeps, 'upstreams'> {
  readonly transactions: TransactionReader;
}

/** What one source says of a transaction. */
interface Sighting {
  /** ok: it answered; unavailable: it did not. */
  readonly source: 'ok' | 'unavailable';
  readonly found: boolean;
  readonly status: 0 | 1 | null;
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  /** Newest block of the source. */
  readonly latest: number | null;
  /** Hash that the source has on the chain at that height; null where it was not asked, or has no such block. */
  readonly hashAtHeight: string | null;
}

interface Transfer {
  readonly from: string;
  readonly to: string | null;
  readonly value: bigint;
}

interface Evidence {
  readonly writer: Sighting;
  /** Null where the only node is the writer. */
  readonly pool: Sighting | null;
  readonly index: Sighting;
  /** As the index shows it, else as a node does. */
  readonly transfer: Transfer | undefined;
  /** Undefined: signed without a chain id, as before EIP-155. */
  readonly chainId: number | undefined;
  /** Whether the writer answered for the transaction itself, which has the chain id. */
  readonly isChainIdKnown: boolean;
}

const timeoutMs = 5_000;
const nothing = { found: false, status: null, blockNumber: null, blockHash: null, hashAtHeight: null } as const;
const unavailable: Sighting = { ...nothing, source: 'unavailable', latest: null };

export async function gatherEvidence(deps: EvidenceDeps, state: ChainState, hash: string): Promise<Evidence> {
  const { upstreams } = deps;
  const reader = upstreams.inOrder().find((upstream) => upstream !== upstreams.writer);
  const [asWriter, asPool, index, sent] = await Promise.all([
    askNode(upstreams.writer, hash),
    reader ? askNode(reader, hash) : null,
    askIndex(deps, state, hash),
    upstreams.writer.call('eth_getTransactionByHash', [hash], timeoutMs).catch(() => undefined) as Promise<
      WireTransaction | null | undefined
    >,
  ]);
  const height = [asWriter, asPool, index.sighting].find((one) => one?.found)?.blockNumber ?? null;
  const [writer, pool] = await Promise.all([
    withHash(upstreams.writer, asWriter, height),
    reader && asPool ? withHash(reader, asPool, height) : null,
  ]);
  const transfer =
    index.transfer ??
    (sent ? { from: sent.from, to: sent.to?.toLowerCase() ?? null, value: BigInt(sent.value) } : undefined);
  return {
    writer,
    pool,
    index: index.sighting,
    transfer,
    chainId: sent?.chainId == null ? undefined : Number(sent.chainId),
    isChainIdKnown: sent !== undefined,
  };
}

interface WireTransaction {
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly chainId?: string;
}

/** A node that does not have the receipt may be on another chain: its block at that height says. */
async function withHash(node: Upstream, sighting: Sighting, height: number | null): Promise<Sighting> {
  if (sighting.found || height === null || sighting.latest === null || sighting.latest < height) return sighting;
  // a node that does not say which block it has there is silent on a rule, and counts as not having answered
  const hashAtHeight = await hashAt(node, toQuantity(height)).catch(() => undefined);
  return hashAtHeight === undefined ? unavailable : { ...sighting, hashAtHeight };
}

async function hashAt(node: Upstream, height: string): Promise<string | null> {
  const block = await node.call('eth_getBlockByNumber', [height, false], timeoutMs);
  const hash = (block as { hash?: unknown } | null)?.hash;
  if (block !== null && !isHash(hash)) throw new Error('the block has no hash');
  return isHash(hash) ? hash.toLowerCase() : null;
}

async function askNode(node: Upstream, hash: string): Promise<Sighting> {
  try {
    const [receipt, latest] = (await Promise.all([
      node.call('eth_getTransactionReceipt', [hash], timeoutMs),
      node.call('eth_blockNumber', [], timeoutMs),
    ])) as [{ status?: string; blockNumber: string; blockHash: string } | null, string];
    if (!receipt?.blockNumber) return { ...nothing, source: 'ok', latest: Number(latest) };
    return {
      source: 'ok',
      found: true,
      latest: Number(latest),
      status: receipt.status === undefined ? null : receipt.status === '0x1' ? 1 : 0,
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash.toLowerCase(),
      hashAtHeight: await hashAt(node, receipt.blockNumber),
    };
  } catch {
    return unavailable;
  }
}

async function askIndex(
  deps: Pick<EvidenceDeps, 'transactions'>,
  state: ChainState,
  hash: string,
): Promise<{ sighting: Sighting; transfer?: Transfer }> {
  const row = await deps.transactions.find(state, hash);
  if (!row) return { sighting: { ...nothing, source: 'ok', latest: state.head } };
  const blockNumber = Number(row.block_number);
  return {
    sighting: {
      source: 'ok',
      found: true,
      latest: state.head,
      status: receiptStatus(row),
      blockNumber,
      blockHash: row.block_hash,
      // a block that a node contradicts is not known to be on the chain
      hashAtHeight: isDoubted(state, blockNumber) ? null : row.block_hash,
    },
    transfer: { from: row.from, to: row.to, value: BigInt(row.value) },
  };
}

type RuleName =
  | ('recipient' | 'value' | 'chainId' | 'receiptStatus' | 'confirmations')
  | ('sameChainOfHashes' | 'indexShowsTransfer' | 'sourcesAgree' | 'sourcesAnswer');

interface Rule {
  readonly rule: RuleName;
  readonly passed: boolean;
  readonly detail: string;
}

type DepositState =
  | ('creditable' | 'unknown' | 'pending' | 'confirming' | 'notIndexed')
  | ('failed' | 'mismatch' | 'disagreement' | 'unavailable');

interface Judgement {
  readonly verdict: 'creditable' | 'wait' | 'reject';
  readonly state: DepositState;
  readonly rules: readonly Rule[];
  readonly confirmations: number;
  readonly blockHash: string | null;
}

interface Expectation {
  readonly to: string;
  /** Wei. */
  readonly minValue: bigint;
  readonly chainId: number;
}

/** What the sources amount to. */
interface Findings extends Evidence {
  /** Those that answered. */
  readonly nodes: readonly Sighting[];
  /** Names of sources that did not. */
  readonly silent: readonly string[];
  /** Of the first node that has one. */
  readonly receipt: Sighting | undefined;
  readonly confirmations: number;
  /** Whether all who found it have its block on their chain. */
  readonly isOnChain: boolean;
  readonly agree: boolean;
}

/**
 * All rules over what was found. Creditable exactly when every source answers every rule, a receipt has status 1, 20 blocks
 * stand on its block, on one chain of hashes, and the index shows the transfer. Pure.
 */
export function judge(evidence: Evidence, expected: Expectation): Judgement {
  const findings = findingsOf(evidence);
  const { receipt, confirmations, index } = findings;
  const rules = rulesOf(findings, expected);
  const state = stateOf(findings, new Set(rules.flatMap(({ rule, passed }) => (passed ? [rule] : []))));
  const verdict =
    state === 'creditable' ? 'creditable' : state === 'failed' || state === 'mismatch' ? 'reject' : 'wait';
  return { verdict, state, rules, confirmations, blockHash: receipt?.blockHash ?? index.blockHash };
}

function findingsOf(evidence: Evidence): Findings {
  const { writer, pool, index } = evidence;
  const nodes = [writer, pool].filter((one): one is Sighting => one?.source === 'ok');
  const named = { writer, pool, index };
  const silent = Object.entries(named).flatMap(([name, one]) => (one?.source === 'unavailable' ? [name] : []));
  if (!evidence.isChainIdKnown && writer.source === 'ok') silent.push('writer (transaction)');
  const sightings = [...nodes, index].filter((one) => one.found);
  const outcomes = new Set(sightings.map((one) => `${one.blockHash}:${one.status}`));
  const isElsewhere = nodes.some(
    (one) => !one.found && one.hashAtHeight !== null && one.hashAtHeight !== sightings[0]?.blockHash,
  );
  return {
    ...evidence,
    nodes,
    silent,
    receipt: nodes.find((one) => one.found),
    confirmations: Math.max(0, ...nodes.flatMap(depthOf)),
    isOnChain: sightings.length > 0 && sightings.every((one) => one.hashAtHeight === one.blockHash),
    agree: outcomes.size <= 1 && !isElsewhere,
  };
}

/** Blocks that stand on the block of a receipt; none where a node has no receipt. */
const depthOf = ({ latest, blockNumber }: Sighting) =>
  latest === null || blockNumber === null ? [] : [latest - blockNumber];

function rulesOf(findings: Findings, { to, minValue, chainId }: Expectation): Rule[] {
  const { transfer, index, receipt, confirmations, silent, isOnChain, agree } = findings;
  return [
    rule('recipient', transfer?.to === to, `to is ${transfer?.to ?? 'not known'}`),
    valueRule(transfer, minValue),
    chainIdRule(findings, chainId),
    rule('receiptStatus', receipt?.status === 1, `receipt status is ${receipt ? receipt.status : 'not there'}`),
    rule('confirmations', confirmations >= requiredConfirmations, `${confirmations} of ${requiredConfirmations}`),
    rule('sameChainOfHashes', isOnChain, `block ${receipt?.blockHash ?? index.blockHash ?? 'not known'}`),
    rule('indexShowsTransfer', index.found && index.status === 1, index.found ? 'shown' : 'not shown'),
    rule(
      'sourcesAnswer',
      silent.length === 0,
      silent.length === 0 ? 'all answered' : `${silent.join(' and ')} did not answer`,
    ),
    rule('sourcesAgree', agree, agree ? 'no source contradicts another' : 'sources name different blocks or outcomes'),
  ];
}

const rule = (name: RuleName, passed: boolean, detail: string): Rule => ({ rule: name, passed, detail });

function valueRule(transfer: Transfer | undefined, minValue: bigint): Rule {
  if (transfer === undefined) return rule('value', false, 'value is not known wei');
  const { from, to, value } = transfer;
  if (from === to) return rule('value', false, 'the sender is the recipient: nothing was moved');
  return rule('value', value > 0n && value >= minValue, `value is ${value} wei`);
}

function chainIdRule({ isChainIdKnown, chainId }: Evidence, expected: number): Rule {
  if (!isChainIdKnown) return rule('chainId', false, 'the writer does not answer for the transaction');
  const passed = (chainId ?? expected) === expected;
  return rule('chainId', passed, `signed for chain ${chainId ?? 'not named (before EIP-155)'}`);
}

function stateOf(
  { transfer, index, nodes, receipt, isChainIdKnown }: Findings,
  passed: ReadonlySet<RuleName>,
): DepositState {
  if (!passed.has('sourcesAgree')) return 'disagreement';
  const isForeign = isChainIdKnown && !passed.has('chainId');
  if (transfer && (!passed.has('recipient') || !passed.has('value') || isForeign)) return 'mismatch';
  if (nodes.length === 0) return 'unavailable';
  if (!receipt) return index.found ? 'disagreement' : transfer ? 'pending' : 'unknown';
  return stateWithReceipt(receipt, passed);
}

function stateWithReceipt({ status }: Sighting, passed: ReadonlySet<RuleName>): DepositState {
  if (!passed.has('sameChainOfHashes')) return 'disagreement';
  // a failure is final only once it can't be reorganised away
  if (!passed.has('confirmations')) return 'confirming';
  if (status === 0) return 'failed';
  if (!passed.has('sourcesAnswer') || !passed.has('chainId')) return 'unavailable';
  return passed.has('indexShowsTransfer') ? 'creditable' : 'notIndexed';
}
