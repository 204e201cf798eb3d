/** Fetches metadata and pictures of NFTs that clients requested, from URLs of (untrusted) contracts. */
import PQueue from 'p-queue';
import { hexDigits } from '#chain/codec/hex.ts';
import { decodeString, uriQuestion } from '#chain/codec/token-abi.ts';
import { TransportError } from '#chain/errors.ts';
import { callContract } from '#chain/rpc/ask-contract.ts';
import { type OutboundNetwork, systemNetwork } from '#runtime/outbound/outbound.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps, NodeDeps, StoreDeps } from '../deps.ts';
import { type NftMetadata, parseMetadata } from '../nft/parse-metadata.ts';
import { findPictureType } from '../nft/picture-type.ts';
import { insertId, readUri } from '../nft/resolve-uri.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import type { JobSettings } from './job-settings.ts';

const tokensAtOnce = 40;
const width = 8;
/** Higher than for other calls, because some contracts draw their pictures. */
const uriGas = 30_000_000;
const maxReplyDigits = 1_200_000;
const maxMetadataBytes = 512 * 1_024;
const maxPictureBytes = 1_024 * 1_024;
/** Maximum length of a stored URI. Longer ones contain data, and only their start is stored. */
const maxUriLength = 2_048;

interface NftDeps extends JobDeps {
  /** Network for URLs that contracts choose; default: the system's. */
  readonly outbound?: OutboundNetwork;
  readonly settings: Pick<JobSettings, 'nft'>;
}

type Wanted = RowOf<'nft_to_fetch'>;

interface Fetched {
  readonly state: 'found' | 'none' | 'failed';
  readonly uri: string;
  readonly metadata: NftMetadata;
  readonly picture: { readonly type: string; readonly base64: string };
  readonly error: string;
}

const noMetadata: NftMetadata = { name: '', description: '', traits: [], pictureUri: '' };
const noPicture = { type: '', base64: '' };
const full: Fetched = {
  ...{ state: 'failed', uri: '', metadata: noMetadata, picture: noPicture },
  error: 'not fetched: the service has no more room for metadata (NFT_METADATA_MAX_BYTES)',
};

/**
 * @returns number of tokens whose metadata was fetched
 * @throws TransportError if no node answered for any token
 */
export async function refreshNftMetadata(deps: NftDeps, { state }: ChainStateStore): Promise<number> {
  const { nft } = deps.settings;
  if (!nft) return 0;
  const wanted = await deps.database.read('nft_to_fetch', { max_bytes: nft.maxBytes, limit: tokensAtOnce });
  if (wanted.length === 0) return 0;
  const queue = new PQueue({ concurrency: width });
  const outcomes = await queue.addAll(wanted.map((token) => () => refreshToken(deps, token, state.head)));
  const failures = outcomes.filter((failure) => failure !== undefined);
  if (failures.length === wanted.length) throw failures[0];
  return wanted.length;
}

/** @returns the error if no node answered */
async function refreshToken(deps: NftDeps, token: Wanted, block: number): Promise<TransportError | undefined> {
  if (deps.signal.aborted) return undefined;
  try {
    const fetched = token.is_full ? full : await fetchToken(deps, token, block);
    if (fetched.state === 'failed' && token.state === 'found') await keepToken(deps, token, fetched.error);
    else if (hasLostPicture(fetched, token))
      await storeToken(deps, token, await withStoredPicture(deps, token, fetched));
    else await storeToken(deps, token, fetched);
    return undefined;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    // no node answered: retry in the next round
    deps.log.warn({ event: 'nft_not_asked', token: token.contract_hex, error: String(error) });
    return error;
  }
}

/** Returns whether the stored picture could not be fetched again. */
const hasLostPicture = ({ picture, metadata }: Fetched, { has_picture, picture_uri }: Wanted): boolean =>
  has_picture === 1 && picture === noPicture && shortUri(metadata.pictureUri) === picture_uri;

async function withStoredPicture({ database }: StoreDeps, token: Wanted, fetched: Fetched): Promise<Fetched> {
  const [row] = await database.read('nft_picture', { contract: hexDigits(token.contract_hex), id: BigInt(token.id) });
  return row ? { ...fetched, picture: { type: row.picture_type, base64: row.picture } } : fetched;
}

/** @throws TransportError if no node answers */
async function fetchToken(deps: NftDeps, token: Wanted, block: number): Promise<Fetched> {
  const { uri, error: fault } = await askUri(deps, token, block);
  const nothing = { uri, metadata: noMetadata, picture: noPicture, error: fault };
  if (fault !== '') return { ...nothing, state: 'failed' };
  if (uri === '') return { ...nothing, state: 'none' };
  try {
    const metadata = parseMetadata(await read(deps, insertId(uri, token.id), maxMetadataBytes));
    const { picture, error } = await fetchPicture(deps, insertId(metadata.pictureUri, token.id));
    return { ...nothing, state: 'found', metadata, picture, error };
  } catch (error) {
    return { ...nothing, state: 'failed', error: toMessage(error) };
  }
}

/** Returns the URI, or '' if the contract has none, and the error, or ''. */
async function askUri({ client, signal }: NodeDeps, token: Wanted, block: number) {
  const data = uriQuestion(token.standard, token.id);
  const question = { to: token.contract_hex, data, block, gas: uriGas };
  const { reply, isReverted } = await callContract(client, question, { retries: 2, signal });
  if (reply === null)
    return { uri: '', error: isReverted ? '' : `the call of the contract needs more than ${uriGas} gas, or failed` };
  if (reply.length > maxReplyDigits) return { uri: '', error: `the URI is longer than ${maxReplyDigits / 2} bytes` };
  return { uri: (reply !== '0x' && decodeString(reply)?.trim()) || '', error: '' };
}

async function fetchPicture(deps: NftDeps, uri: string): Promise<Pick<Fetched, 'picture' | 'error'>> {
  if (uri === '') return { picture: noPicture, error: '' };
  try {
    const content = await read(deps, uri, maxPictureBytes);
    const type = findPictureType(content);
    if (type === undefined) throw new Error('the content is not a PNG, JPEG, GIF, WebP, AVIF or SVG picture');
    return { picture: { type, base64: content.toString('base64') }, error: '' };
  } catch (error) {
    return { picture: noPicture, error: `picture: ${toMessage(error)}` };
  }
}

function read({ settings, outbound = systemNetwork }: NftDeps, uri: string, maxBytes: number): Promise<Buffer> {
  if (!settings.nft) throw new Error('NFT metadata is off');
  return readUri(uri, maxBytes, settings.nft, outbound);
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 200);

async function storeToken({ database }: StoreDeps, token: Wanted, fetched: Fetched): Promise<void> {
  const { state, uri, metadata, picture, error } = fetched;
  const { name, description, traits, pictureUri } = metadata;
  const now = Date.now();
  const w = new RowWriter(1 << 16);
  w.fixed(token.contract_hex, 20);
  w.uint256(BigInt(token.id));
  for (const text of [state, shortUri(uri), name, description, JSON.stringify(traits), shortUri(pictureUri)])
    w.text(text);
  for (const text of [picture.type, picture.base64, error]) w.text(text);
  w.uint8(error === '' ? 0 : Math.min(token.attempts + 1, 255));
  w.uint64(now);
  w.uint64(now);
  await database.insertRowBinary('nft_metadata', w.view());
}

async function keepToken({ database }: StoreDeps, token: Wanted, error: string): Promise<void> {
  const attempts = Math.min(token.attempts + 1, 255);
  await database.execute('keep_nft_metadata', {
    contract: hexDigits(token.contract_hex),
    id: token.id,
    error,
    attempts,
  });
}

const shortUri = (uri: string) => (uri.length <= maxUriLength ? uri : `${uri.slice(0, 100)}…`);
