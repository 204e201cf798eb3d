import { createServer } from 'node:net';
import type { Config } from '#runtime/config.ts';
import { getPorts, type Port } from '#runtime/config-ports.ts';

export function isPortTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

export async function getTakenPorts(config: Config): Promise<Port[]> {
  const ports = getPorts(config);
  const isTaken = await Promise.all(ports.map(({ port, host }) => isPortTaken(port, host)));
  return ports.filter((_, i) => isTaken[i]);
}
