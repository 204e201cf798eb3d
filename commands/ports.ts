import { createServer } from 'node:net';
import type { Config } from '#runtime/config.ts';
import { getPorts, type Port } from '#runtime/config-ports.ts';

/** Returns the error of listening on a port; undefined if the port is free. */
export function findPortError(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

export async function getTakenPorts(config: Config): Promise<Port[]> {
  const ports = getPorts(config);
  const errors = await Promise.all(ports.map(({ port, host }) => findPortError(port, host)));
  return ports.filter((_, i) => errors[i]?.code === 'EADDRINUSE');
}
