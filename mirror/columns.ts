import type { ExportKind } from '#client/index.ts';

/** integer: up to 2^53; amount: up to 2^256, decimal text; text: any other text. */
type ColumnType = 'integer' | 'amount' | 'text';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

export interface Layout {
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** Columns covered by a row's digest, in order. */
  readonly identity: readonly string[];
}

/** Parses `name:type`. `?` marks a nullable column. */
function readColumns(text: string): Column[] {
  return text.split(/\s+/).map((part) => {
    const [, name = '', type = 'text', missing] = /^(\w+)(?::(\w+))?(\?)?$/.exec(part) ?? [];
    return { name, type: type as ColumnType, isNullable: missing !== undefined };
  });
}

/** Tables of a mirror. Columns as in exports; identity as in client/row-digest.ts. */
export const layouts: Readonly<Record<ExportKind, Layout>> = {
  anchors: {
    columns: readColumns(
      'blockNumber:integer blockHash parentHash timestamp:integer miner gasLimit:integer gasUsed:integer baseFeePerGas:amount? size:integer transactionCount:integer logCount:integer fees:amount burned:amount',
    ),
    key: ['blockNumber'],
    identity: ['blockNumber', 'blockHash'],
  },
  transactions: {
    columns: readColumns(
      'blockNumber:integer txIndex:integer txHash blockHash timestamp:integer type:integer from to? contractCreated? value:amount nonce:integer gasLimit:integer gasUsed:integer gasPrice:amount fee:amount status:integer? methodId',
    ),
    key: ['blockNumber', 'txIndex'],
    identity: ['blockNumber', 'txIndex', 'txHash', 'status', 'gasUsed', 'fee'],
  },
  transfers: {
    columns: readColumns(
      'blockNumber:integer logIndex:integer batchIndex:integer txIndex:integer txHash timestamp:integer token standard from to tokenId:amount value:amount',
    ),
    key: ['blockNumber', 'logIndex', 'batchIndex'],
    identity: ['blockNumber', 'logIndex', 'batchIndex', 'token', 'from', 'to', 'tokenId', 'value'],
  },
  logs: {
    columns: readColumns(
      'blockNumber:integer logIndex:integer txIndex:integer txHash timestamp:integer address topic0? topic1? topic2? topic3? data',
    ),
    key: ['blockNumber', 'logIndex'],
    identity: ['blockNumber', 'logIndex', 'txHash', 'address', 'topic0', 'topic1', 'topic2', 'topic3', 'data'],
  },
};
