/** The view that decodes token transfers from logs. */
import test from 'ava';
import { zeroPadValue } from 'ethers';
import { getStatement, loadStatements } from '#sql/statements.ts';
import { startTestEngine } from '#test/helpers/service.ts';

test('token ids and amounts whose bytes end in zeros are decoded whole', async (t) => {
  const engine = await startTestEngine();
  t.teardown(() => engine.stop());
  const database = await engine.open('views');
  const row = (index: number, topic3: string) =>
    `INSERT INTO logs SELECT 1, 5000000, ${index}, 0, unhex(repeat('aa', 32)), now(), unhex(repeat('bb', 20)), 4,
     unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'), unhex(repeat('00', 32)), unhex('${zeroPadValue('0x01', 32).slice(2)}'), unhex('${topic3}'), ''`;
  await database.command(row(1, `${'0'.repeat(60)}0100`));
  await database.command(row(2, 'ff'.padEnd(64, '0')));
  const stored = await database.read<{ token_id: string }>({
    ...getStatement(loadStatements(), 'parked_blocks'),
    sql: 'SELECT toString(token_id) AS token_id FROM token_transfers WHERE block_number = 5000000 ORDER BY log_index',
    parameters: [],
  });
  t.deepEqual(
    stored.map((each) => each.token_id),
    ['256', (0xffn << 248n).toString()],
  );
});
