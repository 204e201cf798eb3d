import type { IncomingMessage } from 'node:http';
import type { ZodError } from 'zod';
import { isTooDeep, maxJsonLevels } from '#runtime/json-depth.ts';
import { bodyChunks, isGzipBody } from '#runtime/request-body.ts';
import type { ChainDeps } from '../read/reader-deps.ts';
import { ApiProblem } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';
import { foreignChain } from './parse-input.ts';

type Body<D> = NonNullable<AnyRoute<D>['body']>;

/** @throws ApiProblem payload_too_large, unsupported_media_type, bad_query */
export async function readBody<D extends ChainDeps>(
  request: IncomingMessage,
  body: Body<D>,
  deps: D,
): Promise<unknown> {
  const { schema, isRaw, mayBeAbsent } = body;
  if (body.requiresJsonType && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new ApiProblem('unsupported_media_type', 'the request body must have the content type application/json');
  const maxBytes = typeof body.maxBytes === 'number' ? body.maxBytes : body.maxBytes(deps);
  const chunks = boundedChunks(request, maxBytes);
  if (body.read) return body.read(chunks, deps);
  const text = await readText(chunks);
  if (isRaw) return text;
  const given = text === '' && mayBeAbsent ? {} : parseJson(text);
  const foreign = listTexts(given).find((value) => foreignChain(value, deps.settings.chainId) !== undefined);
  if (foreign !== undefined)
    throw new ApiProblem(
      'bad_query',
      `${foreign} is an account of another chain: this service indexes eip155:${deps.settings.chainId}`,
    );
  const parsed = schema.safeParse(given);
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

/** Lists all strings in a JSON value. Not recursive, because a body can be nested deeply. */
function listTexts(json: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return texts;
}

function parseJson(text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ApiProblem('bad_query', 'the request body is not valid JSON');
  }
  if (isTooDeep(json))
    throw new ApiProblem('bad_query', `the request body must not be nested deeper than ${maxJsonLevels} levels`);
  return json;
}
