import PQueue from 'p-queue';
import { maxUint256 } from '#chain/codec/hex.ts';
import {
  decodeStandard,
  decodeText,
  decodeUint,
  type TokenQuestion,
  type TokenStandard,
  tokenQuestions,
} from '#chain/codec/token-abi.ts';
import { askToken } from '#chain/rpc/ask-token.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps, NodeDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

const tokensAtOnce = 200;
const width = 8;
/** Age after which token data is read again, ms: supplies change often. */
const staleMs = 600_000;

type TokenRecord = RowOf<'tokens_to_check'>;

interface Metadata {
  readonly standard: TokenStandard;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: bigint | null;
  readonly totalSupply: bigint | null;
}

/**
 * Reads names, decimals and supplies of new and outdated tokens from their contracts.
 * @throws the first error if no token could be read: wallet events need all tokens
 */
export async function refreshTokenMetadata(deps: JobDeps, { state }: ChainStateStore): Promise<number> {
  const tokens = await deps.database.read('tokens_to_check', {
    ...snapshotParameters(state),
    era_through: state.rollupThrough,
    limit: tokensAtOnce,
    stale_before: Date.now() - staleMs,
  });
  if (tokens.length === 0) return 0;
  const rows = new RowWriter(1 << 14);
  const queue = new PQueue({ concurrency: width });
  const failures: unknown[] = [];
  await queue.addAll(
    tokens.map((token) => async () => {
      const metadata = await readMetadata(deps, token, state.head).catch((error: unknown) => {
        failures.push(error);
        deps.log.warn({ event: 'token_not_asked', token: token.address, error: String(error) });
      });
      if (metadata) encodeToken(rows, token, metadata, state.head);
    }),
  );
  if (rows.rows > 0) await deps.database.insertRowBinary('tokens', rows.view());
  if (failures.length === tokens.length) throw failures[0];
  return tokens.length;
}

async function readMetadata({ client, signal }: NodeDeps, token: TokenRecord, block: number): Promise<Metadata> {
  const names = Object.keys(tokenQuestions) as TokenQuestion[];
  const replies = await askToken(client, { token: token.address, block }, names, signal);
  return {
    standard: decodeStandard(replies) ?? token.standard,
    name: decodeText(replies.name),
    symbol: decodeText(replies.symbol),
    decimals: decodeUint(replies.decimals, 255n),
    totalSupply: decodeUint(replies.totalSupply, maxUint256),
  };
}

function encodeToken(w: RowWriter, token: TokenRecord, metadata: Metadata, block: number): void {
  const text = (value: string | null) => {
    w.isNull(value === null);
    if (value !== null) w.text(value);
  };
  w.fixed(token.address, 20);
  w.uint8({ erc20: 1, erc721: 2, erc1155: 3 }[metadata.standard]);
  text(metadata.name);
  text(metadata.symbol);
  w.isNull(metadata.decimals === null);
  if (metadata.decimals !== null) w.uint8(Number(metadata.decimals));
  w.isNull(metadata.totalSupply === null);
  if (metadata.totalSupply !== null) w.uint256(metadata.totalSupply);
  w.uint64(Number(token.first_block));
  w.uint64(block);
  w.uint64(Date.now());
  w.endRow();
}
