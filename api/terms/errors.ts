/** Every error that a REST reply can carry. @source RFC 9457; shapes of `code` and status by the API conventions in docs/api.md */

interface ProblemType {
  readonly status: number;
  readonly title: string;
  /** True when the same request may succeed later. */
  readonly retry: boolean;
}

export const problems = {
  bad_query: { status: 400, title: 'A parameter is not valid', retry: false },
  invalid_cursor: { status: 400, title: 'The cursor belongs to another query or is damaged', retry: false },
  use_registry_entity: { status: 400, title: 'A 32-byte id is an entity, not an account', retry: false },
  chart_not_found: { status: 404, title: 'There is no such chart', retry: false },
  snapshot_invalidated: { status: 409, title: 'A reorg replaced the blocks that this walk was reading', retry: false },
  payload_too_large: { status: 413, title: 'The request body is too large', retry: false },
  unsupported_media_type: { status: 415, title: 'The body is not of an accepted kind', retry: false },
  withdrawal_conflict: { status: 409, title: 'Another withdrawal stands in the way', retry: false },
  withdrawal_owner_required: { status: 403, title: 'Only the owner of the withdrawal may do this', retry: false },
  feed_rejected: { status: 422, title: 'The order-book feed is not accepted', retry: false },
  venue_conflict: { status: 409, title: 'Another venue stands in the way', retry: false },
  string_id_required: { status: 400, title: 'A search names the wallet it is about', retry: false },
  unauthorized: { status: 401, title: 'A valid credential is needed', retry: false },
  invalid_api_key: { status: 401, title: 'The API key is not one of ours', retry: false },
  key_revoked: { status: 401, title: 'The API key was revoked', retry: false },
  sign_in_refused: { status: 401, title: 'The signed message proves nothing', retry: false },
  admin_required: { status: 401, title: 'The administrator has to ask', retry: false },
  wallet_scope_violation: { status: 403, title: 'The wallet is not linked to this identity', retry: false },
  operator_required: { status: 403, title: 'An operator has to ask', retry: false },
  key_limit_reached: { status: 409, title: 'The identity holds as many active keys as it may', retry: false },
  wallet_conflict: { status: 409, title: 'The wallet cannot be linked or unlinked', retry: false },
  invalid_kind: { status: 400, title: 'There is no such kind of entity', retry: false },
  entity_not_found: { status: 404, title: 'There is no such entity', retry: false },
  idempotency_conflict: { status: 409, title: 'The idempotency key was used for another request', retry: false },
  rate_limited: { status: 429, title: 'Too many requests', retry: true },
  not_found: { status: 404, title: 'There is no such thing', retry: false },
  method_not_allowed: { status: 405, title: 'The method is not available here', retry: false },
  identity_provider_unavailable: { status: 503, title: 'The identity provider did not answer', retry: true },
  indexing: { status: 503, title: 'The index does not cover this yet', retry: true },
  store_unavailable: { status: 503, title: 'The index store did not answer', retry: true },
  node_unavailable: { status: 503, title: 'No node answered', retry: true },
  state_unavailable: { status: 422, title: 'No node has the state of that block', retry: false },
  internal: { status: 500, title: 'Something went wrong here', retry: false },
} as const satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof problems;

/** Characters of a detail. */
const longestDetail = 600;

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** For people: what was wrong and what is accepted. Never the text of a dependency. */
  readonly detail: string;
  readonly code: ProblemCode;
  readonly details?: unknown | undefined;

  constructor(
    code: ProblemCode,
    /** Cut where it is long: it may repeat what the caller sent. */
    detail: string,
    details?: unknown,
  ) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.details = details;
    this.detail = detail.length <= longestDetail ? detail : `${detail.slice(0, longestDetail)}…`;
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** Body of the reply. */
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
      // @source conventions 1.4: what GET /keys/verify says of a bad key
      ...(this.code === 'invalid_api_key' || this.code === 'key_revoked' ? { valid: false } : {}),
    };
  }
}
