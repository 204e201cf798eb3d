/** Lines of an NDJSON export: rows by kind, then the certificate. */
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

/** Row of an export, by kind. */
const ExportRow = {
  transactions: transaction,
  transfers: transfer,
  logs: log,
  anchors: anchor,
} as const satisfies Record<ExportKind, z.ZodType>;

export const CertificateReply = z
  .strictObject({
    kind: z.enum(exportKinds),
    fromBlock: Count,
    toBlock: z
      .number()
      .int()
      .meta({ description: 'Number of the last exported block; never above the finalized block' }),
    rows: Count,
    digest: z.string().meta({
      description:
        'Sum modulo 2^64, as 16 hex digits, of one integer per row: the first 8 bytes of the SHA-256 of its identifying fields joined by ":" (transactions: blockNumber, txIndex, txHash, status, gasUsed, fee; transfers: blockNumber, logIndex, batchIndex, token, from, to, tokenId, value; logs: blockNumber, logIndex, txHash, address, topic0 to topic3, data; anchors: blockNumber, blockHash; null is empty). Independent of format and row order; digests of parts can be added',
    }),
    gaps: z
      .array(z.strictObject({ from: Count, to: Count }))
      .meta({ description: 'Block ranges of the requested window that are not indexed' }),
    unfinalized: z.strictObject({ from: Count, to: Count }).nullable().meta({
      description:
        'Block range that was requested but not exported, because it is above the finalized block; null if there is none',
    }),
    complete: z.boolean().meta({ description: 'true if the export contains the entire requested window' }),
  })
  .meta({ id: 'ExportCertificate' });

export const ExportLine = z
  .union([...Object.values(ExportRow), z.strictObject({ certificate: CertificateReply })])
  .meta({
    id: 'ExportLine',
    description:
      'One line of an export: a row of the requested kind. The last line is the certificate (row count, digest and gaps)',
  });
