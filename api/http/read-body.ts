import type { IncomingMessage } from 'node:http';
import type { ZodError } from 'zod';
import { bodyChunks, isGzipBody } from '#runtime/request-body.ts';
import { ApiProblem } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';

type Body<D> = NonNullable<AnyRoute<D>['body']>;

/** Reads and parses a request body. @throws ApiProblem payload_too_large, unsupported_media_type, or bad_query */
export async function readBody<D>(request: IncomingMessage, body: Body<D>, deps: D): Promise<unknown> {
  const { schema, isRaw, mayBeAbsent } = body;
  const maxBytes = typeof body.maxBytes === 'number' ? body.maxBytes : body.maxBytes(deps);
  const chunks = boundedChunks(request, maxBytes);
  if (body.read) return body.read(chunks, deps);
  const text = await readText(chunks);
  if (isRaw) return text;
  const parsed = schema.safeParse(text === '' && mayBeAbsent ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  const faults = (parsed.error as ZodError).issues.map((issue) => ({
    parameter: issue.path.join('.'),
    message: issue.message,
  }));
  const detail = faults.slice(0, 10).map(({ parameter, message }) => `${parameter || 'body'} ${message}`);
  throw new ApiProblem('bad_query', detail.join('; '), { faults: faults.slice(0, 50) });
}

async function* boundedChunks(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const isGzip = isGzipBody(request);
  if (isGzip === undefined)
    throw new ApiProblem(
      'unsupported_media_type',
      'the Content-Encoding is not supported: send the body uncompressed or as gzip',
    );
  const tooLarge = () => new ApiProblem('payload_too_large', `the request body must not exceed ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let size = 0;
  try {
    for await (const chunk of bodyChunks(request, isGzip)) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    throw new ApiProblem('bad_query', 'the request body is incomplete, or its gzip data is invalid');
  }
}

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiProblem('bad_query', 'the request body is not valid JSON');
  }
}
