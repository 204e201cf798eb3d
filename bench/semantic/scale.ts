/**
 * Measures the search on a large database. Only the first kinds of events get computed vectors. The others get copies
 * with random changes, which saves an hour.
 */

import { zeroAddress } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { encodeKnot } from '#semantic/knot-rows.ts';
import { categoryPhrases } from '#semantic/lexicon/categories.ts';
import { kindPhrases } from '#semantic/lexicon/kinds.ts';
import { methodPhrases } from '#semantic/lexicon/methods.ts';
import { type SearchDeps, searchKnots } from '#semantic/search-knots.ts';
import { type Shape, shapeId } from '#semantic/shape.ts';
import { describeShape, encodeShape, encodeShapeVector } from '#semantic/shape-rows.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { summary } from '../measure/statistics.ts';

export interface ScaleOptions {
  readonly knots: number;
  readonly searches: number;
}

const shapeCount = 50_000;
const knownVectors = 500;
const rowsPerInsert = 100_000;
const now = new Date('2026-06-15T12:00:00Z');
const inTurn = <T>(items: readonly T[], i: number): T => known(items[i % items.length], 'an item');
const walletAt = (i: number) => `0x${(i + 1).toString(16).padStart(40, '0')}`;

const queries = [
  'lawyer fees',
  'what I spent on food last week',
  'incoming payments over 1000 USDC',
  'staking rewards this year',
  'failed swaps',
  'rent paid to the landlord',
  'gambled on meme tokens',
  'largest withdrawals from the exchange',
  'who may spend on my behalf',
  'helping the needy',
  'received in march',
  'ideas laid before the members',
  'USDC',
  'cashed out to my brokerage',
  'server bills',
];

export async function measureScale(deps: SearchDeps, { knots, searches }: ScaleOptions): Promise<void> {
  const startedAt = performance.now();
  const shapes = makeShapes();
  const ids = shapes.map(shapeId);
  await insertShapes(deps, shapes, ids);
  await insertKnots(deps, shapes, ids, knots);
  console.log(`${knots} knots, ${shapes.length} shapes in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const scopes: Readonly<Record<string, string | undefined>> = {
    [`wallet of ${Math.floor(knots / 5)} knots`]: walletAt(0),
    [`wallet of ${Math.floor(knots / 50)} knots`]: walletAt(1),
    'wallet of a few hundred knots': walletAt(500),
    [`all wallets, ${knots} knots`]: undefined,
  };
  for (const [name, wallet] of Object.entries(scopes)) {
    const ask = (i: number) => searchKnots(deps, { wallet, query: inTurn(queries, i), limit: 20, now });
    const first = performance.now();
    for (let i = 0; i < queries.length; i++) await ask(i);
    const warmMs = Math.round(performance.now() - first);
    const times: number[] = [];
    const byQuery = new Map<string, number>();
    for (let i = 0; i < searches; i++) {
      const began = performance.now();
      await ask(i);
      const ms = performance.now() - began;
      times.push(ms);
      byQuery.set(inTurn(queries, i), Math.round(ms));
    }
    console.log(name, summary(times), `first ${queries.length} together ${warmMs} ms`);
    console.log('   ', [...byQuery].map(([query, ms]) => `${query}: ${ms}`).join(', '));
  }
}

function makeShapes(): Shape[] {
  const [kinds, categories, methods] = [
    Object.keys(kindPhrases),
    Object.keys(categoryPhrases),
    Object.keys(methodPhrases),
  ];
  const directions = ['in', 'out', 'self'] as const;
  const tokens = [
    ['FAT', 'FAT', 'native coin'],
    ['USDC', 'USD Coin', 'stablecoin'],
    ['LOOM', 'Loom Governance', 'governance token'],
    ['KNIT', 'Knitwear', 'meme token'],
  ] as const;
  return Array.from({ length: shapeCount }, (_, i) => {
    const [tokenSymbol, tokenName, tokenClass] = inTurn(tokens, i);
    return {
      kind: inTurn(kinds, i),
      direction: inTurn(directions, i),
      failReason: '',
      status: i % 10 === 0 ? ('failed' as const) : ('ok' as const),
      tokenSymbol,
      tokenName,
      tokenClass,
      secondTokenSymbol: '',
      secondTokenName: '',
      secondTokenClass: '',
      label: `Company ${i}`,
      category: inTurn(categories, i),
      method: inTurn(methods, i * 7),
    };
  });
}

async function insertShapes({ database, embedders }: SearchDeps, shapes: readonly Shape[], ids: readonly string[]) {
  const rows = new RowWriter(1 << 24);
  shapes.forEach((shape, i) => {
    encodeShape(rows, shape, ids[i]);
  });
  await database.insertRowBinary('shapes', rows.chunks);
  for (const embedder of [embedders.local, ...(embedders.dense ? [embedders.dense] : [])]) {
    const vectorsOfFirst = await embedder.embed(shapes.slice(0, knownVectors).map(describeShape), 'document');
    const vectors = new RowWriter(1 << 24);
    ids.forEach((id, i) => {
      const noise = Math.floor(i / knownVectors) / (shapeCount / knownVectors) / 40;
      encodeShapeVector(
        vectors,
        embedder.id,
        id,
        inTurn(vectorsOfFirst, i).map((value, j) => value + noise * Math.sin(i * 31 + j)),
      );
    });
    await database.insertRowBinary('shape_vectors', vectors.chunks);
  }
}

async function insertKnots({ database }: SearchDeps, shapes: readonly Shape[], ids: readonly string[], count: number) {
  const secondsEach = 15_000_000 / count;
  for (let start = 0; start < count; start += rowsPerInsert) {
    const rows = new RowWriter(1 << 24);
    for (let i = start; i < Math.min(start + rowsPerInsert, count); i++) {
      const at = Math.floor(((Math.imul(i, 2_654_435_761) >>> 0) / 2 ** 32) * shapeCount);
      const shape = known(shapes[at], 'a shape');
      const usd = (i * 7_919) % 100_000;
      const knot = {
        wallet: i % 5 === 0 ? walletAt(0) : i % 50 === 1 ? walletAt(1) : walletAt(2 + (i % 1_000)),
        timestamp: Math.floor(now.getTime() / 1000 - 15_000_000 + i * secondsEach),
        blockNumber: i + 1,
        txIndex: 0,
        logIndex: -1,
        part: 0,
        txHash: `0x${i.toString(16).padStart(64, '0')}`,
        token: zeroAddress,
        amount: BigInt(usd) * 10n ** 18n,
        decimals: 18,
        secondToken: zeroAddress,
        secondAmount: 0n,
        secondDecimals: 0,
        tokenId: null,
        counterparty: zeroAddress,
        methodId: '0x00000000',
        feeWei: 0n,
        usd,
      };
      encodeKnot(rows, knot, shape, known(ids[at], 'the id of a shape'), 1);
    }
    await database.insertRowBinary('knots', rows.chunks);
  }
}
