/** Verifies contracts with the real Hardhat plugin. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { AbiCoder } from 'ethers';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../clients/hardhat');
let indexed: IndexedChain;
let folder: string;

test.before(async () => {
  [indexed, folder] = await Promise.all([startIndexedChain({ blocks: 5, seed: 3 }), scratchFolder('cordscan-hardhat')]);
  await cp(project, folder, { recursive: true });
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
});

test.after.always(() => indexed?.stop());

test('Hardhat verifies a contract with libraries, immutables and a proxy', async (t) => {
  const { chain, api } = indexed;
  const env = {
    ...process.env,
    // Hardhat keeps files in the home folder
    ...{ HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder },
    ...{ HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', RPC_URL: chain.rpc.url, SERVICE_URL: api.origin },
    SOLJSON: createRequire(import.meta.url).resolve('solc/soljson.js'),
  };
  const { stdout } = await run('node', ['verify.cjs'], { cwd: folder, env });
  const found = JSON.parse(/^addresses (.+)$/m.exec(stdout)![1]!) as Record<string, string>;
  const at = (name: string) => found[name]!.toLowerCase();
  const readSource = async (name: string) =>
    (await api.get(`/api?module=contract&action=getsourcecode&address=${at(name)}`)).body.result[0];
  const terms = ['uint256', 'tuple(string, address)'];
  t.like(await readSource('Vault'), {
    ContractName: 'Vault',
    ConstructorArguments: AbiCoder.defaultAbiCoder()
      .encode(terms, [1_000, ['Savings', at('Scale')]])
      .slice(2),
    Library: `contracts/lib/Boot.sol:Boot:${at('Boot')};contracts/lib/Scale.sol:Scale:${at('Scale')}`,
    Proxy: '0',
  });
  t.like(await readSource('Proxy'), { ContractName: 'Proxy', Proxy: '1', Implementation: at('Vault') });
  for (const name of ['Vault', 'Proxy']) {
    const { body } = await api.get(`/api/v1/contracts/${at(name)}`);
    t.is(body.source.match, 'exact', name);
  }
});
