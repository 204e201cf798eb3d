/** Draws the highest token balances after a block, and the largest changes between two blocks. */
import type { ChainState } from '#sql/snapshot.ts';
import { grouped } from '../../drawing/grouped.ts';
import type { OtherReply } from '../../http/reply.ts';
import type { BlockWindow } from '../../read/chain/block-window.ts';
import { quotient } from '../../read/charts/decimals.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { readBalanceChanges, readHoldersAt, type TokenOf } from '../../read/tokens/balances-at.ts';
import { readTokenNames } from '../../read/tokens/token-names.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { exactUpTo, type PictureFormat, pictureReply } from '../charts/picture-reply.ts';

type PictureDeps = StoreDeps & NetworkDeps;

const maxBars = 10;

/** @throws ApiProblem rate_limited if many pictures are waiting */
export async function drawHolders(
  deps: PictureDeps,
  state: ChainState,
  of: TokenOf,
  block: number,
  format: PictureFormat,
): Promise<OtherReply> {
  const [{ name, unit, show }, { rows, holders, held }] = await Promise.all([
    readUnit(deps, of),
    readHoldersAt(deps, state, of, block, { limit: maxBars }),
  ]);
  const drawn = holders > maxBars ? rows.slice(0, maxBars - 1) : rows;
  const rest = drawn.reduce((sum, { balance }) => sum - BigInt(balance), BigInt(held));
  const bars = drawn.map(({ address, balance }) => bar(address, show(BigInt(balance))));
  return pictureReply(format, {
    ...common(deps, unit),
    title: `Holders of ${name} after block ${grouped(block)}`,
    series: holders > maxBars ? [...bars, bar('All others', show(rest))] : bars,
    note: `${exactUpTo(block, false)}; ${grouped(holders)} ${holders === 1 ? 'holder' : 'holders'}`,
  });
}

/** Draws equal numbers of gains and losses, or more of one kind if the other has few. @throws as `drawHolders` */
export async function drawChanges(
  deps: PictureDeps,
  state: ChainState,
  of: TokenOf,
  range: BlockWindow,
  format: PictureFormat,
): Promise<OtherReply> {
  const [{ name, unit, show }, { gained, lost, counts }] = await Promise.all([
    readUnit(deps, of),
    readBalanceChanges(deps, state, of, range, maxBars),
  ]);
  const losses = lost.slice(0, Math.max(maxBars / 2, maxBars - gained.length));
  const gains = gained.slice(0, maxBars - losses.length);
  const bars = [...gains, ...losses.toReversed()].map(({ address, before, after }) =>
    bar(address, show(BigInt(after) - BigInt(before))),
  );
  return pictureReply(format, {
    ...common(deps, unit),
    title: `Balances of ${name}, blocks ${grouped(range.fromBlock)} to ${grouped(range.toBlock)}`,
    series: bars,
    note: `${exactUpTo(range.toBlock, false)}; ${grouped(counts.gained)} gained, ${grouped(counts.lost)} lost`,
  });
}

const bar = (name: string, total: string) => ({ name, total, points: [] });

const common = ({ settings }: NetworkDeps, unit: string) => ({
  unit,
  resolution: 'all',
  isFlow: true,
  chainName: settings.network.chainName,
});

/** Whole tokens if the decimals are known. */
async function readUnit(deps: StoreDeps, { token, standard }: TokenOf) {
  const { symbol, decimals } = (await readTokenNames(deps, [token])).get(token) ?? {};
  const name = symbol || token;
  if (standard !== 'erc20') return { name, unit: 'tokens', show: String };
  if (decimals == null) return { name, unit: 'smallest unit of the token', show: String };
  return { name, unit: name, show: (amount: bigint) => quotient(amount, 10n ** BigInt(decimals), decimals) };
}
