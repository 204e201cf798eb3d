/** The ports that `cordscan start` listens on. */
import { createServer } from 'node:net';
import type { Config } from '#runtime/config.ts';

export interface Port {
  /** Variable that sets it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** Returns the ports of the parts that this configuration starts. */
export function getPorts(config: Config): Port[] {
  const { HOST: host } = config;
  return [
    { name: 'PORT', host, port: config.PORT },
    { name: 'EDGE_PORT', host, port: config.EDGE_PORT },
    ...(config.METRICS_PORT === undefined ? [] : [{ name: 'METRICS_PORT', host, port: config.METRICS_PORT }]),
    ...(config.RPC_URL ? [] : [{ name: 'DEVCHAIN_PORT', host, port: config.DEVCHAIN_PORT }]),
    ...(config.CLICKHOUSE_URL ? [] : [{ name: 'CLICKHOUSE_PORT', host: '127.0.0.1', port: config.CLICKHOUSE_PORT }]),
  ];
}

/** Returns whether another process listens on the port. */
export function isPortTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
