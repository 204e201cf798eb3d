/** What can be exported, and which statements give it. */

import { hexDigits } from '#chain/codec/hex.ts';
import type { Parameters } from '#sql/parameters.ts';
import { ApiProblem } from '../../terms/errors.ts';

export const exportKinds = ['transactions', 'transfers', 'logs', 'anchors'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** ClickHouse's format, media type and file ending of each format. */
export const exportFormats = {
  ndjson: { format: 'JSONEachRow', type: 'application/x-ndjson', ending: 'ndjson' },
  csv: { format: 'CSVWithNames', type: 'text/csv; charset=utf-8', ending: 'csv' },
  parquet: { format: 'Parquet', type: 'application/vnd.apache.parquet', ending: 'parquet' },
  arrow: { format: 'ArrowStream', type: 'application/vnd.apache.arrow.stream', ending: 'arrow' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

export interface Selection {
  readonly address?: string | undefined;
  readonly token?: string | undefined;
}

/** Name of the statements, behind `export_` and `certify_`, and what they bind. @throws ApiProblem bad_query */
export function selectionOf(kind: ExportKind, { address, token }: Selection): { name: string; parameters: Parameters } {
  if (token !== undefined && kind !== 'transfers')
    throw new ApiProblem('bad_query', `token selects transfers alone: ${kind} accept address, or nothing`);
  if (address !== undefined && kind === 'anchors')
    throw new ApiProblem('bad_query', 'anchors are of the whole chain: address is not accepted');
  const parameters = {
    address: address === undefined ? '' : hexDigits(address),
    token: token === undefined ? '' : hexDigits(token),
  };
  if (address !== undefined) return { name: `${kind}_of_address`, parameters };
  return { name: token === undefined ? kind : `${kind}_of_token`, parameters };
}
