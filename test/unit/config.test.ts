import test from 'ava';
import { ConfigError, readConfig } from '#runtime/config.ts';
import { configTable } from '#runtime/config-table.ts';

test('configuration reports contradictory options, but accepts empty values', (t) => {
  const faults = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      t.true(error instanceof ConfigError);
      return (error as ConfigError).faults;
    }
  };
  t.regex(faults({ PORT: '3001' })[0]!, /EDGE_PORT and PORT/);
  t.regex(faults({ RPC_WS_URL: 'ws://localhost:1' })[0]!, /without RPC_URL/);
  t.regex(faults({ RPC_URL: 'http://a/,http://a/' })[0]!, /twice/);
  t.regex(faults({ RPC_URL: 'http://user:50%off@node/' })[0]!, /RPC_URL.* must have %25 for each %/);
  t.deepEqual(faults({ RPC_URL: 'http://user:50%25off@node/' }), []);
  t.regex(faults({ CLICKHOUSE_URL: 'http://default:5%@host:8123' })[0]!, /CLICKHOUSE_URL/);
  for (const [name, value] of Object.entries({
    RPC_TIMEOUT_MS: '9999999999',
    POLL_INTERVAL_MS: '9999999999',
    LEASE_SECONDS: '41',
  }))
    t.regex(faults({ [name]: value })[0]!, new RegExp(name), 'a timer would fire at once, or /status would be wrong');
  t.deepEqual(faults({ START_BLOK: '5' }), ['START_BLOK is unknown: did you mean START_BLOCK?']);
  t.deepEqual(faults({ HOSTNAME: 'a', LANGUAGE: 'b' }), []);
  const config = readConfig({ RPC_URL: '', PORT: '' });
  t.is(config.PORT, 3000);
  t.is(config.rpcUrls[0], 'http://127.0.0.1:8545');
  t.true(configTable().every((row) => row.description.length > 0));
});
