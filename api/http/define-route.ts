import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Access, Identity } from '../read/identity/access.ts';
import type { ProvedKey } from '../read/identity/caller.ts';
import type { ApiProblem, ProblemCode } from '../terms/errors.ts';
import type { Standing } from './rate-tiers.ts';
import type { HeadedReply, OtherReply } from './reply.ts';
import type { RouteTag } from './route-tags.ts';

/** Path prefix: `/v1` for events and histories of linked wallets and for checkpoints; may be empty. */
type RouteBase = '/api/v1' | '/v1' | '';

interface BodyDefinition<B extends z.ZodType, D> {
  readonly schema: B;
  /** Maximum body size, both compressed and decompressed. */
  readonly maxBytes: number | ((deps: D) => number);
  /** Parses the body as a stream, instead of by `schema`. @throws ApiProblem bad_query */
  readonly read?: (chunks: AsyncIterable<Buffer>, deps: D) => Promise<z.output<B>>;
  /** The handler gets the unparsed text, whatever its media type. */
  readonly isRaw?: boolean;
  readonly shown?: z.ZodType;
  readonly mediaTypes?: readonly string[];
  /** Rejects bodies without the JSON content type. Browsers send it to other origins only after a preflight request. */
  readonly requiresJsonType?: boolean;
  /** An empty body counts as {}. */
  readonly mayBeAbsent?: boolean;
  readonly example: unknown;
}

export interface RouteInput<P, Q, B, A extends Access = Access> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** Undefined if an explorer page calls the handler. */
  readonly standing?: Standing | undefined;
  readonly gone: AbortSignal;
  /** Counts stored bytes against the caller's daily limit. @throws ApiProblem rate_limited */
  readonly keep: (bytes: number) => Promise<void>;
  readonly caller: string;
  /** Adds a cost to the request. @returns false if the caller's rate limit is exceeded */
  readonly charge: (cost: number) => Promise<boolean>;
  readonly identity: A extends 'token' | 'credential' | 'operator' ? Identity : Identity | undefined;
  /** On a public path: why credentials cannot be checked at present. */
  readonly unchecked?: ApiProblem | undefined;
  readonly key: A extends 'key' ? ProvedKey : ProvedKey | undefined;
}

export interface RouteDefinition<
  P extends z.ZodType,
  Q extends z.ZodType,
  R extends z.ZodType,
  B extends z.ZodType = z.ZodUndefined,
  A extends Access = 'public',
  D = unknown,
> {
  readonly id: string;
  readonly base: RouteBase;
  readonly path: string;
  readonly methods: readonly ('get' | 'post' | 'patch' | 'delete')[];
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description?: string;
  readonly params: P;
  readonly query: Q;
  /** Documented instead of `query`. */
  readonly shownQuery?: z.ZodObject;
  /** Headers that the handler reads, except credentials. */
  readonly headers?: z.ZodObject;
  readonly body?: BodyDefinition<B, D>;
  readonly response: R;
  readonly errors: readonly ProblemCode[];
  /** Required credential. Default: none (public). */
  readonly access?: A;
  /** Cost in the caller's rate limit. Default: 1. */
  readonly cost?: number;
  /** The handler itself limits a caller's concurrent requests. */
  readonly hasOwnQueue?: boolean;
  /** Cache lifetime of a reply; 0: not cached. */
  readonly maxAgeSeconds: number;
  /** Example path and query for the docs. examples.ts replaces placeholders such as {account} by real ids, if any. */
  readonly example: string;
  readonly successStatus?: number;
  /** HTTP status of a reply, for example 503 if it reports an outage. */
  getStatusCode?(reply: z.input<R>): number;
  /** Default: only JSON. */
  readonly mediaTypes?: readonly string[];
  /** Schema of a part of a streamed reply, by media type: a line of NDJSON, or event data by event name. */
  readonly item?: Readonly<Record<string, z.ZodType>>;
  readonly handle: (
    deps: D,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>, A>,
  ) => Promise<z.input<R> | HeadedReply<z.input<R>> | OtherReply>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the list of routes holds every instance of the generic
export interface AnyRoute<D = any> extends RouteDefinition<any, any, any, any, any, D> {
  readonly access?: Access;
}
// biome-ignore-end lint/suspicious/noExplicitAny: the list of routes holds every instance of the generic

export function defineRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  R extends z.ZodType,
  B extends z.ZodType = z.ZodUndefined,
  A extends Access = 'public',
  D = unknown,
>(route: RouteDefinition<P, Q, R, B, A, D>): RouteDefinition<P, Q, R, B, A, D> {
  return route;
}
