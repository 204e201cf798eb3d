import { z } from 'zod';
import { tokenStandards } from '#chain/codec/token-abi.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import { defineRoute } from '../../http/define-route.ts';
import { absentTransaction } from '../../read/chain/absent-transaction.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { findByHash, isNearChain, type ReachDeps } from '../../read/chain/reach-block.ts';
import { getFirstLogs, maxLogs, type TransactionReader } from '../../read/chain/transaction-reader.ts';
import { readTypedFields, typedFieldsShape } from '../../read/chain/typed-fields.ts';
import { type DecodeDeps, decodeSurely } from '../../read/contracts/decode/decode-transaction.ts';
import { failureSources, readFailure, toFailed } from '../../read/contracts/failure-reason.ts';
import { requiredConfirmations } from '../../read/deposits/rules.ts';
import type { ChainDeps, CoverageDeps, NodeDeps } from '../../read/reader-deps.ts';
import {
  Count,
  HexAddress,
  HexData,
  HexHash,
  IndexInfo,
  integerFrom,
  ReceiptStatus,
  TxHash,
  Wei,
} from '../../terms/primitives.ts';
import { type DetailRecord, getTopics, type LogRecord, receiptStatus } from '../../terms/records.ts';
import { DecodedData, toDecodedData } from './decoded-data.ts';
import { Transaction, toTransaction } from './transaction.ts';

const Log = z
  .strictObject({
    logIndex: Count,
    address: HexAddress,
    topics: z.array(HexHash),
    data: HexData,
    decoded: DecodedData.nullable().optional(),
  })
  .meta({ id: 'Log' });

const TokenTransfer = z
  .strictObject({
    logIndex: Count,
    batchIndex: Count,
    token: HexAddress,
    standard: z.enum(tokenStandards),
    from: HexAddress,
    to: HexAddress,
    tokenId: z.string().nullable(),
    value: Wei,
  })
  .meta({ id: 'TransactionTokenTransfer' });

const Failure = z
  .strictObject({
    reason: z.string(),
    source: z.enum(failureSources).meta({
      description:
        'trace: a trace of the transaction. gas: the transaction used all its gas. replay: the same call on the state before its block, where earlier transactions of the block are missing',
    }),
  })
  .meta({
    id: 'TransactionFailure',
    description: 'Only with decode=true. null: the transaction did not fail, or no node can trace or repeat it',
  });

const TransactionDetail = Transaction.extend({
  input: HexData,
  decoded: DecodedData.nullable().optional(),
  failure: Failure.nullable().optional(),
  receipt: z.strictObject({
    status: ReceiptStatus.nullable(),
    gasUsed: Count,
    cumulativeGasUsed: Count,
    effectiveGasPrice: Wei,
    blobGasUsed: Count.nullable(),
    blobGasPrice: Wei.nullable(),
    contractAddress: HexAddress.nullable(),
  }),
  blobCount: Count,
  authorizationCount: Count,
  ...typedFieldsShape,
  tokenTransfers: z.array(TokenTransfer),
  logs: z.array(Log).meta({
    description: `Logs with a log index above the parameter logsAfter, at most ${maxLogs}; logCount counts all logs of the transaction`,
  }),
  nextLogsAfter: Count.nullable().meta({
    description:
      'Send this value as the parameter `logsAfter` to get the next logs and token transfers; null if there are no more logs',
  }),
  requiredConfirmations: Count,
  confirmed: z.boolean().meta({
    description:
      'true if the transaction has at least requiredConfirmations confirmations and no node reports another hash for its block',
  }),
  creditable: z.boolean().meta({
    description:
      'true if, according to the index, the transaction can be credited as a deposit of the native coin to `to`: it succeeded, transferred value to another account, and is confirmed. false while the index is more than requiredConfirmations blocks behind the chain, or no node answers. Before you credit it, request /deposits/verdict, which also asks the nodes',
  }),
  index: IndexInfo,
}).meta({ id: 'TransactionDetail' });

interface DetailDeps extends ReachDeps, DecodeDeps, NodeDeps {
  readonly transactions: TransactionReader;
}

/** Returns 404 only if the index is complete, because a missing block may contain the hash. */
export const getTransaction = defineRoute({
  id: 'getTransaction',
  base: '/api/v1',
  path: '/transactions/:hash',
  methods: ['get'],
  tag: 'transactions',
  summary: 'One transaction',
  description:
    'The reply contains the receipt, the logs and the token transfers. It also shows whether, according to the index, the transaction can be credited as a deposit. For a transaction that is not in a block yet, request /transactions/{hash}/state.',
  params: z.object({ hash: TxHash }),
  query: z.object({
    logsAfter: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a log index, 1 to 9 digits')
      .transform(Number)
      .optional()
      .meta({
        ...integerFrom(0, 999_999_999),
        description: 'Return only logs with a higher log index than this; send nextLogsAfter of the previous reply',
      }),
    decode: z.enum(['true', 'false'], 'must be true or false').default('false').meta({
      description:
        'If true, the call and each log have the field decoded, and the field failure says why the transaction failed. This asks a node',
    }),
  }),
  response: TransactionDetail,
  errors: ['bad_query', 'not_found', 'indexing', 'node_unavailable', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/transactions/{transaction}',
  handle: async (deps: DetailDeps & CoverageDeps & ChainDeps, { params: { hash }, query: { logsAfter, decode } }) => {
    const { state, found } = await findByHash(deps, hash, async (state) => {
      const known = await deps.transactions.findWithLogs(state, hash);
      if (!known) return undefined;
      const page =
        logsAfter === undefined ? getFirstLogs(known) : deps.transactions.logsAfter(state, known.row, logsAfter);
      return { row: known.row, page: await page };
    });
    if (!found) throw await absentTransaction(deps, state, hash);
    const { row, page } = found;
    const { logs, nextAfter: nextLogsAfter } = page;
    const methodNames = await deps.signatures.methodNames([row.method_id]);
    const transaction = toTransaction(deps.settings.chainId, state, row, methodNames);
    const shown = logs.map(toLog);
    const decoding =
      decode === 'true'
        ? await decodeSurely(deps, { to: row.to, input: row.input, logs: shown, blockNumber: transaction.blockNumber })
        : undefined;
    const failure = decoding && row.status === 0 ? await readFailure(deps, toFailed(row), decoding.abi) : undefined;
    const confirmed = transaction.confirmations >= requiredConfirmations && transaction.finality !== 'doubted';
    return {
      ...transaction,
      input: row.input,
      ...(decoding && { decoded: toDecodedData(decoding.call), failure: failure ?? null }),
      receipt: toReceipt(row),
      blobCount: row.blob_count,
      authorizationCount: row.authorization_count,
      ...readTypedFields(row),
      tokenTransfers: logs.flatMap(toTransfers),
      logs: decoding ? shown.map((log) => ({ ...log, decoded: toDecodedData(decoding.log(log)) })) : shown,
      nextLogsAfter,
      requiredConfirmations,
      confirmed,
      creditable: confirmed && transfersValue(row) && (await isNearChain(deps, state, requiredConfirmations)),
      index: indexInfo(deps, state),
    };
  },
});

function transfersValue({ status, value, from, to }: DetailRecord): boolean {
  return status === 1 && value !== '0' && to !== null && to !== from;
}

function toReceipt(row: DetailRecord) {
  return {
    status: receiptStatus(row),
    gasUsed: Number(row.gas_used),
    cumulativeGasUsed: Number(row.cumulative_gas_used),
    effectiveGasPrice: row.gas_price,
    blobGasUsed: row.blob_gas_used === null ? null : Number(row.blob_gas_used),
    blobGasPrice: row.blob_gas_price,
    contractAddress: row.contract_address,
  };
}

function toLog(row: LogRecord) {
  return { logIndex: row.log_index, address: row.address, topics: getTopics(row), data: row.data };
}

function toTransfers(row: LogRecord) {
  return decodeTransfers({ topics: getTopics(row), data: row.data }).map((transfer) => ({
    logIndex: row.log_index,
    batchIndex: transfer.batchIndex,
    token: row.address,
    standard: transfer.standard,
    from: transfer.from,
    to: transfer.to,
    value: transfer.value.toString(),
    tokenId: transfer.standard === 'erc20' ? null : transfer.tokenId.toString(),
  }));
}
