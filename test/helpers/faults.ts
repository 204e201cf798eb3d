/** Wrong replies of a node or the network, by name. */
import { gzipSync } from 'node:zlib';
import type { Exchange, Fault, Json } from './faulty-proxy.ts';

type Change = (reply: Json, exchange: Exchange, index: number) => boolean;

function inReply(methods: readonly string[], change: Change): Fault {
  return (exchange) => {
    const candidates = exchange.calls.flatMap((call, i) => (methods.includes(call.method) ? [i] : []));
    for (const i of candidates.sort(() => exchange.random.next() - 0.5)) {
      const reply = exchange.replies.find((each) => each.id === exchange.calls[i]!.id);
      if (reply?.result !== undefined && change(reply, exchange, i)) return 'changed';
    }
    return 'untouched';
  };
}

function nullify(reply: Json): boolean {
  reply.result = null;
  return true;
}

const blocks = ['eth_getBlockByNumber', 'eth_getBlockByHash'];
const isFull = (block: Json) => typeof block?.transactions?.[0] === 'object';
const inBlock = (change: (block: Json) => void, needsTransactions = true) =>
  inReply(blocks, ({ result }) => {
    if (!result || (needsTransactions && !isFull(result))) return false;
    change(result);
    return true;
  });
const inReceipts = (
  change: (receipts: Json[]) => void,
  suits: (receipts: Json[]) => boolean = (receipts) => receipts.length > 0,
) =>
  inReply(['eth_getBlockReceipts'], ({ result }) => {
    if (!Array.isArray(result) || !suits(result)) return false;
    change(result);
    return true;
  });
const hasLogs = (count: number) => (receipts: Json[]) =>
  receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0) >= count;
const getLogs = (receipts: Json[]): Json[] => receipts.flatMap((receipt) => receipt.logs);
const otherHash = `0x${'e'.repeat(64)}`;
function setAll(items: Json[], field: string, value: unknown): void {
  for (const item of items) item[field] = value;
}

const plusOne = (hex: string) => `0x${(BigInt(hex) + 1n).toString(16)}`;

function answering(status: number, body: string | Buffer, headers: Record<string, string> = {}): Fault {
  return ({ response }) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
    return 'answered';
  };
}

const withBody =
  (write: (exchange: Exchange, text: string) => void): Fault =>
  (exchange) => {
    write(exchange, JSON.stringify(exchange.isBatch ? exchange.replies : exchange.replies[0]));
    return 'answered';
  };

function replacing(change: (replies: Json[]) => Json[], atLeast = 1): Fault {
  return (exchange) => {
    if (exchange.replies.length < atLeast) return 'untouched';
    exchange.replies = change(exchange.replies);
    return 'changed';
  };
}

const error = (code: number, message: string): Fault =>
  inReply([...blocks, 'eth_getBlockReceipts'], (reply) => {
    reply.result = undefined;
    reply.error = { code, message };
    return true;
  });

export const fetchFaults: Record<string, Fault> = {
  null_block: inReply(blocks, (reply) => isFull(reply.result) && nullify(reply)),
  null_receipts: inReply(['eth_getBlockReceipts'], nullify),
  null_inside_receipts: inReceipts((receipts) => (receipts[0] = null)),
  receipts_of_another_block: inReceipts((receipts) => setAll(receipts, 'blockHash', otherHash)),
  short_receipts: inReceipts((receipts) => receipts.pop()),
  empty_receipts: inReceipts((receipts) => receipts.splice(0)),
  long_receipts: inReceipts((receipts) => receipts.push({ ...receipts[0] })),
  duplicate_receipt: inReceipts(
    (receipts) => (receipts[1] = { ...receipts[0] }),
    (receipts) => receipts.length > 1,
  ),
  receipts_out_of_order: inReceipts(
    (receipts) => receipts.reverse(),
    (receipts) => receipts.length > 1,
  ),
  duplicate_log_index: inReceipts(
    (receipts) => (getLogs(receipts)[1].logIndex = getLogs(receipts)[0].logIndex),
    hasLogs(2),
  ),
  log_index_gap: inReceipts(
    (receipts) => (getLogs(receipts).at(-1).logIndex = plusOne(getLogs(receipts).at(-1).logIndex)),
    hasLogs(1),
  ),
  logs_out_of_order: inReceipts(
    (receipts) => receipts.find((receipt) => receipt.logs.length > 1).logs.reverse(),
    (receipts) => receipts.some((receipt) => receipt.logs.length > 1),
  ),
  wrong_block_hash_in_log: inReceipts((receipts) => (getLogs(receipts)[0].blockHash = otherHash), hasLogs(1)),
  wrong_transaction_hash_in_log: inReceipts(
    (receipts) => (getLogs(receipts)[0].transactionHash = otherHash),
    hasLogs(1),
  ),
  removed_log: inReceipts((receipts) => (getLogs(receipts)[0].removed = true), hasLogs(1)),
  // remove a log that is not the last one: other logs may set its bloom bits, so only the roots reveal its absence
  missing_log: inReceipts((receipts) => receipts.find((receipt) => receipt.logs.length > 0).logs.shift(), hasLogs(2)),
  empty_logs_with_bloom: inReceipts((receipts) => setAll(receipts, 'logs', []), hasLogs(1)),
  changed_topic: inReceipts((receipts) => (getLogs(receipts)[0].topics[0] = otherHash), hasLogs(1)),
  bloom_mismatch: inBlock((block) => (block.logsBloom = `0x${'1'.repeat(512)}`)),
  wrong_cumulative_gas: inReceipts(
    (receipts) => (receipts[0].cumulativeGasUsed = plusOne(receipts[0].cumulativeGasUsed)),
  ),
  wrong_gas_used: inReceipts((receipts) => (receipts[0].gasUsed = plusOne(receipts[0].gasUsed))),
  wrong_header_gas: inBlock((block) => (block.gasUsed = plusOne(block.gasUsed))),
  wrong_transaction_index: inBlock((block) => (block.transactions[0].transactionIndex = '0x63')),
  wrong_receipt_index: inReceipts((receipts) => (receipts[0].transactionIndex = '0x63')),
  missing_transaction: inBlock((block) => block.transactions.pop()),
  extra_transaction: inBlock((block) => block.transactions.push({ ...block.transactions[0] })),
  transaction_of_another_block: inBlock((block) => (block.transactions[0].blockHash = otherHash)),
  hashes_instead_of_transactions: inBlock(
    (block) => (block.transactions = block.transactions.map((tx: Json) => tx.hash)),
  ),
  parent_mismatch: inBlock((block) => (block.parentHash = otherHash)),
  wrong_number: inBlock((block) => (block.number = plusOne(block.number))),
  older_than_parent: inBlock((block) => (block.timestamp = '0x1')),
  hex_without_prefix: inBlock((block) => (block.gasLimit = block.gasLimit.slice(2))),
  uppercase_hex: inBlock((block) => (block.hash = `0x${block.hash.slice(2).toUpperCase()}`)),
  leading_zeros: inBlock((block) => (block.gasUsed = `0x000${block.gasUsed.slice(2)}`)),
  decimal_number: inBlock((block) => (block.number = Number(block.number))),
  bad_digit: inBlock((block) => (block.transactions[0].input = '0xzz')),
  bad_digit_in_log: inReceipts((receipts) => (getLogs(receipts)[0].data = `0x${'g'.repeat(600)}`), hasLogs(1)),
  odd_digits: inBlock((block) => (block.transactions[0].input = '0x123')),
  missing_optional_fields: inBlock((block) =>
    block.transactions.forEach((tx: Json) => {
      for (const field of ['chainId', 'yParity', 'v', 'r', 's', 'accessList']) delete tx[field];
    }),
  ),
  missing_required_field: inBlock((block) => delete block.transactions[0].from),
  missing_status: inReceipts((receipts) => delete receipts[0].status),
  too_large_quantity: inBlock((block) => (block.transactions[0].value = `0x${'f'.repeat(65)}`)),
  log_index_overflow: inReceipts((receipts) => (getLogs(receipts)[0].logIndex = '0xffffffe2'), hasLogs(1)),
  unknown_fields: inBlock((block) =>
    Object.assign(block, { l1BlockNumber: '0x1', sendRoot: null, extra: { deep: [1] } }),
  ),
  http_429: answering(429, '{}'),
  http_429_retry_after: answering(429, '{}', { 'Retry-After': '0.1' }),
  http_500: answering(500, 'oops'),
  http_502: answering(502, '<html>bad gateway</html>', { 'Content-Type': 'text/html' }),
  http_503: answering(503, ''),
  http_504: answering(504, ''),
  html_200: answering(200, '<html>maintenance</html>', { 'Content-Type': 'text/html' }),
  empty_200: answering(200, ''),
  not_an_array: answering(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"batch refused"}}'),
  null_200: answering(200, 'null'),
  gzip_garbage: answering(200, 'not gzip at all', { 'Content-Encoding': 'gzip' }),
  truncated_gzip: answering(200, gzipSync('[{"jsonrpc":"2.0"}]').subarray(0, 15), { 'Content-Encoding': 'gzip' }),
  timeout: () => 'answered',
  reset_mid_body: withBody(({ response }, text) => {
    response.writeHead(200, { 'Content-Length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  }),
  truncated_json: withBody(({ response }, text) => response.end(text.slice(0, -20))),
  wrong_id: replacing((replies) => replies.map((reply) => ({ ...reply, id: 'x' }))),
  batch_out_of_order: replacing((replies) => replies.toReversed(), 2),
  batch_partial: replacing((replies) => replies.slice(1), 2),
  neither_result_nor_error: replacing((replies) => replies.map(({ id }) => ({ jsonrpc: '2.0', id }))),
  error_header_not_found: error(-32000, 'header not found'),
  error_internal: error(-32603, 'internal error'),
  error_rate_limit_200: error(-32005, 'rate limit exceeded'),
  error_no_receipts_method: (exchange) => {
    let isHit = false;
    for (const [i, call] of exchange.calls.entries()) {
      if (call.method !== 'eth_getBlockReceipts') continue;
      exchange.replies[i] = {
        jsonrpc: '2.0',
        id: call.id,
        error: { code: -32601, message: 'the method eth_getBlockReceipts does not exist' },
      };
      isHit = true;
    }
    return isHit ? 'changed' : 'untouched';
  },
};
