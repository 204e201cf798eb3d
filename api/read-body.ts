/** Bodies of requests: decompressed, bounded, and where they are JSON, checked. */
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { ZodError } from 'zod';
import type { AnyRoute } from './define-route.ts';
import { ApiProblem } from './errors.ts';

type Body = NonNullable<AnyRoute['body']>;

/** @throws ApiProblem payload_too_large, unsupported_media_type, or bad_query naming every field at fault */
export async function readBody(
  request: IncomingMessage,
  { schema, maxBytes, isRaw, mayBeAbsent }: Body,
): Promise<unknown> {
  const text = await readText(request, maxBytes);
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

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new ApiProblem('unsupported_media_type', 'the body may be compressed by gzip, or not at all');
  const source = encoding === 'gzip' ? request.pipe(createGunzip()) : request;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new ApiProblem('payload_too_large', `the body may have ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    request.resume();
    if (error instanceof ApiProblem) throw error;
    throw new ApiProblem('bad_query', 'the body could not be read to its end');
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiProblem('bad_query', 'the body is no JSON');
  }
}
