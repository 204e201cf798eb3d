/** Checks content and signatures of exports and proofs of reserves, without the service. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet } from 'jose';
import type { ExportKind } from '#api/read/export/kinds.ts';
import { checkReserves } from './check-reserves.ts';
import { digestOfFile } from './export/file-digest.ts';
import type { Manifest } from './export/manifest.ts';

export interface CheckExportOptions {
  /** File or URL of the service's JSON Web Key Set. Unset: don't check signatures. */
  readonly keys?: string;
  /** File with the certificate, if the export file does not contain it. */
  readonly certificate?: string;
  /** Expected filters of a single-file export. Its certificate states filters only inside the signed document. */
  readonly address?: string;
  readonly token?: string;
}

interface Claim {
  readonly kind: ExportKind;
  readonly address?: string | null;
  readonly token?: string | null;
  readonly after?: readonly number[] | null;
  readonly gaps?: readonly { readonly from: number; readonly to: number }[];
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly rows: number;
  readonly digest: string;
  readonly signature?: string;
}

/** Prints errors. Sets exit code 1 if a file differs from its certificate or a signature is invalid. */
export async function runCheckExport(path: string, options: CheckExportOptions): Promise<void> {
  const keys = options.keys === undefined ? undefined : await readKeys(options.keys);
  const faults = path.endsWith('.json') ? await reportReserves(path, keys) : await reportExport(path, options, keys);
  if (!keys)
    console.log('signatures were not checked: set --keys to the file or URL of the keys (/.well-known/jwks.json)');
  process.exitCode = faults > 0 ? 1 : 0;
}

async function reportReserves(path: string, keys: JSONWebKeySet | undefined): Promise<number> {
  if (!keys)
    throw new Error(
      'a proof of reserves needs --keys: the file or URL of the public keys of the service that signed the balances',
    );
  const { summary, faults } = await checkReserves(path, keys);
  console.log(`${path}: ${summary}: ${faults.length === 0 ? 'correct' : faults.join('; ')}`);
  return faults.length;
}

async function reportExport(
  path: string,
  options: CheckExportOptions,
  keys: JSONWebKeySet | undefined,
): Promise<number> {
  const claims = (await stat(path)).isDirectory()
    ? await claimsOfDirectory(path)
    : [{ file: path, claim: { ...(await claimOfFile(path, options.certificate)), ...readFilters(options) } }];
  let faults = 0;
  for (const { file, claim } of claims) {
    const limits = keys ? await compareSignature(claim, keys) : describeUnverified(claim);
    const found = [...(await compareRows(file, claim)), ...limits];
    faults += found.length;
    const { kind, fromBlock, toBlock, rows } = claim;
    const result = found.length === 0 ? 'correct' : found.join('; ');
    console.log(`${file}: ${kind} of blocks ${fromBlock} to ${toBlock}${filterText(claim)}, ${rows} rows: ${result}`);
  }
  return faults;
}

function readFilters({ address, token }: CheckExportOptions): Pick<Claim, 'address' | 'token'> {
  return { ...(address === undefined ? {} : { address }), ...(token === undefined ? {} : { token }) };
}

/** Describes the filters and gaps in the signed document without checking its signature. */
function describeUnverified(claim: Claim): string[] {
  if (claim.signature === undefined) return describeGaps(claim);
  try {
    return describeLimits(decodeJwt(claim.signature) as unknown as Claim, claim);
  } catch {
    return ['the signature cannot be read'];
  }
}

const filterText = ({ address, token }: Claim) =>
  [address, token].flatMap((one) => (one ? [` with ${one}`] : [])).join('');

async function readKeys(place: string): Promise<JSONWebKeySet> {
  const text = /^https?:/.test(place) ? await (await fetch(place)).text() : await readFile(place, 'utf8');
  return JSON.parse(text) as JSONWebKeySet;
}

async function claimsOfDirectory(directory: string): Promise<{ file: string; claim: Claim }[]> {
  const { selection, parts, toBlock } = JSON.parse(
    await readFile(join(directory, 'manifest.json'), 'utf8'),
  ) as Manifest;
  if (parts.length === 0 || parts.at(-1)?.toBlock !== toBlock)
    throw new Error(`${directory} lacks the files up to block ${toBlock}: run cordscan export again`);
  let next = selection.fromBlock;
  return parts.map(({ file, ...part }) => {
    if (part.fromBlock !== next) throw new Error(`${directory} has no file that begins at block ${next}`);
    next = part.toBlock + 1;
    return {
      file: join(directory, file),
      claim: { kind: selection.kind, address: selection.address, token: selection.token, ...part },
    };
  });
}

/** Reads the certificate of an export file: its last line, or a separate file. */
async function claimOfFile(path: string, certificate: string | undefined): Promise<Claim> {
  if (certificate !== undefined) return JSON.parse(await readFile(certificate, 'utf8')) as Claim;
  let last = '';
  if (path.endsWith('.ndjson')) for await (const line of createInterface(createReadStream(path))) last = line;
  const claim = last === '' ? undefined : (JSON.parse(last) as { certificate?: Claim }).certificate;
  if (!claim) throw new Error(`${path} does not end with a certificate: set --certificate to the certificate file`);
  return claim;
}

async function compareRows(path: string, { kind, rows, digest }: Claim): Promise<string[]> {
  const found = await digestOfFile(path, kind).catch((error: Error) => error);
  if (found instanceof Error) return [`it cannot be read (${found.message})`];
  if (!found) return ['this format cannot be checked: export as ndjson, csv or parquet'];
  if (found.rows === rows && found.toString() === digest) return [];
  return [`it has ${found.rows} rows with the digest ${found}, the certificate says ${rows} with ${digest}`];
}

async function compareSignature(claim: Claim, keys: JSONWebKeySet): Promise<string[]> {
  if (claim.signature === undefined) return ['the certificate has no signature'];
  try {
    const { payload } = await compactVerify(claim.signature, createLocalJWKSet(keys));
    const signed = JSON.parse(new TextDecoder().decode(payload)) as Claim & { readonly type: string };
    const fields = ['kind', 'fromBlock', 'toBlock', 'rows', 'digest'] as const;
    const other = fields.filter((field) => signed[field] !== claim[field]);
    return [
      ...other.map((field) => `the signed ${field} is ${signed[field]}, not ${claim[field]}`),
      ...(signed.type === 'export' ? [] : ['the signed document is not an export']),
      ...describeLimits(signed, claim),
    ];
  } catch {
    return ['the signature is not valid for these keys'];
  }
}

/** Describes the filters and gaps that only the certificate records, because the files do not show them. */
function describeLimits(signed: Claim, claim: Claim): string[] {
  const filters = (['address', 'token'] as const).filter(
    (name) => signed[name]?.toLowerCase() !== claim[name]?.toLowerCase(),
  );
  return [
    ...filters.map((name) => `the signed export is limited to ${name} ${signed[name] ?? 'none'}`),
    ...describeGaps(signed),
    ...(signed.after ? [`the signed export begins only after row ${signed.after.join(':')}`] : []),
  ];
}

const describeGaps = ({ gaps = [] }: Claim): string[] =>
  gaps.map(({ from, to }) => `blocks ${from} to ${to} were not indexed`);
