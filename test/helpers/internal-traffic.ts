/** Internal calls of every kind, and their model from the node's traces. */

import { join } from 'node:path';
import { getCreateAddress, zeroPadValue } from 'ethers';
import { compileFolder } from '#devchain/compile-contracts.ts';
import type { DevRpc } from '#devchain/dev-rpc.ts';
import { Miner } from '#devchain/miner.ts';
import type { TransactionRequest } from '#devchain/transaction-request.ts';
import { readTracedIn } from '#pipeline/traces/traced-ranges.ts';
import { groupBy } from '#runtime/lists.ts';
import type { ModelBlock } from './chain-model.ts';
import type { Row } from './compatible-chain.ts';
import { waitFor } from './processes.ts';
import { chainId, type RunningPipeline } from './service.ts';

export async function waitForTraces({ deps, state }: RunningPipeline): Promise<void> {
  const isTraced = async () => {
    const now = (await state())!;
    const [range, ...more] = await readTracedIn(deps, now);
    return range?.fromBlock === now.startBlock && range.toBlock === now.head && more.length === 0;
  };
  await waitFor(isTraced, 60_000, 'every block is traced');
}

interface TestNode {
  readonly rpc: DevRpc;
}

/** Addresses that only contracts pay; no transaction names the second and the third. */
export const payees = [0xa1, 0xa2, 0xa3].map((last) => `0x${'c0de'.repeat(9)}00${last.toString(16)}`);

/** Mines internal calls of every kind. @returns the contract that makes them */
export async function mineInternalCalls({ rpc }: TestNode, rounds = 3): Promise<string> {
  const { Mover } = await compileFolder(join(import.meta.dirname, 'contracts'));
  const from = (await rpc.call<string[]>('eth_accounts', []))[7]!.toLowerCase();
  const nonce = Number(await rpc.call('eth_getTransactionCount', [from, 'latest']));
  const mover = getCreateAddress({ from, nonce }).toLowerCase();
  const miner = new Miner(rpc, chainId);
  const call = (method: string, args: unknown[], value = 0n): TransactionRequest => ({
    from,
    to: mover,
    data: Mover!.abi.encodeFunctionData(method, args),
    value,
    gas: 1_500_000,
  });
  await miner.mine([{ from, data: Mover!.bytecode, value: 1_000n, gas: 3_000_000 }]);
  for (let i = 0; i < rounds; i++) {
    const [a, b, c] = payees.map((_, at) => payees[(at + i) % payees.length]!) as [string, string, string];
    const salt = zeroPadValue(`0x${(i + 1).toString(16).padStart(2, '0')}`, 32);
    await miner.mine([
      call('forward', [a], 100n + BigInt(i)),
      call('make', [], 50n),
      call('nested', [b], 80n),
      call('refused', [], 5n),
      call('delegated', [c], 9n),
      call('payThenFail', [c], 30n),
      call('tooMuch', [a], 1n),
    ]);
    await miner.mine([
      call('end', [b]),
      call('makeSalted', [salt]),
      call('makeBroken', [], 9n),
      call('toItself', [], 11n),
      call('end', [c]),
      { from, to: payees[0]!, value: 0n, gas: 30_000 },
    ]);
  }
  return mover;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the test's own node
type Wire = any;

export interface ModelCall {
  readonly block: number;
  readonly txIndex: number;
  readonly hash: string;
  readonly traceId: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly created: string;
  readonly value: bigint;
  readonly failed: boolean;
}

/** Blocks of this size use trace_block, because anvil's debug methods execute all earlier transactions again. */
const largeBlock = 100;

/**
 * Returns internal calls, oldest first. The model traces each transaction separately; the pipeline traces entire
 * blocks.
 */
export async function buildModelCalls({ rpc }: TestNode, head: number): Promise<ModelCall[]> {
  const calls: ModelCall[] = [];
  for (let block = 1; block <= head; block++) {
    const quantity = `0x${block.toString(16)}`;
    const { transactions } = await rpc.call<Wire>('eth_getBlockByNumber', [quantity, false]);
    if (transactions.length >= largeBlock) await assertStill(rpc, quantity);
    else
      for (const [txIndex, hash] of transactions.entries()) {
        const root = await rpc.call<Wire>('debug_traceTransaction', [hash, { tracer: 'callTracer' }]);
        addFrames(calls, { block, txIndex, hash }, root, [], false);
      }
  }
  return calls;
}

async function assertStill(rpc: DevRpc, quantity: string): Promise<void> {
  const traces = await rpc.call<Wire[]>('trace_block', [quantity]);
  const moves = ({ action, traceAddress, type }: Wire) =>
    traceAddress.length > 0 && (type !== 'call' || (action.callType === 'call' && BigInt(action.value) > 0n));
  if (traces.some(moves)) throw new Error(`block ${quantity} is large and has internal calls`);
}

type Place = Pick<ModelCall, 'block' | 'txIndex' | 'hash'>;

function addFrames(calls: ModelCall[], place: Place, frame: Wire, path: number[], failedAround: boolean): void {
  const { type, from, to = '', value = '0x0', error } = frame;
  const failed = failedAround || error !== undefined;
  const makes = type.startsWith('CREATE');
  if (path.length > 0 && (makes || (/^(CALL|SELFDESTRUCT)$/.test(type) && BigInt(value) > 0n)))
    calls.push({
      ...place,
      traceId: path.join('_'),
      type: type.toLowerCase(),
      from,
      value: BigInt(value),
      failed,
      to: makes ? '' : to,
      created: makes && error === undefined ? to : '',
    });
  for (const [i, inner] of (frame.calls ?? []).entries()) addFrames(calls, place, inner, [...path, i], failed);
}

/** Groups the contracts of a chain, created by transactions or contracts, by their code without metadata. */
export async function groupByCode(
  rpc: DevRpc,
  blocks: readonly ModelBlock[],
  calls: readonly ModelCall[],
): Promise<string[][]> {
  const last = blocks.length - 1;
  const inTransactions = blocks.flatMap(({ txs }) => txs.filter(({ status }) => status === 1));
  const inCalls = calls.filter(({ created, failed, block }) => created !== '' && !failed && block <= last);
  const created = new Set([...inTransactions, ...inCalls].flatMap((one) => one.created ?? []));
  const contracts: { address: string; executed: string }[] = [];
  for (const address of [...created].sort()) {
    const code = await rpc.call<string>('eth_getCode', [address, 'latest']);
    // the last two bytes are the length of the metadata before them; the shortest contract code in tests has no
    // metadata
    const length = Number.parseInt(code.slice(-4), 16) * 2 + 4;
    if (code !== '0x') contracts.push({ address, executed: length < code.length ? code.slice(0, -length) : code });
  }
  return [...groupBy(contracts, ({ executed }) => executed).values()].map((group) =>
    group.map(({ address }) => address),
  );
}

/** Fields of a row of txlistinternal, to compare with those of toExpected. */
export const toView = (row: Row) => [
  Number(row.blockNumber),
  row.hash,
  row.traceId,
  row.type,
  row.from,
  row.to,
  row.contractAddress,
  row.value,
  row.isError,
];
export const toExpected = (call: ModelCall) => [
  call.block,
  call.hash,
  call.traceId,
  call.type,
  call.from,
  call.to,
  call.created,
  String(call.value),
  call.failed ? '1' : '0',
];
/** Returns whether an address takes part in a call. */
export const takesPart = (address: string) => (call: ModelCall) => [call.from, call.to, call.created].includes(address);

/**
 * Mines a failed creation, whose receipt may name an address, and the creation of a contract without code, which emits
 * a log without topics (PUSH1 0, PUSH1 0, LOG0).
 */
export async function mineOddCreations({ rpc }: { readonly rpc: DevRpc }): Promise<void> {
  const [from] = await rpc.call<string[]>('eth_accounts', []);
  for (const data of ['0xfe', '0x60006000a0']) {
    await rpc.call('eth_sendTransaction', [{ from, data, gas: '0x30d40' }]);
    await rpc.call('anvil_mine', ['0x1', '0x1']);
  }
}
