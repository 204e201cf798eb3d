import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Contract, ContractFactory, id, JsonRpcProvider, Wallet, zeroPadValue } from 'ethers';
import { decodeTransaction } from '#api/read/contracts/decode/decode-transaction.ts';
import type { DevRpc } from '#devchain/dev-rpc.ts';
import { waitFor } from './processes.ts';
import type { RunningApi } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;

export const vaultPath = 'src/Vault.sol';

/** Returns the standard JSON input of the contracts in Vault.sol. */
export async function readVaultInput() {
  const content = await readFile(join(import.meta.dirname, 'contracts-to-verify/Vault.sol'), 'utf8');
  const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris' };
  return { language: 'Solidity' as const, sources: { [vaultPath]: { content } }, settings };
}

export type VaultInput = Awaited<ReturnType<typeof readVaultInput>>;

/** Deploys the contracts of Vault.sol and calls the first vault twice. The second call fails. */
export async function deployVaults(rpc: DevRpc, input: VaultInput) {
  const solc = createRequire(import.meta.url)('solc') as { compile(text: string): string };
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode'] } };
  const output = JSON.parse(
    solc.compile(JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } })),
  );
  const made = output.contracts[vaultPath];
  const provider = new JsonRpcProvider(rpc.url, undefined, { cacheTimeout: -1 });
  const wallet = Wallet.createRandom(provider);
  await rpc.call('anvil_setBalance', [wallet.address, '0x56bc75e2d63100000']);
  const deploy = async (name: string, args: unknown[], library?: string) => {
    const hex: string = made[name].evm.bytecode.object;
    const code = library ? hex.replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2)) : hex;
    const contract = await new ContractFactory(made[name].abi, `0x${code}`, wallet).deploy(...args);
    await rpc.call('evm_mine', []);
    return (await contract.getAddress()).toLowerCase();
  };
  const Scale = await deploy('Scale', []);
  const Vault = await deploy('Vault', [1_000n], Scale);
  const vault = new Contract(Vault, made['Vault'].abi, wallet);
  const stored = await vault['store']!(3n, '<b>note</b>');
  await rpc.call('evm_mine', []);
  const failing = await vault['store']!(5_000n, 'x', { gasLimit: 200_000 });
  await rpc.call('evm_mine', []);
  const OtherVault = await deploy('Vault', [5n], Scale);
  const MixedVault = await copyWithTwoLimits(rpc, OtherVault);
  const Gate = await deploy('Gate', [Vault]);
  const gated = await callUpgraded(rpc, new Contract(Gate, made['Vault'].abi, wallet), Vault);
  const minimal = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${Vault.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  await wallet.sendTransaction({ data: minimal });
  await rpc.call('evm_mine', []);
  const Clone = await rpc
    .call<Row>('eth_getBlockByNumber', ['latest', true])
    .then(({ transactions }) => rpc.call<Row>('eth_getTransactionReceipt', [transactions[0].hash]))
    .then(({ contractAddress }) => contractAddress.toLowerCase());
  provider.destroy();
  const hashes = { stored: stored.hash, failed: failing.hash, ...gated };
  return { at: { Scale, Vault, OtherVault, MixedVault, Gate, Clone }, hashes };
}

/** Copies a vault with another limit at the first of the places that contain it. No compiler writes such code. */
async function copyWithTwoLimits(rpc: DevRpc, vault: string): Promise<string> {
  const [address, limit] = [`0x${'2c'.repeat(20)}`, '5'.padStart(64, '0')];
  const code = await rpc.call<string>('eth_getCode', [vault, 'latest']);
  await rpc.call('anvil_setCode', [address, code.replace(limit, '9'.padStart(64, '0'))]);
  return address;
}

/** Calls a proxy before and after it emits the event of an upgrade. */
async function callUpgraded(rpc: DevRpc, proxy: Contract, implementation: string) {
  const store = async (text: string): Promise<string> => {
    const { hash } = await proxy['store']!(3n, text, { gasLimit: 300_000 });
    await rpc.call('evm_mine', []);
    return hash;
  };
  const beforeUpgrade = await store('old');
  const address = await proxy.getAddress();
  const code = await rpc.call('eth_getCode', [address, 'latest']);
  const topics = [zeroPadValue(implementation, 32), id('Upgraded(address)')].map((topic) => `7f${topic.slice(2)}`);
  await rpc.call('anvil_setCode', [address, `0x${topics.join('')}60006000a200`]); // emits the event
  await store('');
  await rpc.call('anvil_setCode', [address, code]);
  return { beforeUpgrade, afterUpgrade: await store('new') };
}

export const postJson = (api: RunningApi, path: string, body: unknown) =>
  api.get(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Waits for the end of a verification through the Sourcify API. */
export async function sourcifyJob(api: RunningApi, verificationId: string): Promise<Row> {
  let reply: Row;
  await waitFor(
    async () => {
      reply = (await api.get(`/sourcify/v2/verify/${verificationId}`)).body;
      return reply.isJobCompleted;
    },
    150_000,
    () => `the verification ends: ${JSON.stringify(reply)}`,
  );
  return reply;
}

/** Waits for the end of a verification through `/api`. @returns its last status */
export async function awaitVerification(
  ask: (query: Record<string, string>) => Promise<Row>,
  started: Row,
): Promise<Row> {
  let reply: Row;
  await waitFor(
    async () => {
      reply = await ask({ action: 'checkverifystatus', guid: started.result });
      return reply.result !== 'Pending in queue';
    },
    150_000,
    () => `the verification ends: ${JSON.stringify([started, reply])}`,
  );
  return reply;
}

/**
 * Returns whether calls in the newest block are decoded while a block is missing. @param age number of blocks between
 * the missing block and the head
 */
export async function decodesInHead({ deps }: RunningApi, to: string, signature: string, age: number) {
  const state = (await deps.snapshots.current())!;
  const current = async () => ({ ...state, quarantined: [state.head - age] });
  const snapshots: typeof deps.snapshots = Object.assign(Object.create(deps.snapshots), { current });
  const call = { to, input: id(signature).slice(0, 10), logs: [], blockNumber: state.head };
  const { abi } = await decodeTransaction({ ...deps, snapshots }, call);
  return abi?.getFunction(signature) != null;
}
