import { createServer } from 'node:http';
import { freePort } from './processes.ts';

export interface RpcNode {
  readonly url: string;
  /** Bodies of all requests. */
  readonly asked: string[];
  /** Returns the result of a call; undefined: the node replies with status 500. */
  results: (method: string) => unknown;
  stop(): void;
}

/** Starts a node that returns chosen results to single calls. */
export async function startRpcNode(): Promise<RpcNode> {
  const node: RpcNode = {
    url: `http://127.0.0.1:${await freePort()}`,
    asked: [],
    results: () => '0x1',
    stop: () => {},
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    node.asked.push(body);
    const { id, method } = JSON.parse(body);
    const result = node.results(method);
    if (result === undefined) response.writeHead(500).end();
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const { port } = new URL(node.url);
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  node.stop = () => void server.close();
  return node;
}
