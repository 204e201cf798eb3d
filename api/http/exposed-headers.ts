/** Request headers accepted from scripts of other origins. */
export const acceptedHeaders = [
  'X-API-Key',
  'Authorization',
  'Content-Type',
  'X-Admin-Token',
  'Idempotency-Key',
  'X-Withdrawal-Capability',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
] as const;

/** Response headers visible to scripts of other origins. */
export const exposedHeaders = {
  'X-Request-Id': 'id of the request, which errors and logs repeat; a client may send its own id',
  'X-Index-From': 'number of the first indexed block',
  'X-Index-Head':
    'number of the last block that the reply covers; for a list: that all of its pages together cover. A node may already have newer blocks',
  'X-Chain-Head': 'number of the newest block that a node has reported',
  'X-Final-Head': 'of /api: number of the last finalized block, which no reorg replaces',
  ETag: 'version of the reply: send it as `If-None-Match`, and an unchanged reply has status 304 without a body',
  Warning: 'names of parameters that the endpoint does not know and ignored',
  'Retry-After': 'seconds to wait before the same request may succeed',
  'X-As-Of-Block': 'number of the last block that a figure in plain text, a CSV file or a Merkle tree includes',
  'X-As-Of-Block-Hash': 'hash of the block in `X-As-Of-Block`',
  'X-Partial-From':
    'of a chart as CSV: start (Unix seconds) of its first point that is not complete yet; absent if all are',
  'X-As-Of': 'time of the block in `X-As-Of-Block`',
  'X-Stale': '`true`: the figure of `X-As-Of-Block` is older than 30 seconds, or newer blocks are missing in the index',
  'X-Query-Id': 'id of a query in SQL, with which its progress can be read while it runs',
  'X-Manifest-Sha256': 'SHA-256 of the registry manifest in use',
  'X-Next-Cursor': 'cursor of the next page of the Etherscan-compatible interface: send it as parameter `cursor`',
  'X-Confirmed-By-Node':
    '`true`: a node has the same highest balances as this file; `false`: no node has the state of the block',
  'X-Balances': 'of a statement: `known`, or `unknown` if no node has the state at its start or end',
  'X-Traces': 'of a statement: `complete`, or `incomplete` if some blocks have no indexed internal transfers',
  'X-Export-Rows': 'number of rows of an export; sent after the body, so absent if the export was interrupted',
  'X-Export-Digest': 'digest of the rows of an export; sent after the body',
  'X-Export-Signature': 'signature (JWS) of the certificate of an export; sent after the body',
  'X-Export-Window': 'numbers of the first and last block of an export',
  'X-Export-Gaps': 'blocks in the range of `X-Export-Window` that the index does not have',
  'X-Export-Unsettled': 'requested blocks that are not finalized, so the export does not contain them',
  'RateLimit-Limit': 'maximum cost of the requests of the caller per minute; most requests cost 1',
  'RateLimit-Remaining': 'cost that the caller can still spend in the current minute',
  'RateLimit-Reset': 'seconds until the current minute of the rate limit ends',
  'RateLimit-Policy': 'rate limit, length of its time window in seconds, and whether the limit is enforced',
  'X-RateLimit-Limit': 'the same as `RateLimit-Limit`',
  'X-RateLimit-Remaining': 'the same as `RateLimit-Remaining`',
  'X-RateLimit-Reset': 'the same as `RateLimit-Reset`',
} as const;
