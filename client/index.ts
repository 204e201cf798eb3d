import { type Addition, type ChangeOptions, type Removal, readChanges } from './changes.ts';
import { CoverageError } from './errors.ts';
import { type HeadEvent, readEvents, type SetEvent, type StreamOptions } from './events.ts';
import { type Certificate, type ExportOptions, exportBatches } from './exports.ts';
import type { Arguments, Call, ItemOf, ListPath, Method, Options, Page, PageOf, PathOf, Reply } from './operations.ts';
import { type ClientOptions, Requests } from './requests.ts';
import type { ExportedRow, ExportKind } from './row-digest.ts';

export { formatUnits, parseAmount, parseUnits } from './amounts.ts';
export { type Addition, type ChangeOptions, changeKinds, type Removal, type TableSum } from './changes.ts';
export { CordscanError, CoverageError, ExportError, type ProblemCode, ReorgError } from './errors.ts';
export type { HeadEvent, SetEvent, StreamOptions } from './events.ts';
export { type Certificate, certificateMs, type ExportOptions, positionOf } from './exports.ts';
export type { components, operations, paths } from './openapi.gen.ts';
export type { ItemOf, ListPath, PageOf, PathOf, Reply } from './operations.ts';
export type { ClientOptions } from './requests.ts';
export { type ExportedRow, type ExportKind, RowDigest } from './row-digest.ts';

/** Client of a Cordscan service. Methods throw if data of a list or export is missing. */
export class Cordscan {
  readonly origin: string;
  readonly #requests: Requests;

  /** @param origin URL of the service, for example https://explorer.example */
  constructor(origin: string, options: ClientOptions = {}) {
    this.origin = origin;
    this.#requests = new Requests(origin, options);
  }

  /** Sends a GET request and returns the JSON reply. @throws CordscanError */
  get<P extends PathOf<'get'>>(path: P, ...[options]: Arguments<Options<'get', P>>): Promise<Reply<'get', P>> {
    return this.#call('get', path, options);
  }

  /**
   * Sends a POST request and returns the JSON reply.
   * @throws CordscanError. Below status 500, the last attempt had no effect; with `idempotent`, an earlier attempt may
   * have succeeded. After 5xx or any other error, the request may have taken effect.
   */
  post<P extends PathOf<'post'>>(path: P, ...[options]: Arguments<Options<'post', P>>): Promise<Reply<'post', P>> {
    return this.#call('post', path, options);
  }

  /** @throws as post() */
  patch<P extends PathOf<'patch'>>(path: P, ...[options]: Arguments<Options<'patch', P>>): Promise<Reply<'patch', P>> {
    return this.#call('patch', path, options);
  }

  /** @throws as post() */
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...[options]: Arguments<Options<'delete', P>>
  ): Promise<Reply<'delete', P>> {
    return this.#call('delete', path, options);
  }

  /**
   * Yields the pages of a list. To resume later, pass the last `nextCursor` as `cursor`.
   * @throws ReorgError if a reorg removed rows of earlier pages; CoverageError if blocks of the list are not indexed
   * yet, if the list names no blocks and the index is not complete, or if internal transfers of its blocks are unknown
   */
  async *pages<P extends ListPath>(path: P, ...[options]: Arguments<Options<'get', P>>): AsyncGenerator<PageOf<P>> {
    let call: Call = options ?? {};
    for (;;) {
      const page = (await this.#call('get', path, call)) as PageOf<P>;
      assertCovered(page, path.endsWith('/internal'));
      yield page;
      const { hasMore, nextCursor } = page as Page;
      if (!hasMore) return;
      call = { ...call, query: { ...call.query, cursor: nextCursor } };
    }
  }

  /** Yields the items of a list. @throws as pages() */
  async *items<P extends ListPath>(path: P, ...options: Arguments<Options<'get', P>>): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages(path, ...options)) yield* (page as Page).items as readonly ItemOf<P>[];
  }

  /**
   * Yields batches of finalized rows in chain order and returns their certificate (row count and digest). Resumes after
   * a lost connection. Rows are proven complete only at the end.
   * @throws CoverageError if the index lacks blocks or toBlock is not finalized; ExportError if the rows do not match
   * the certificate
   */
  exportBatches(kind: ExportKind, options: ExportOptions = {}): AsyncGenerator<ExportedRow[], Certificate> {
    return exportBatches(this.#requests, kind, options);
  }

  /** Yields the rows of exportBatches() one by one. */
  async *exportRows(kind: ExportKind, options: ExportOptions = {}): AsyncGenerator<ExportedRow> {
    for await (const rows of this.exportBatches(kind, options)) yield* rows;
  }

  /**
   * Yields added and removed blocks since a position, in order. Apply each change, then store its position. Resumes
   * after a lost connection. With `follows`, waits while the service is unavailable. Ends without an error when the
   * signal fires.
   * @throws CordscanError with the code snapshot_invalidated if the service knows neither the position's block nor a
   * reorg that removed it; ExportError if rows do not match their digests
   */
  changes(options: ChangeOptions = {}): AsyncGenerator<Addition | Removal> {
    return readChanges(this.#requests, options);
  }

  /** Yields every change of the newest block exactly once. Resumes after lost connections and temporary errors. */
  headEvents(options: StreamOptions = {}): AsyncGenerator<HeadEvent> {
    return readEvents(this.#requests, '/api/v1/stream/heads', options);
  }

  /** Yields native transfers to an address set, and changes of the newest block. Resumes like headEvents(). */
  setEvents(id: string, options: StreamOptions = {}): AsyncGenerator<SetEvent> {
    return readEvents(this.#requests, `/api/v1/stream/address-sets/${encodeURIComponent(id)}`, options);
  }

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    options: Call | undefined,
  ): Promise<Reply<M, P>> {
    return (await this.#requests.json(method.toUpperCase(), path, options ?? {})) as Reply<M, P>;
  }
}

interface Covered {
  readonly coverage?: {
    readonly gaps?: readonly { readonly from: number; readonly to: number }[];
    readonly complete?: boolean;
    readonly internal?: boolean;
  };
  readonly index?: { readonly head: number; readonly chainHead: number; readonly complete: boolean };
}

/**
 * Checks the blocks that the list names, otherwise the entire index.
 * @param isInternal the list has internal transfers, so its blocks need traces
 */
function assertCovered(page: unknown, isInternal: boolean): void {
  const { coverage, index } = page as Covered;
  const [gap] = coverage?.gaps ?? [];
  if (gap) throw notIndexed(`blocks ${gap.from} to ${gap.to} are not indexed`);
  if (isInternal && coverage?.internal === false)
    throw notIndexed('blocks have no traces, so internal transfers may be missing');
  if (coverage?.complete ?? index?.complete ?? true) return;
  if (!index) throw notIndexed('no node reports whether there are newer blocks');
  throw notIndexed(
    `the index is not complete: it is at block ${index.head}, the chain at block ${index.chainHead}, or blocks are missing`,
  );
}

const notIndexed = (detail: string) => new CoverageError(503, { code: 'indexing', detail });
