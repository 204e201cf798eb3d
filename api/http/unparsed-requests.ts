/** Answers requests that the HTTP parser of Node.js refuses: no middleware sees them. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiProblem } from '../terms/errors.ts';

/** Maximum size of the request line and headers, bytes. */
const maxHeaderSize = 16_384;

export function createHttpServer(handler: RequestListener): Server {
  const limits = { maxHeaderSize, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
  return createServer(limits, handler).on('clientError', refuse);
}

/** @source https://nodejs.org/api/http.html#event-clienterror */
function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
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
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function explain(code: string | undefined): string {
  if (code !== 'HPE_HEADER_OVERFLOW') return 'the request is not valid HTTP/1.1';
  return `the URL and headers of the request exceed ${maxHeaderSize} bytes: shorten the query, or send it in a body where POST is accepted: see /docs`;
}
