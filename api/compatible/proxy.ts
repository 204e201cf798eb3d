/** @source docs/compatible.md */
import { countedCaller, forwardRpc } from '#gateway/forward.ts';
import type { NodeDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest } from './action.ts';

type Parameters = CompatibleRequest['parameters'];

/** JSON-RPC reply of a node, sent without the usual JSON envelope. */
export class NodeReply {
  readonly body: { jsonrpc: '2.0'; id: number | string } & ({ result: unknown } | { error: object });
  constructor(body: { jsonrpc: '2.0'; id: number | string } & ({ result: unknown } | { error: object })) {
    this.body = body;
  }
}

class MissingParameter extends Error {
  override readonly name = 'MissingParameter';
}

function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)?.trim();
  if (!value) throw new MissingParameter(`missing value for required argument ${name}`);
  return value;
}

const tag = (parameters: Parameters) => parameters.get('tag')?.trim() || 'latest';
const call = (parameters: Parameters) =>
  Object.fromEntries(
    ['to', 'data', 'value', 'gas', 'gasprice', 'from'].flatMap((name) => {
      const value = parameters.get(name)?.trim();
      return value ? [[name === 'gasprice' ? 'gasPrice' : name, value]] : [];
    }),
  );

export const proxyMethods: Record<string, { method: string; params: (given: Parameters) => unknown[] }> =
  Object.fromEntries(
    (
      [
        ['eth_blockNumber', () => []],
        ['eth_getBlockByNumber', (given) => [tag(given), given.get('boolean')?.toLowerCase() === 'true']],
        ['eth_getUncleByBlockNumberAndIndex', (given) => [tag(given), required(given, 'index')]],
        ['eth_getBlockTransactionCountByNumber', (given) => [tag(given)]],
        ['eth_getTransactionByHash', (given) => [required(given, 'txhash')]],
        ['eth_getTransactionByBlockNumberAndIndex', (given) => [tag(given), required(given, 'index')]],
        ['eth_getTransactionCount', (given) => [required(given, 'address'), tag(given)]],
        ['eth_sendRawTransaction', (given) => [required(given, 'hex')]],
        ['eth_getTransactionReceipt', (given) => [required(given, 'txhash')]],
        ['eth_call', (given) => [call(given), tag(given)]],
        ['eth_getCode', (given) => [required(given, 'address'), tag(given)]],
        ['eth_getStorageAt', (given) => [required(given, 'address'), required(given, 'position'), tag(given)]],
        ['eth_gasPrice', () => []],
        ['eth_maxPriorityFeePerGas', () => []],
        ['eth_estimateGas', (given) => [call(given)]],
      ] as [string, (given: Parameters) => unknown[]][]
    ).map(([method, params]) => [method.toLowerCase(), { method, params }]),
  );

export async function askNode(
  name: string,
  { deps, parameters, caller, gone }: CompatibleRequest<Pick<NodeDeps, 'upstreams'>>,
): Promise<NodeReply> {
  const known = Object.hasOwn(proxyMethods, name) ? proxyMethods[name] : undefined;
  if (!known) throw new CompatibleError('Error! Missing Or invalid Action name');
  try {
    const call = { jsonrpc: '2.0', id: 1, method: known.method, params: known.params(parameters) };
    const { body } = await forwardRpc(deps.upstreams, 'proxy', JSON.stringify(call), countedCaller(caller, gone));
    return new NodeReply(JSON.parse(String(body)));
  } catch (error) {
    if (!(error instanceof MissingParameter)) throw error;
    return new NodeReply({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: error.message } });
  }
}

/** Makes an action reply in JSON-RPC form, as Blockscout does for some actions. */
export const nodeForm =
  <D>(read: CompatibleAction<D>): CompatibleAction<D> =>
  async (request) =>
    new NodeReply({ jsonrpc: '2.0', id: request.parameters.get('id') ?? 0, result: await read(request) });
