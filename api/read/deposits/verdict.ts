/** Decides whether a deposit may be credited. @source docs/deposits.md#what-the-verdict-checks */
import type { Evidence, Sighting, Transfer } from './evidence.ts';

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
  readonly minConfirmations: number;
  readonly chainId: number;
}

interface Findings extends Evidence {
  readonly nodes: readonly Sighting[];
  readonly silent: readonly string[];
  readonly receipt: Sighting | undefined;
  readonly confirmations: number;
  readonly isOnChain: boolean;
  readonly agree: boolean;
}

/**
 * A deposit is creditable if recipient, value and chain id match, the receipt has status 1 and enough confirmations,
 * the index contains the transfer, and all sources agree that its block is canonical.
 */
export function judge(evidence: Evidence, expected: Expectation): Judgement {
  const findings = evaluate(evidence);
  const { receipt, confirmations, index } = findings;
  const rules = checkRules(findings, expected);
  const state = getState(findings, new Set(rules.flatMap(({ rule, passed }) => (passed ? [rule] : []))));
  const verdict =
    state === 'creditable' ? 'creditable' : state === 'failed' || state === 'mismatch' ? 'reject' : 'wait';
  return { verdict, state, rules, confirmations, blockHash: receipt?.blockHash ?? index.blockHash };
}

function evaluate(evidence: Evidence): Findings {
  const { writer, pool, index } = evidence;
  const nodes = [writer, pool].filter((one): one is Sighting => one?.source === 'ok');
  const named = { writer, pool, index };
  const silent = Object.entries(named).flatMap(([name, one]) => (one?.source === 'unavailable' ? [name] : []));
  const sightings = [...nodes, index].filter((one) => one.found);
  const [first] = sightings;
  const outcomes = new Set(sightings.map((one) => `${one.blockHash}:${one.status}`));
  const isElsewhere = nodes.some(
    (one) => !one.found && one.hashAtHeight !== null && one.hashAtHeight !== first?.blockHash,
  );
  return {
    ...evidence,
    nodes,
    silent,
    receipt: nodes.find((one) => one.found),
    confirmations: countConfirmations(nodes),
    isOnChain: first !== undefined && [...nodes, ...sightings].every((one) => isOnChain(one, first)),
    agree: outcomes.size <= 1 && !isElsewhere && evidence.isSameTransfer,
  };
}

/** Uses the node that is furthest behind, because it may still follow another chain. */
function countConfirmations(nodes: readonly Sighting[]): number {
  const height = nodes.find((one) => one.found)?.blockNumber ?? null;
  return height === null ? 0 : Math.max(0, Math.min(...nodes.map(({ latest }) => (latest ?? 0) - height)));
}

/** Returns whether a source has the deposit's block or is still below its height. */
function isOnChain(source: Sighting, { blockNumber, blockHash }: Sighting): boolean {
  const isBehind = !source.found && source.latest !== null && blockNumber !== null && source.latest < blockNumber;
  return isBehind || source.hashAtHeight === blockHash;
}

function checkRules(findings: Findings, { to, minValue, minConfirmations, chainId }: Expectation): Rule[] {
  const { transfer, index, receipt, confirmations, silent, isOnChain, agree } = findings;
  return [
    rule('recipient', transfer?.to === to, `to is ${transfer?.to ?? 'unknown'}`),
    checkValue(transfer, minValue),
    checkChainId(findings, chainId),
    rule(
      'receiptStatus',
      receipt?.status === 1,
      receipt ? `receipt status is ${receipt.status}` : 'no node has a receipt',
    ),
    rule(
      'confirmations',
      confirmations >= minConfirmations,
      `${confirmations} confirmations, ${minConfirmations} required`,
    ),
    rule('sameChainOfHashes', isOnChain, `block hash is ${receipt?.blockHash ?? index.blockHash ?? 'unknown'}`),
    rule(
      'indexShowsTransfer',
      index.found && index.status === 1,
      index.found ? 'found in the index' : 'not found in the index',
    ),
    rule(
      'sourcesAnswer',
      silent.length === 0,
      silent.length === 0 ? 'all sources answered' : `${silent.join(' and ')} did not answer`,
    ),
    rule('sourcesAgree', agree, agree ? 'all sources agree' : 'sources report different blocks, outcomes or transfers'),
  ];
}

const rule = (name: RuleName, passed: boolean, detail: string): Rule => ({ rule: name, passed, detail });

function checkValue(transfer: Transfer | undefined, minValue: bigint): Rule {
  if (transfer === undefined) return rule('value', false, 'value is unknown');
  const { from, to, value } = transfer;
  if (from === to) return rule('value', false, 'sender and recipient are the same address: no value was transferred');
  return rule('value', value > 0n && value >= minValue, `value is ${value} wei`);
}

function checkChainId({ isChainIdKnown, chainId }: Evidence, expected: number): Rule {
  if (!isChainIdKnown) return rule('chainId', false, 'no node returned the transaction');
  const passed = (chainId ?? expected) === expected;
  return rule(
    'chainId',
    passed,
    chainId === undefined ? 'signed without a chain id (before EIP-155)' : `signed for chain ${chainId}`,
  );
}

function getState(
  { transfer, index, nodes, receipt, isChainIdKnown }: Findings,
  passed: ReadonlySet<RuleName>,
): DepositState {
  if (!passed.has('sourcesAgree')) return 'disagreement';
  const isForeign = isChainIdKnown && !passed.has('chainId');
  // a rejection is final, so one source is not enough
  const isProven = transfer !== undefined && index.found && isChainIdKnown;
  if (isProven && (!passed.has('recipient') || !passed.has('value') || isForeign)) return 'mismatch';
  if (nodes.length === 0) return 'unavailable';
  if (!receipt) return index.found ? 'disagreement' : transfer ? 'pending' : 'unknown';
  return getStateWithReceipt(receipt, index, passed);
}

function getStateWithReceipt({ status }: Sighting, index: Sighting, passed: ReadonlySet<RuleName>): DepositState {
  if (!passed.has('sameChainOfHashes')) return 'disagreement';
  // a reorg can replace the block of a failed deposit
  if (!passed.has('confirmations')) return 'confirming';
  if (!passed.has('sourcesAnswer') || !passed.has('chainId')) return 'unavailable';
  if (status === 0) return index.found ? 'failed' : 'notIndexed';
  return passed.has('indexShowsTransfer') ? 'creditable' : 'notIndexed';
}
