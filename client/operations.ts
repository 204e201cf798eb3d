import type { paths } from './openapi.gen.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';

export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type SuccessOf<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? JsonOf<R[S]> : never }[keyof R];

/** Parsed JSON of a successful reply. */
export type Reply<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? SuccessOf<R> : never;

type ParametersOf<O> = O extends { parameters: infer P } ? P : never;
type PathParameters<O> = ParametersOf<O> extends { path: infer V extends object } ? { readonly path: V } : object;
type QueryParameters<O> =
  ParametersOf<O> extends { query: infer V extends object }
    ? { readonly query: V }
    : ParametersOf<O> extends { query?: infer V }
      ? { readonly query?: NonNullable<V> }
      : object;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { readonly body: B }
  : object;

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Timeout of an attempt, ms. Default: that of the client. */
  readonly timeoutMs?: number;
  /** true: retry after an error, even if the service may have handled the request. Default: true only for reads. */
  readonly idempotent?: boolean;
}

export type Options<M extends Method, P extends PathOf<M>> = PathParameters<Operation<M, P>> &
  QueryParameters<Operation<M, P>> &
  BodyOf<Operation<M, P>> &
  CallOptions;

/** Arguments of a request. Options are required only if the request has a required parameter or body. */
export type Arguments<T> = object extends T ? [options?: T] : [options: T];

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** API paths that return lists with a cursor. */
export type ListPath = { [P in PathOf<'get'>]: Reply<'get', P> extends Page ? P : never }[PathOf<'get'>];
export type PageOf<P extends ListPath> = Reply<'get', P>;
export type ItemOf<P extends ListPath> = PageOf<P> extends { items: readonly (infer I)[] } ? I : never;

export interface Call extends CallOptions {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
}
