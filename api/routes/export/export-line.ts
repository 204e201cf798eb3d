/** An NDJSON export has rows of one kind, then the certificate (row count, digest, gaps). */
import { z } from 'zod';
import { tokenStandards } from '#chain/codec/token-abi.ts';
import { type ExportKind, exportKinds } from '../../read/export/kinds.ts';
import { Count, HexAddress, HexData, HexHash, ReceiptStatus, UnixSeconds, Wei } from '../../terms/primitives.ts';

const transaction = z
  .strictObject({
    blockNumber: Count,
    txIndex: Count,
    txHash: HexHash,
    blockHash: HexHash,
    timestamp: UnixSeconds,
    type: Count,
    from: HexAddress,
    to: HexAddress.nullable(),
    contractCreated: HexAddress.nullable(),
    value: Wei,
    nonce: Count,
    gasLimit: Count,
    gasUsed: Count,
    gasPrice: Wei,
    fee: Wei,
    status: ReceiptStatus.nullable(),
    methodId: HexData,
    roles: Count.optional().meta({
      description:
        'Roles of the requested address in this row: the sum of 1 (from), 2 (to) and 4 (log); absent without parameter address',
    }),
  })
  .meta({ id: 'ExportedTransaction' });

const transfer = z
  .strictObject({
    blockNumber: Count,
    logIndex: Count,
    batchIndex: Count,
    txIndex: Count,
    txHash: HexHash,
    timestamp: UnixSeconds,
    token: HexAddress,
    standard: z.enum(tokenStandards),
    from: HexAddress,
    to: HexAddress,
    tokenId: z.string().meta({ description: 'Id of the NFT, decimal' }),
    value: z.string().meta({ description: 'Transferred amount in the smallest unit of the token, decimal' }),
  })
  .meta({ id: 'ExportedTransfer' });

const log = z
  .strictObject({
    blockNumber: Count,
    logIndex: Count,
    txIndex: Count,
    txHash: HexHash,
    timestamp: UnixSeconds,
    address: HexAddress,
    topic0: HexHash.nullable(),
    topic1: HexHash.nullable(),
    topic2: HexHash.nullable(),
    topic3: HexHash.nullable(),
    data: HexData,
  })
  .meta({ id: 'ExportedLog' });

const anchor = z
  .strictObject({
    blockNumber: Count,
    blockHash: HexHash,
    parentHash: HexHash,
    timestamp: UnixSeconds,
    miner: HexAddress,
    gasLimit: Count,
    gasUsed: Count,
    baseFeePerGas: Wei.nullable(),
    size: Count,
    transactionCount: Count,
    logCount: Count,
    fees: Wei,
    burned: Wei,
  })
  .meta({ id: 'ExportedAnchor' });

export const ExportRow = {
  transactions: transaction,
  transfers: transfer,
  logs: log,
  anchors: anchor,
} as const satisfies Record<ExportKind, z.ZodType>;

export const CertificateReply = z
  .strictObject({
    kind: z.enum(exportKinds),
    fromBlock: Count,
    toBlock: z.number().int().meta({ description: 'Last exported block; never above the finalized block' }),
    rows: Count,
    digest: z.string().meta({
      description:
        'Digest of the rows, 16 hex digits: the sum modulo 2^64 of one integer per row. This integer is the first 8 bytes of the SHA-256 of the identifying fields of the row, joined by ":" (null is empty). Fields of transactions: blockNumber, txIndex, txHash, status, gasUsed, fee. Fields of transfers: blockNumber, logIndex, batchIndex, token, from, to, tokenId, value. Fields of logs: blockNumber, logIndex, txHash, address, topic0 to topic3, data. Fields of anchors: blockNumber, blockHash. The digest does not depend on format and row order; digests of parts can be added',
    }),
    gaps: z
      .array(z.strictObject({ from: Count, to: Count }))
      .meta({ description: 'Ranges of requested blocks that the index does not contain' }),
    unfinalized: z.strictObject({ from: Count, to: Count }).nullable().meta({
      description:
        'Block range that was requested but not exported, because it is above the finalized block; null if there is none',
    }),
    complete: z.boolean().meta({ description: 'true if the export contains all requested blocks' }),
    signature: z.string().meta({
      description:
        'Compact JWS (EdDSA) whose payload has kind, blocks, filters, rows, digest and gaps; /.well-known/jwks.json has the key',
    }),
  })
  .meta({ id: 'ExportCertificate' });

export const ExportLine = z
  .union([...Object.values(ExportRow), z.strictObject({ certificate: CertificateReply })])
  .meta({
    id: 'ExportLine',
    description:
      'One line of an export: a row of the requested kind. The last line is the certificate (row count, digest and gaps)',
  });
