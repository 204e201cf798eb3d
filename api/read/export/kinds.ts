import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import type { ReadingName } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';

export const exportKinds = ['transactions', 'transfers', 'logs', 'anchors'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** Formats that do not round values. */
export const exactFormats = {
  ndjson: { format: 'JSONEachRow', type: 'application/x-ndjson', ending: 'ndjson' },
  csv: { format: 'CSVWithNames', type: 'text/csv; charset=utf-8', ending: 'csv' },
  parquet: { format: 'Parquet', type: 'application/vnd.apache.parquet', ending: 'parquet' },
  arrow: { format: 'ArrowStream', type: 'application/vnd.apache.arrow.stream', ending: 'arrow' },
} as const;
/** sheet.ts converts csv-excel from JSONEachRow. */
export const exportFormats = {
  ...exactFormats,
  'csv-excel': { format: 'JSONEachRow', type: 'text/csv; charset=utf-8', ending: 'csv' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

export interface Selection {
  readonly address?: string | undefined;
  readonly token?: string | undefined;
}

export interface ExportStatements {
  readonly rows: Extract<ReadingName, `export_${string}`>;
  readonly certificate: Extract<ReadingName, `certify_${string}`>;
}

export const wholeChain = {
  transactions: { rows: 'export_transactions', certificate: 'certify_transactions' },
  transfers: { rows: 'export_transfers', certificate: 'certify_transfers' },
  logs: { rows: 'export_logs', certificate: 'certify_logs' },
  anchors: { rows: 'export_anchors', certificate: 'certify_anchors' },
} as const satisfies Record<ExportKind, ExportStatements>;

const ofAddress = {
  transactions: { rows: 'export_transactions_of_address', certificate: 'certify_transactions_of_address' },
  transfers: { rows: 'export_transfers_of_address', certificate: 'certify_transfers_of_address' },
  logs: { rows: 'export_logs_of_address', certificate: 'certify_logs_of_address' },
} as const;
const ofToken = { rows: 'export_transfers_of_token', certificate: 'certify_transfers_of_token' } as const;

/** @throws ApiProblem bad_query */
export function selectStatements(
  kind: ExportKind,
  { address, token }: Selection,
): { statements: ExportStatements; parameters: { address: string; token: string } } {
  if (token !== undefined && kind !== 'transfers')
    throw new ApiProblem('bad_query', `token is accepted only for transfers, not for ${kind}`);
  if (address !== undefined && kind === 'anchors')
    throw new ApiProblem('bad_query', 'address is not accepted for anchors: their export has no filter');
  if (address === zeroAddress && kind === 'transfers')
    throw new ApiProblem(
      'bad_query',
      'transfers of the zero address (mints and burns) are not stored by account: export all transfers, and select them by from and to',
    );
  const parameters = {
    address: address === undefined ? '' : hexDigits(address),
    token: token === undefined ? '' : hexDigits(token),
  };
  if (address !== undefined && kind !== 'anchors') return { statements: ofAddress[kind], parameters };
  return { statements: token === undefined ? wholeChain[kind] : ofToken, parameters };
}
