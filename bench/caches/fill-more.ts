import { AbiCoder } from 'ethers';
import { eventTopics } from '#api/read/agents/testimony-contract.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { recordCheck, storeDocument } from '#pipeline/sources/source-store.ts';
import type { Database } from '#sql/client.ts';
import { toDocument, toManifest } from '#test/helpers/manifests.ts';
import { getAddress, tokenByNumber } from '../api/fill-chain.ts';

export const market = {
  pool: `0x${'d'.repeat(40)}`,
  wrapped: tokenByNumber(1),
  dollar: tokenByNumber(2),
};
export const agentContract = `0x${'e'.repeat(40)}`;
const [tokens, agents, testimoniesOfAgent, entities] = [51, 300, 10, 20_000];
const [tradedBlocks, tradesOfBlock] = [1_000, 2];

const bytes20 = (address: string) => `toFixedString(unhex('${address.slice(2)}'), 20)`;
const bytes32 = (hex: string) => `toFixedString(unhex('${hex.replace('0x', '').padStart(64, '0')}'), 32)`;
const numbered32 = (sql: string) => `toFixedString(unhex(leftPad(lower(hex(toUInt64(${sql}))), 64, '0')), 32)`;
const timeSql = (block: string) => `(SELECT any(timestamp) FROM blocks WHERE block_number = ${block} AND final = 1)`;

/**
 * Adds token names, agents, trades, balances and registry files to the chain. Must run before its chart figures and
 * token balances are computed.
 */
export async function fillMore(database: Database, finalized: number): Promise<void> {
  await fillTokens(database);
  await fillAgents(database);
  await fillTrades(database, finalized);
  await database.command(`INSERT INTO account_balances (address, balance, block_number)
    SELECT unhex(leftPad(lower(hex(number + 2)), 40, '0')), toUInt256(cityHash64(number)), ${finalized} FROM numbers(200000)`);
  await database.command(
    `INSERT INTO job_marks (job, through, version, written_at) SELECT 'account_balances', ${finalized}, 1, now64(3)`,
  );
  await fillSources(database);
}

async function fillTokens(database: Database): Promise<void> {
  await database.command(`INSERT INTO tokens (address, standard, name, symbol, decimals, total_supply, first_block, checked_block, version)
    SELECT unhex(leftPad(lower(hex(2684354560 + number)), 40, '0')), 'erc20', concat('Token ', toString(number)), concat('T', toString(number)), 6, 1, 0, 0, 1
    FROM numbers(${tokens})`);
}

async function fillAgents(database: Database): Promise<void> {
  const data = AbiCoder.defaultAbiCoder()
    .encode(['string', 'string'], ['An agent', 'https://example.com/agent'])
    .slice(2);
  const logs = (topic: string, from: number, count: number) => `INSERT INTO logs
    SELECT 1, ${from} + number, 1000, 0, ${bytes32('1')}, ${timeSql('10')}, ${bytes20(agentContract)}, 3, ${bytes32(topic)},
      ${numbered32(`7000 + number % ${agents}`)}, ${numbered32('number')}, ${bytes32('0')}, unhex('${data}') FROM numbers(${count})`;
  await database.command(logs(eventTopics.registered, 1_000, agents));
  await database.command(logs(eventTopics.testified, 2_000, agents * testimoniesOfAgent));
}

async function fillTrades(database: Database, finalized: number): Promise<void> {
  const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  for (const token of [market.wrapped, market.dollar])
    await database.command(`INSERT INTO logs
      SELECT 1, 100, ${token === market.dollar ? 1001 : 1002}, 0, ${bytes32('2')}, ${timeSql('100')}, ${bytes20(token)}, 3, unhex('${transfer}'),
        ${bytes32('5')}, ${bytes32(market.pool)}, ${bytes32('0')}, ${bytes32((10n ** 24n).toString(16))}`);
  await database.command(`INSERT INTO swaps
    SELECT 1, block_number, 2000 + trade, 0, ${bytes32('3')}, timestamp, ${bytes20(market.pool)}, 'v2', ${bytes20(getAddress(0))}, ${bytes20(getAddress(0))},
      toInt256(1000000000000000000), -toInt256(2000000 + block_number % 1000)
    FROM blocks ARRAY JOIN range(${tradesOfBlock}) AS trade WHERE final = 1 AND block_number > ${finalized - tradedBlocks}`);
}

async function fillSources(database: Database): Promise<void> {
  const manifest = toManifest(
    Array.from({ length: entities }, (_, i) => ({
      kind: 'wallet',
      label: `Deposit ${i}`,
      address: getAddress(i / entities),
      category: 'exchange',
    })),
  );
  await importManifest({ database }, toDocument(manifest), { chainId: 271_828 });
  const entries = Array.from({ length: 500 }, (_, i) => ({ id: `one ${i}`, name: `Project ${i}`, category: 'data' }));
  const generatedAt = '2026-11-20T10:00:00Z';
  const directory = toDocument({ generatedAt, version: '1', entries });
  const facts = { version: '1', generatedAt, entries: entries.length };
  await storeDocument({ database }, 'ecosystem_directory', directory, facts);
  await recordCheck({ database }, 'ecosystem_directory', directory.source);
}
