/** Definition of a route: one value with path, parameters, reply, errors, caching, docs and handler. */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Access, Identity } from '../read/identity/access.ts';
import type { ProvedKey } from '../read/identity/caller.ts';
import type { ProblemCode } from '../terms/errors.ts';
import type { Standing } from './rate-tiers.ts';
import type { HeadedReply, OtherReply } from './reply.ts';
import type { RouteTag } from './route-tags.ts';

/** Path prefix: versioned interface, semantic-history interface, or the origin. */
type RouteBase = '/api/v1' | '/v1' | '';

interface BodyDefinition<B extends z.ZodType, D> {
  /** Schema of the parsed JSON, or of the text of a raw body. */
  readonly schema: B;
  /** Limit before and after decompression; a function if it depends on configuration. */
  readonly maxBytes: number | ((deps: D) => number);
  /** Parses the body as a stream, instead of `schema`. @throws ApiProblem bad_query */
  readonly read?: (chunks: AsyncIterable<Buffer>, deps: D) => Promise<z.output<B>>;
  /** True: the handler gets the unparsed text, whatever its media type. */
  readonly isRaw?: boolean;
  /** Documented schema of a body that `read` or the handler parses. */
  readonly shown?: z.ZodType;
  /** Documented media types. Default: only JSON. */
  readonly mediaTypes?: readonly string[];
  /** True: the body may be empty; a parsed body then counts as {}. */
  readonly mayBeAbsent?: boolean;
  readonly example: unknown;
}

export interface RouteInput<P, Q, B, A extends Access = Access> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** Rate limit status of the caller; undefined if a page of the explorer calls the handler. */
  readonly standing?: Standing | undefined;
  readonly gone: AbortSignal;
  /** Charges bytes stored for the caller. @throws ApiProblem rate_limited if the daily limit is exceeded */
  readonly keep: (bytes: number) => Promise<void>;
  /** Unique name of the caller's budget. */
  readonly caller: string;
  /** Charges a further cost of the request. @returns false if it exceeds the caller's limit */
  readonly charge: (cost: number) => Promise<boolean>;
  /** Identity of the caller; always set if the access of the route requires it. */
  readonly identity: A extends 'token' | 'credential' | 'operator' ? Identity : Identity | undefined;
  /** API key of the request; only for routes with access `key`. */
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
  /** One short phrase without a full stop. */
  readonly summary: string;
  /** Further sentences for the docs. */
  readonly description?: string;
  readonly params: P;
  readonly query: Q;
  /** Documented query, if `query` accepts any name. */
  readonly shownQuery?: z.ZodObject;
  /** Documented request headers besides credentials; the handler reads them. */
  readonly headers?: z.ZodObject;
  readonly body?: BodyDefinition<B, D>;
  readonly response: R;
  readonly errors: readonly ProblemCode[];
  /** Required credential. Default: public. */
  readonly access?: A;
  /** Cost of a request in the caller's rate limit. Default: 1. */
  readonly cost?: number;
  /** Cache lifetime of a reply, s; 0: not cached. */
  readonly maxAgeSeconds: number;
  /** Example path with query for the docs; {transaction}, {account}, {token} and {nft} are replaced by ones of the chain. */
  readonly example: string;
  /** Status of a JSON reply. Default: 200. */
  readonly successStatus?: number;
  /** Returns the status of a reply whose body reports a failure. */
  statusOf?(reply: z.input<R>): number;
  /** Media types of the reply. Default: only JSON. */
  readonly mediaTypes?: readonly string[];
  /** Schemas of one line of NDJSON, or of the data of each event of a stream by event name, by media type. */
  readonly item?: Readonly<Record<string, z.ZodType>>;
  /** Returns whether the reply can never change; it is then cached as immutable. */
  isFinalized?(reply: z.input<R>, input: { params: Record<string, unknown> }): boolean;
  /** The type of its first parameter lists the dependencies it needs. */
  readonly handle: (
    deps: D,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>, A>,
  ) => Promise<z.input<R> | HeadedReply<z.input<R>> | OtherReply>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the list of routes holds every instance of the generic
/** Route with any parameters and reply. @typeParam D dependencies available to handlers */
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
