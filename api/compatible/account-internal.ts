/** module=account&action=txlistinternal: calls within a transaction, traced by the node when asked for. @source conventions 2.5 */
import type { ApiDeps } from '../deps.ts';
import { type DetailRecord, findTransaction } from '../routes/transactions/find-transaction.ts';
import { type CompatibleAction, CompatibleError, noTransactions } from './action.ts';
import { hashOf } from './parameters.ts';

/** A call as the callTracer of a node gives it. @source geth, callTracer */
interface Call {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly gas?: string;
  readonly gasUsed?: string;
  readonly input?: string;
  readonly error?: string;
  readonly calls?: readonly Call[];
}

/** Calls below the first one, in the order of their execution. */
function flatten(call: Call, isReverted: boolean): { call: Call; isReverted: boolean }[] {
  return (call.calls ?? []).flatMap((inner) => {
    const fails = isReverted || inner.error !== undefined;
    return [{ call: inner, isReverted: fails }, ...flatten(inner, fails)];
  });
}

/** Delegated calls show the value of the call around them; they move nothing. */
function movesValue({ type, value }: Call): boolean {
  return !/^(DELEGATECALL|CALLCODE|STATICCALL)$/.test(type) && BigInt(value ?? 0) > 0n;
}

/**
 * By transaction alone: internal calls are not indexed by address, and a list that left them out without a word would be
 * taken for an empty one.
 */
export const accountInternal: CompatibleAction = async ({ deps, parameters }) => {
  if (!parameters.get('txhash'))
    throw new CompatibleError('Internal transactions are not indexed here; ask for those of one transaction by txhash');
  const hash = hashOf(parameters);
  const row = await deps.snapshots.run((state) => findTransaction(deps, state, hash));
  if (!row) throw noTransactions();
  // outside of the snapshot: it may take long, and a new state must not start it over
  const root = await traceOf(deps, hash, row.block_hash);
  if (!root) throw new CompatibleError('Internal transactions are not available: the node serves no traces');
  return rowsOf(row, root);
};

/** The call tree, asked for once a block that holds the transaction; undefined where no node tells. */
function traceOf({ traces, client }: ApiDeps, hash: string, blockHash: string): Promise<Call | undefined> {
  const ask = () => client.call<Call>('debug_traceTransaction', [hash, { tracer: 'callTracer' }], { retries: 1 });
  return (traces.of(`${hash}@${blockHash}`, ask) as Promise<Call>).catch(() => undefined);
}

function rowsOf(row: DetailRecord, root: Call) {
  const calls = flatten(root, root.error !== undefined).filter(({ call }) => movesValue(call));
  if (calls.length === 0) throw noTransactions();
  return calls.map(({ call, isReverted }) => {
    const isCreation = call.type.startsWith('CREATE');
    return {
      ...{ blockNumber: row.block_number, timeStamp: String(row.timestamp), from: call.from.toLowerCase() },
      ...{ to: isCreation ? '' : (call.to?.toLowerCase() ?? ''), value: BigInt(call.value!).toString() },
      ...{
        contractAddress: isCreation ? (call.to?.toLowerCase() ?? '') : '',
        input: '',
        type: call.type.toLowerCase(),
      },
      ...{ gas: String(Number(call.gas ?? 0)), gasUsed: String(Number(call.gasUsed ?? 0)) },
      ...{ isError: isReverted ? '1' : '0', errCode: call.error ?? '' },
    };
  });
}
