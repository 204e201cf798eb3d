/** The pipeline inserts the tables of a range separately, so after a kill, rows of some tables may exist twice. */
import test from 'ava';
import type { IndexedChain } from '#test/helpers/indexed-chain.ts';
import { indexed } from './chain.ts';

let { chain, pipeline, api, transfers }: Pick<IndexedChain, 'chain' | 'pipeline' | 'api' | 'transfers'> =
  {} as IndexedChain;

test.serial.before(() => {
  ({ chain, pipeline, api, transfers } = indexed);
});

const twice = ['address_roles', 'logs', 'logs_by_address', 'token_transfers', 'transactions', 'blocks'];

test.serial('rows that were inserted twice and are not merged yet appear once, on every page', async (t) => {
  const { database } = pipeline.deps;
  const address = chain.world.accounts[2]!;
  const { token } = transfers.find(({ block }) => block > 250 && block < 300)!;
  const paths = [
    `/api/v1/accounts/${address}/transactions?limit=7&to=300`,
    `/api/v1/accounts/${address}/transactions?limit=7&to=300&order=asc`,
    '/api/v1/transactions?limit=9&fromBlock=290&toBlock=300',
    `/api/v1/transactions?from=${address}&limit=5&fromBlock=250&toBlock=300`,
    `/api/v1/transactions?to=${address}&limit=2&fromBlock=250&toBlock=300&order=asc`,
    '/api/v1/strings?limit=9&from=280&to=300',
    `/api/v1/contracts/${token}/logs?limit=5&fromBlock=250&toBlock=300`,
    `/api/v1/tokens/${token}/transfers?limit=5&fromBlock=250&toBlock=300`,
    `/api/v1/tokentxns?address=${address}&limit=5&fromBlock=250&toBlock=300`,
    `/api?module=account&action=txlist&address=${address}&page=2&offset=11&endblock=300&sort=desc`,
    `/api?module=account&action=tokentx&address=${address}&page=2&offset=5&startblock=250&endblock=300&sort=asc`,
    `/api?module=logs&action=getLogs&address=${token}&fromBlock=250&toBlock=300&page=2&offset=5`,
  ];
  const shown = async () =>
    Promise.all(
      paths.map(async (path) => {
        const { body } = await api.get(path);
        const rows: { confirmations?: unknown }[] =
          body.transactions ?? body.items ?? body.transfers ?? body.logs ?? body.result;
        return { path, hasMore: body.hasMore, rows: rows.map((row) => ({ ...row, confirmations: 0 })) };
      }),
    );
  const before = await shown();
  for (const { path, rows } of before) t.true(rows.length > 1, path);
  for (const table of twice) {
    await database.command(`SYSTEM STOP MERGES ${table}`);
    await database.command(`INSERT INTO ${table} SELECT * FROM ${table} WHERE block_number BETWEEN 250 AND 300`);
    const after = await shown();
    for (const [i, page] of before.entries()) t.deepEqual(after[i], page, `${table} has rows twice: ${page.path}`);
  }
  for (const table of twice) await database.command(`SYSTEM START MERGES ${table}`);
});
