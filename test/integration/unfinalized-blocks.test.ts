/** The in-memory history equals the tables in every state that a reader may have. */

import test from 'ava';
import { AccountFiguresReader } from '#api/read/accounts/account-figures.ts';
import { FewHoldings } from '#api/read/accounts/few-holdings.ts';
import { readBalances, readNfts } from '#api/read/accounts/holdings.ts';
import { maxBlock } from '#api/read/chain/paging.ts';
import { TokenLedger } from '#api/read/tokens/token-ledger.ts';
import { TokenStandards } from '#api/read/tokens/token-standards.ts';
import { LogReads } from '#api/tail/log-reads.ts';
import { RecentHistory } from '#api/tail/recent-history.ts';
import { hexDigits } from '#chain/codec/hex.ts';
import { Random } from '#devchain/random.ts';
import { groupBy } from '#runtime/lists.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { withConditions } from '#sql/compile/conditions.ts';
import { inFinalizedForm } from '#sql/compile/finalized-form.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, finalizedPart, readChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { StoreError } from '#sql/store-error.ts';
import { modelHolders } from '#test/helpers/chain-model.ts';
import { compareEmitted, emittedReaders, getTokens } from '#test/helpers/emitted-readers.ts';
import { comparePages, getAddresses, historyReaders, TablesAlone } from '#test/helpers/history-readers.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { grow, refreshModel, states } from '#test/helpers/moving-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { compareTransactions, transactionReaders } from '#test/helpers/transaction-readers.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blobs: true, blocks: 90, blockSeconds: 1_500 }, { traces: 'on' });
});

test.after.always(() => indexed?.stop());

test.serial('rows in memory stay right while blocks become final, and after a reorg', async (t) => {
  const { database } = indexed.pipeline.deps;
  const random = new Random(8);
  const readers = historyReaders(database);
  const emitted = emittedReaders(database);
  const transactions = transactionReaders(database);
  const kept = new AccountFiguresReader(database, new RecentHistory(database));
  const tables = new AccountFiguresReader(database, new TablesAlone(database));
  let count = 0;
  for (let step = 0; step < 8; step++) {
    if (step === 6) await indexed.chain.reorg(random.between(1, 6));
    const state = await grow(indexed, random.between(8, 14));
    count += await comparePages(t, readers, state, random, getAddresses(indexed));
    await compareEmitted(t, emitted, state, random, getTokens(indexed));
    await compareTransactions(t, transactions, state);
    const address = random.pick(indexed.chain.world.accounts);
    t.deepEqual(await kept.read(state, address), await tables.read(state, address), address);
  }
  t.true(count > 30, `${count} rows of unfinalized blocks`);
  await refreshModel(indexed);
});

test.serial('rows in memory are not used by older states, or if some were deleted while they were read', async (t) => {
  const { database } = indexed.pipeline.deps;
  const recent = new RecentHistory(database);
  const state = (await readChainState(database))!;
  const address = indexed.chain.world.payout;
  t.is((await recent.readNewest(state, address))?.floor, state.finalized);
  t.is(await recent.readNewest({ ...state, finalized: state.finalized - 1 }, address), undefined);
  await grow(indexed, 70); // more blocks than the unfinalized range holds
  const dropped = async () => (await readChainState(database))!.droppedThrough > state.finalized;
  await waitFor(dropped, 30_000, 'rows are deleted');
  t.is(await new RecentHistory(database).readNewest(state, address), undefined);
  await refreshModel(indexed);
});

test.serial('rows in memory stay right after reads that failed or lost rows', async (t) => {
  const { database } = indexed.pipeline.deps;
  let mode: 'right' | 'fails' | 'loses rows' = 'right';
  const flaky = Object.create(database, {
    readBinary: {
      value: async (name: StatementName, parameters?: Parameters) => {
        const rows = await database.readBinary<object>(resolveStatement(name), parameters);
        if ((name !== 'chain_state' && name !== 'chain_version') || mode === 'right') return rows;
        if (mode === 'fails') throw new StoreError('the database is away', true);
        // a loss of rows changes the version of the state
        return rows.map((row) => ({ ...row, version: String(1e9), dropped_through: String(1e9) }));
      },
    },
  });
  const kept = new RecentHistory(flaky);
  const readBlocks = async (recent: RecentHistory, state: ChainState) =>
    (await recent.readNewest(state, indexed.chain.world.wfat))?.rows.map(({ block_number }) => Number(block_number));
  const first = await grow(indexed, 2);
  t.true((await readBlocks(kept, first))!.length > 20);
  mode = 'fails';
  t.is(await readBlocks(kept, await grow(indexed, 2)), undefined);
  mode = 'loses rows';
  t.is(await readBlocks(kept, await grow(indexed, 2)), undefined);
  t.true((await readBlocks(kept, first))!.length > 20, 'older states need no lost row');
  mode = 'right';
  const last = await grow(indexed, 2);
  const above = (blocks: readonly number[] = []) => blocks.filter((block) => block > last.finalized);
  t.deepEqual(above(await readBlocks(kept, last)), above(await readBlocks(new RecentHistory(database), last)));
  await refreshModel(indexed);
});

test.serial('rows that have no room are only read again when all blocks of the first attempt are final', async (t) => {
  const { database } = indexed.pipeline.deps;
  let reads = 0;
  const counting = Object.create(database, {
    readBinary: {
      value: (name: StatementName, parameters?: Parameters) => {
        if (name === 'unfinalized_history') reads++;
        return database.readBinary<object>(resolveStatement(name), parameters);
      },
    },
  });
  const full = new RecentHistory(counting, 100);
  const first = await grow(indexed, 2);
  for (let state = first; state.head < first.head + 10; state = await grow(indexed, 2))
    t.is(await full.readNewest(state, indexed.chain.world.wfat), undefined);
  t.is(reads, 1);
  await grow(indexed, 40);
  await waitFor(async () => (await readChainState(database))!.finalized >= first.head, 30_000, 'blocks are final');
  await full.readNewest((await readChainState(database))!, indexed.chain.world.wfat);
  t.is(reads, 2);
  await refreshModel(indexed);
});

test('pages of both orders, with every condition, equal the tables', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const readers = historyReaders(database);
  const random = new Random(11);
  let count = 0;
  for (const state of states(last)) count += await comparePages(t, readers, state, random, getAddresses(indexed));
  t.true(count > 50, `${count} rows of unfinalized blocks`);
});

test('transfers and logs of a token, read from few blocks, equal the tables', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const random = new Random(6);
  const readers = emittedReaders(database);
  let count = 0;
  // twice, because few random lists may have unfinalized rows: the number of unfinalized blocks varies
  for (const state of [...states(last), ...states(last)])
    count += await compareEmitted(t, readers, state, random, getTokens(indexed));
  t.true(count > 50, `${count} transfers of unfinalized blocks`);
});

test('statements about finalized blocks return the same rows in their short form', async (t) => {
  const { database } = indexed.pipeline.deps;
  const state = finalizedPart((await readChainState(database))!);
  const whole = snapshotParameters(state);
  const transactions = indexed.blocks
    .slice(1)
    .flatMap(({ txs }) => txs)
    .slice(0, 50);
  const places = {
    blocks: transactions.map((tx) => tx.block),
    indexes: transactions.map((tx) => tx.index),
  };
  const prefixes = transactions.map((tx) => hexDigits(tx.hash).slice(0, 16));
  const asked: [StatementName, Parameters][] = [
    ['transactions_in_full', places],
    ['logs_of_transactions', { ...places, limit: 100 }],
    ['places_of_hashes', { prefix: prefixes[0]!, prefixes }],
    ['blocks_desc', { from_block: 0, to_block: maxBlock, miner: '', min_transactions: 0, limit: 200 }],
  ];
  for (const [name, parameters] of asked) {
    const statement = withConditions(resolveStatement(name), ['many']);
    const inShort = inFinalizedForm(statement, { ...parameters, ...whole });
    t.false(inShort.parameters.includes('head'), name);
    const rows = await database.readBinary(statement, { ...parameters, ...whole });
    // `head` as text never equals the numeric finalized block, so the statement keeps its long form
    t.deepEqual(
      rows,
      await database.readBinary(statement, { ...parameters, ...whole, head: String(state.head) }),
      name,
    );
    t.true(rows.length > 20, name);
  }
  const gap = { ...whole, follow_from: state.backfilledBefore + 1 };
  t.true(inFinalizedForm(resolveStatement('history_desc'), gap).parameters.includes('head'));
});

test('figures of an account equal the tables at every state', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const kept = new AccountFiguresReader(database, new RecentHistory(database));
  const tables = new AccountFiguresReader(database, new TablesAlone(database));
  const recent = indexed.blocks.slice(last.finalized + 1).flatMap(({ txs }) => txs);
  const addresses = [...new Set(recent.flatMap(({ from, to, created }) => [from, to ?? created!]))].slice(0, 4);
  for (const state of states(last))
    for (const address of [...addresses, `0x${'9'.repeat(40)}`])
      t.deepEqual(await kept.read(state, address), await tables.read(state, address), address);
});

test('small holdings added up in memory equal the engine’s result', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const tokenStandards = new TokenStandards(database);
  const few = { database, tokenStandards, fewHoldings: new FewHoldings(database) };
  const much = { ...few, fewHoldings: new FewHoldings(database, 0) };
  const holders = await database.read<{ address: string }>({
    ...resolveStatement('figures_missing'),
    sql: "SELECT DISTINCT concat('0x', lower(hex(address))) AS address FROM token_transfers_by_address",
    parameters: [],
  });
  let [tokens, nfts] = [0, 0];
  for (const name of ['close_token_balances', 'close_token_counters'] as const)
    await database.execute(name, { from_block: 0, to_block: last.finalized, era_blocks: rollupWindowBlocks });
  const closed = { ...finalizedPart(last), version: last.version + 1, rollupThrough: rollupWindowBlocks };
  for (const state of [last, finalizedPart(last), closed])
    for (const { address } of holders.slice(0, 12)) {
      for (const withZero of [false, true]) {
        const query = { withZero, after: '', limit: 100 };
        const balances = await readBalances(few, state, address, query);
        t.deepEqual(balances, await readBalances(much, state, address, query), address);
        tokens += balances.length;
      }
      const standard = 'erc721' as const;
      const query = { standard, after: { token: '', id: '0' }, limit: 100 };
      const owned = await readNfts(few, state, address, query);
      t.deepEqual(owned, await readNfts(much, state, address, query), address);
      nfts += owned.length;
      const { token_hex: token, id } = owned[0] ?? { token_hex: '0x', id: '0' };
      const behind = { standard, after: { token: hexDigits(token), id }, limit: 2 };
      t.deepEqual(await readNfts(few, state, address, behind), await readNfts(much, state, address, behind), address);
    }
  t.true(tokens > 20 && nfts > 2, `${tokens} balances, ${nfts} NFTs`);
});

test('transaction is searched in unfinalized blocks only if one of them has it', async (t) => {
  const { database } = indexed.pipeline.deps;
  const state = (await readChainState(database))!;
  const reader = new RecentHistory(database);
  for (const { number, txs } of indexed.blocks.slice(state.finalized - 5))
    for (const { hash } of txs) {
      const found = await reader.findHash(state, hash.toUpperCase().replace('0X', '0x'));
      t.is(found.state.head, number > state.finalized ? state.head : state.finalized);
      t.is(found.place === undefined, number <= state.finalized);
    }
});

test('token figures updated from state to state equal those of all transfers', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const ledger = new TokenLedger(database, new RecentHistory(database));
  const tokens = [...groupBy(indexed.transfers, ({ token }) => token).keys()];
  let version = 0;
  for (const state of states(last)) {
    version++;
    for (const token of tokens) {
      const figures = await ledger.of({ ...state, version }, token);
      const own = indexed.transfers.filter((each) => each.token === token && each.block <= state.head);
      const balances = modelHolders(own, token);
      if (own.length === 0) {
        t.is(figures, undefined);
        continue;
      }
      t.like(figures, {
        transfers: own.length,
        firstBlock: own[0]!.block,
        lastBlock: own.at(-1)!.block,
      });
      const { moved, ...sums } = figures!.held.get(figures!.standardCode)!;
      const heldTotal = [...balances.values()].reduce((sum, value) => sum + value, 0n);
      t.deepEqual(sums, { holders: balances.size, heldTotal });
      const held = [...moved].filter(([, balance]) => balance > 0n);
      t.deepEqual(held.sort(), [...balances].sort(), `${token} at ${state.head}`);
    }
  }
});

test('values from logs are read again only after a new log of their contracts', async (t) => {
  const { database } = indexed.pipeline.deps;
  const last = (await readChainState(database))!;
  const reader = new RecentHistory(database);
  const reads = new LogReads(reader);
  const emitters = [...new Set(indexed.blocks.flatMap(({ logs }) => logs.map(({ address }) => address)))];
  const logsUpTo = (head: number, contracts: readonly string[]) =>
    indexed.blocks.slice(0, head + 1).flatMap(({ logs }) => logs.filter(({ address }) => contracts.includes(address)));
  let [asked, read] = [0, 0];
  for (const state of states(last))
    for (const contracts of [[], emitters.slice(0, 2), ...emitters.map((emitter) => [emitter])]) {
      const value = await reads.of('count', contracts, state, async ({ head }) => {
        read++;
        return logsUpTo(head, contracts).length;
      });
      asked++;
      t.is(value, logsUpTo(state.head, contracts).length, `${contracts.join()} at ${state.head}`);
      const needed = await reader.getStateForEmitters(state, contracts);
      t.true(needed.head >= state.finalized && needed.head <= state.head);
    }
  t.true(read < asked, `${read} of ${asked} were read`);
  t.true(read > emitters.length, `${read} were read`);
});
