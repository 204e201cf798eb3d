/** A route is one value: path, parameters, reply, errors, cache, docs and handler. Everything else derives from it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Access, Identity } from '../read/identity/access.ts';
import type { ProvedKey } from '../read/identity/caller.ts';
import type { ProblemCode } from '../terms/errors.ts';
import type { Standing } from './rate-tiers.ts';
import type { HeadedReply, OtherReply } from './reply.ts';

/** Where a path begins: the versioned interface, the semantic-history interface, or the origin. */
type RouteBase = '/api/v1' | '/v1' | '';

/** Groups of the docs. */
type RouteTag =
  | ('stats' | 'charts' | 'anchors' | 'transactions' | 'accounts' | 'tokens')
  | ('search' | 'network' | 'export' | 'service' | 'compatible' | 'node')
  | ('deposits' | 'withdrawals' | 'identity' | 'keys' | 'semantic')
  | ('markets' | 'registry' | 'supply' | 'integration');

/** What a request carries. */
interface BodyDefinition<B extends z.ZodType, D> {
  /** Of the parsed JSON; of a raw body: of its text. */
  readonly schema: B;
  /** As sent, and after decompression; where it follows from what may be asked here, it is computed. */
  readonly maxBytes: number | ((deps: D) => number);
  /** Reads the body as it comes, instead of `schema` from the whole of it. @throws ApiProblem bad_query */
  readonly read?: (chunks: AsyncIterable<Buffer>, deps: D) => Promise<z.output<B>>;
  /** True: the handler gets the text as it came, whatever its media type. */
  readonly isRaw?: boolean;
  /** True: no body is the same as none of its fields. */
  readonly mayBeAbsent?: boolean;
  /** For the docs; {transaction} and the like as in `example`. */
  readonly example: unknown;
}

/** What a handler is given. */
export interface RouteInput<P, Q, B, A extends Access = Access> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  /** IP address that the request came from. */
  readonly address: string;
  /** What is left of the caller's budget; undefined of a page's own questions. */
  readonly standing?: Standing | undefined;
  /** Fires when the reply was sent, or the client left. */
  readonly gone: AbortSignal;
  /** Counts bytes that are kept for the caller. @throws ApiProblem rate_limited where the day's are used up */
  readonly keep: (bytes: number) => Promise<void>;
  /** Whose budget it is, as a name of its own. */
  readonly caller: string;
  /** Counts a further cost of the request. @returns false where the caller's budget doesn't hold it */
  readonly charge: (cost: number) => Promise<boolean>;
  /** Who asks, as far as the access of the route proves it. */
  readonly identity: A extends 'token' | 'credential' | 'operator' ? Identity : Identity | undefined;
  /** The key that was sent, of routes about keys alone. */
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
  /** Section of the specification. */
  readonly section: string;
  readonly params: P;
  readonly query: Q;
  readonly body?: BodyDefinition<B, D>;
  readonly response: R;
  readonly errors: readonly ProblemCode[];
  /** Who may ask; absent: anybody. */
  readonly access?: A;
  /** What a request weighs in the caller's budget; absent: 1. */
  readonly cost?: number;
  /** Seconds a reply may be kept by caches; 0: not at all. */
  readonly maxAgeSeconds: number;
  /** Example path with query, for the docs; {transaction}, {account}, {token} and {nft} stand for one of the chain. */
  readonly example: string;
  /** Status of a reply that is no OtherReply; absent: 200. */
  readonly successStatus?: number;
  /** Status of this very reply, where it is not that of success: a body that says what is wrong. */
  statusOf?(reply: z.input<R>): number;
  /** Media types of the reply; absent: JSON of the response schema alone. */
  readonly mediaTypes?: readonly string[];
  /** True of a reply that says nothing that can still change: caches keep it for good. */
  isFinalized?(reply: z.input<R>, input: { params: Record<string, unknown> }): boolean;
  /** Its first parameter names what is taken of all that the service has. */
  readonly handle: (
    deps: D,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>, A>,
  ) => Promise<z.input<R> | HeadedReply<z.input<R>> | OtherReply>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the list of routes holds every instance of the generic
/** Of any parameters and reply. @typeParam D what there is to be taken */
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
