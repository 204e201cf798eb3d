/** Answers requests that the HTTP parser of Node.js rejects: no middleware sees them. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiProblem } from '../terms/errors.ts';

/** Request line and headers, bytes. */
const maxHeaderSize = 16_384;
/** A connection ends after this time even if the client does not read the reply, ms. */
const usualLingerMs = 5_000;

const usualLimits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };

/** @param limits for tests */
export function createHttpServer(
  handler: RequestListener,
  { lingerMs = usualLingerMs, ...limits }: ServerOptions & { readonly lingerMs?: number } = {},
): Server {
  const server = createServer({ maxHeaderSize, ...usualLimits, ...limits }, handler);
  return server.on('clientError', (error, socket) => refuse(error, socket, lingerMs));
}

/** @source https://nodejs.org/api/http.html#event-clienterror */
function refuse({ code }: NodeJS.ErrnoException, socket: Duplex, lingerMs: number): void {
  if (code === 'ECONNRESET' || !socket.writable || isReplying(socket)) {
    socket.destroy();
    return;
  }
  // otherwise, a client that ignores the end of the reply would keep its connection
  const end = (text: string) => socket.end(text, () => socket.destroy());
  setTimeout(() => socket.destroy(), lingerMs).unref();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    return;
  }
  const problem = new ApiProblem('bad_query', explain(code));
  const requestId = randomUUID();
  const body = JSON.stringify(problem.body(requestId));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: application/problem+json',
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns whether a reply has begun: another text would damage its body. Node.js checks the same field by default. */
const isReplying = (socket: Duplex): boolean =>
  (socket as Duplex & { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;

function explain(code: string | undefined): string {
  if (code !== 'HPE_HEADER_OVERFLOW') return 'the request is not valid HTTP/1.1';
  return `the URL and headers of the request exceed ${maxHeaderSize} bytes: shorten the query, or send it in a body where POST is accepted: see /docs`;
}
