/** @source docs/compatible.md */
import { type ChainState, isDoubted } from '#sql/snapshot.ts';
import { countConfirmations } from '../read/chain/finality.ts';
import { describeGap } from '../read/chain/freshness.ts';
import { findByHash, type ReachDeps } from '../read/chain/reach-block.ts';
import { getFirstLogs, type TransactionReader } from '../read/chain/transaction-reader.ts';
import { readFailure, readTopCall, toFailed } from '../read/contracts/failure-reason.ts';
import { mergeAbis } from '../read/contracts/interfaces-of.ts';
import type { SignatureDeps } from '../read/contracts/signatures/signatures.ts';
import type { VerifiedContracts } from '../read/contracts/verified-contracts.ts';
import type { CoverageDeps, NodeDeps } from '../read/reader-deps.ts';
import { type DetailRecord, getTopics } from '../terms/records.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { assertFirstBlocks, notIndexed } from './covered.ts';
import { parseHash } from './parameters.ts';

interface LookUpDeps extends ReachDeps, CoverageDeps {
  readonly transactions: TransactionReader;
}

/** An unknown hash counts as "not failed", because clients expect this. */
export const transactionStatus: CompatibleAction<LookUpDeps> = async ({ deps, parameters }) => {
  const hash = parseHash(parameters);
  const { state, found } = await findByHash(deps, hash, (state) => deps.transactions.find(state, hash));
  assertKnown(state, found);
  const isError = found?.status === 0;
  return { isError: isError ? '1' : '0', errDescription: isError ? await readFailureReason(deps, found) : '' };
};

const reasons: readonly [RegExp, string][] = [
  [/revert/i, 'Reverted'],
  [/out of gas/i, 'Out of gas'],
  [/jump/i, 'Bad jump destination'],
  [/opcode|instruction/i, 'Bad instruction'],
  [/stack/i, 'Stack error'],
];

/** Without a trace, unused gas means "Reverted", because other failures use all gas. */
async function readFailureReason({ client }: NodeDeps, row: DetailRecord): Promise<string> {
  const said = (await readTopCall(client, row.hash))?.error ?? '';
  const known = reasons.find(([pattern]) => pattern.test(said))?.[1];
  if (known) return known;
  return row.gas_used === row.gas_limit ? 'Out of gas or bad instruction' : 'Reverted';
}

/** Empty if the transaction is unknown or has no status. */
export const receiptStatus: CompatibleAction<LookUpDeps> = async ({ deps, parameters }) => {
  const hash = parseHash(parameters);
  const { state, found } = await findByHash(deps, hash, (state) => deps.transactions.find(state, hash));
  assertKnown(state, found);
  return { status: found?.status == null ? '' : String(found.status) };
};

/**
 * Rejects transactions in blocks that a node contradicts. Also rejects unknown ones: they may be in a block before
 * START_BLOCK that nodes have pruned.
 */
function assertKnown(state: ChainState, row: DetailRecord | undefined): void {
  if (!row) assertFirstBlocks(state, 'The transaction is not known');
  const block = Number(row?.block_number ?? -1);
  if (isDoubted(state, block)) throw notIndexed(describeGap(state, { from: block, to: block }));
}

interface FailureDeps extends SignatureDeps {
  readonly verified: VerifiedContracts;
}

/** Decodes the reason by the verified ABI or a known signature; empty if no node returns it. */
async function readRevertReason(deps: NodeDeps & FailureDeps, row: DetailRecord): Promise<string> {
  const { to } = row;
  const abi = to === null ? undefined : (await deps.verified.interfaces([to])).get(to)?.abi;
  const failure = await readFailure(deps, toFailed(row), abi && mergeAbis([abi]));
  return failure?.reason ?? '';
}

/** Returns a transaction with its logs in Blockscout's format. */
export const transactionInfo: CompatibleAction<LookUpDeps & FailureDeps> = async ({ deps, parameters }) => {
  const hash = parseHash(parameters);
  const after = parameters.get('index')?.trim();
  const { state, found } = await findByHash(deps, hash, async (state) => {
    const known = await deps.transactions.findWithLogs(state, hash);
    if (!known) return undefined;
    const isLater = after !== undefined && /^\d{1,9}$/.test(after);
    const page = isLater ? deps.transactions.logsAfter(state, known.row, Number(after)) : getFirstLogs(known);
    return { row: known.row, page: await page };
  });
  assertKnown(state, found?.row);
  if (!found) throw new CompatibleError('Transaction not found', 'message');
  const { row, page } = found;
  return {
    hash: row.hash,
    timeStamp: String(row.timestamp),
    blockNumber: row.block_number,
    confirmations: String(countConfirmations(state, Number(row.block_number))),
    success: row.status !== 0,
    from: row.from,
    to: row.to ?? '',
    value: row.value,
    input: row.input,
    gasLimit: row.gas_limit,
    gasUsed: row.gas_used,
    gasPrice: row.gas_price,
    logs: page.logs.map((log) => ({
      address: log.address,
      data: log.data,
      topics: getTopics(log),
      index: String(log.log_index),
    })),
    revertReason: row.status === 0 ? await readRevertReason(deps, row) : '',
    next_page_params: page.nextAfter === null ? null : { index: String(page.nextAfter) },
  };
};
