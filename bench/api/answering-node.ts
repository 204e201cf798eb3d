/** Node for benches that replies at once, so that benches of the API don't measure the time of a node. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: number;
  readonly method: string;
}

const call = {
  type: 'CALL',
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  value: '0x1',
  gas: '0x5208',
  gasUsed: '0x5208',
};
const tracedCall = { ...call, input: '0x', calls: Array.from({ length: 10 }, () => ({ ...call, input: '0x' })) };

export async function startAnsweringNode(head: () => number): Promise<string> {
  const results: Record<string, () => unknown> = {
    eth_chainId: () => '0x425d4',
    eth_blockNumber: () => `0x${head().toString(16)}`,
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_getTransactionCount: () => '0x5',
    eth_getCode: () => '0x',
    eth_call: () => `0x${'1'.padStart(64, '0')}`,
    debug_traceTransaction: () => tracedCall,
  };
  const reply = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: results[method]?.() ?? null });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    if (text === '') return response.writeHead(400).end(); // request of another program, sent to a port that it had used before
    const calls = JSON.parse(text) as Call | Call[];
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
