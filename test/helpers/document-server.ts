/** HTTPS server at localhost. Child processes trust its new authority through NODE_EXTRA_CA_CERTS. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { sends } from './feed-server.ts';
import { dripping, endless } from './hostile-feeds.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface DocumentServer {
  readonly paths: Map<string, Answer>;
  readonly authorityFile: string;
  url(path: string): string;
  stop(): Promise<void>;
}

export async function startDocumentServer(dir: string): Promise<DocumentServer> {
  const options = { keySize: 2048, algorithm: 'sha256' } as const;
  const authority = await generate([{ name: 'commonName', value: 'Cordscan test authority' }], {
    ...options,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const own = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...options,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const authorityFile = join(dir, `authority-${randomUUID()}.pem`);
  await writeFile(authorityFile, authority.cert);
  const paths: DocumentServer['paths'] = new Map();
  const server = createServer({ key: own.private, cert: own.cert }, (request, response) => {
    const answer = paths.get(request.url!);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    paths,
    authorityFile,
    url: (path) => `https://localhost:${port}${path}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A body that is small to send and large when decompressed. Compressed in advance, because on a busy machine this may
 * take longer than the client waits for a reply.
 */
const bombBytes = gzipSync(Buffer.alloc(64 * 2 ** 20, 0x20));
const bomb: Answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bombBytes);

const cut: Answer = (_, response) => {
  response.writeHead(200, { 'content-length': '5000' }).write('{"canon":');
  setTimeout(() => response.destroy(), 100);
};

/** Documents by path, with the expected error under limits of 1 MiB and 2 s. */
export const refusedDocuments = (server: DocumentServer): Record<string, [Answer, RegExp]> => ({
  '/moved': [sends('', 302, { location: server.url('/manifest.json') }), /redirect/],
  '/away': [sends('', 301, { location: 'https://example.org/' }), /redirect/],
  '/absent': [sends('', 404), /status 404/],
  '/announced': [sends('{}', 200, { 'content-length': '99999999999' }), /more than 1048576 bytes/],
  '/endless': [endless, /more than 1048576 bytes/],
  '/bomb': [bomb, /more than 1048576 bytes/],
  '/dripping': [dripping, /timeout/i],
  '/cut': [cut, /socket|terminated|closed/i],
});
