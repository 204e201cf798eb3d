/** Error codes of the REST API. @source RFC 9457 */

interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly retry: boolean;
}

export const problems = {
  bad_query: { status: 400, title: 'A parameter is invalid', retry: false },
  invalid_cursor: { status: 400, title: 'The cursor is damaged or belongs to another query', retry: false },
  result_window_too_large: {
    status: 400,
    title: 'The page number is too large: use the cursor of the list',
    retry: false,
  },
  use_registry_entity: {
    status: 400,
    title: 'A 32-byte id belongs to an entity of the registry, not to an account',
    retry: false,
  },
  chart_not_found: { status: 404, title: 'Unknown chart', retry: false },
  snapshot_invalidated: {
    status: 409,
    title: 'The list changed because of a reorg, a repair or a new document; restart from the first page',
    retry: false,
  },
  payload_too_large: { status: 413, title: 'The request body is too large', retry: false },
  unsupported_media_type: { status: 415, title: 'The content type of the request body is not accepted', retry: false },
  withdrawal_conflict: { status: 409, title: 'The request conflicts with a registered withdrawal', retry: false },
  withdrawal_owner_required: {
    status: 403,
    title: 'Only the owner of a withdrawal may send its stored transaction for the first time',
    retry: false,
  },
  feed_rejected: { status: 422, title: 'The order-book feed was rejected', retry: false },
  venue_conflict: { status: 409, title: 'The request conflicts with a registered venue', retry: false },
  string_id_required: {
    status: 400,
    title: 'The parameter string_id is missing: send the address of a wallet linked to your identity',
    retry: false,
  },
  unauthorized: { status: 401, title: 'A valid credential is required', retry: false },
  invalid_api_key: { status: 401, title: 'The API key is unknown', retry: false },
  key_revoked: { status: 401, title: 'The API key was revoked', retry: false },
  sign_in_refused: { status: 401, title: 'Sign-in is disabled, or the signed message is not accepted', retry: false },
  admin_required: { status: 401, title: 'Administrator credentials are required', retry: false },
  wallet_scope_violation: {
    status: 403,
    title: 'The wallet is not linked to the identity of the caller',
    retry: false,
  },
  operator_required: { status: 403, title: 'Operator credentials are required', retry: false },
  key_limit_reached: {
    status: 409,
    title: 'The identity of the caller has the maximum number of active API keys',
    retry: false,
  },
  wallet_conflict: {
    status: 409,
    title: 'The caller cannot link this wallet to its identity, or unlink it',
    retry: false,
  },
  invalid_kind: {
    status: 400,
    title: 'Unknown kind of registry entity (accepted: wallet, contract, partner and others)',
    retry: false,
  },
  entity_not_found: { status: 404, title: 'Registry entity not found', retry: false },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key was already used for another request',
    retry: false,
  },
  rate_limited: { status: 429, title: 'Too many requests', retry: true },
  not_found: { status: 404, title: 'Not found', retry: false },
  method_not_allowed: { status: 405, title: 'The path does not allow this HTTP method', retry: false },
  identity_provider_unavailable: { status: 503, title: 'The identity provider did not answer', retry: true },
  indexing: { status: 503, title: 'The index does not contain all blocks of this request yet', retry: true },
  store_unavailable: { status: 503, title: 'The database did not answer', retry: true },
  node_unavailable: { status: 503, title: 'No node of the chain answered', retry: true },
  state_unavailable: { status: 422, title: 'No node has the account state of the requested block', retry: false },
  internal: { status: 500, title: 'Internal error', retry: false },
} as const satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof problems;

const maxDetailLength = 600;

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** Must not contain errors of the database or a node. */
  readonly detail: string;
  readonly code: ProblemCode;
  readonly details?: unknown | undefined;

  constructor(
    code: ProblemCode,
    /** Truncated: may repeat long input of the caller. */
    detail: string,
    details?: unknown,
  ) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.details = details;
    this.detail = detail.length <= maxDetailLength ? detail : `${detail.slice(0, maxDetailLength)}…`;
  }

  get status(): number {
    return problems[this.code].status;
  }

  body(requestId: string) {
    const { status, title } = problems[this.code];
    return {
      type: `/docs#problem-${this.code}`,
      title,
      status,
      detail: this.detail,
      code: this.code,
      requestId,
      ...(this.details === undefined ? {} : { details: this.details }),
      // clients of GET /keys/verify read `valid` in error replies too
      ...(this.code === 'invalid_api_key' || this.code === 'key_revoked' ? { valid: false } : {}),
    };
  }
}

/** Returns null for an ApiProblem, for parts of a reply that may be unknown. @throws other errors */
export const orUnknown = <T>(part: Promise<T>): Promise<T | null> =>
  part.catch((error: unknown) => {
    if (error instanceof ApiProblem) return null;
    throw error;
  });

/** Returns whether data is missing for now. */
export const isIndexing = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'indexing';
