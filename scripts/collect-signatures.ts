/**
 * Writes sql/reference/signatures.tsv: functions, events and errors of widely used contracts, from the ABIs of npm
 * packages. Needs npm and tar.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownEvents } from '../api/read/contracts/decode/known-abis.ts';
import { parseAbi } from '../api/read/contracts/parse-abi.ts';
import { describeFragments, type SignatureText } from '../api/read/contracts/signatures/describe-fragments.ts';

/** Packages whose licence permits copies. If declarations differ in parameter names, the first one wins. */
const packages: readonly (readonly [id: string, version: string, license: string])[] = [
  ['@openzeppelin/contracts', '5.7.0', 'MIT'],
  ['@openzeppelin/contracts-upgradeable', '5.7.0', 'MIT'],
  ['@openzeppelin/contracts', '4.9.6', 'MIT'],
  ['@openzeppelin/contracts', '3.4.2', 'MIT'],
  ['@sushiswap/core', '1.4.2', 'MIT'],
  ['@uniswap/permit2-sdk', '1.4.0', 'MIT'],
  ['@account-abstraction/contracts', '0.8.0', 'MIT'],
  ['@opensea/seaport-js', '4.3.0', 'MIT'],
  ['@ensdomains/contracts', '0.0.3', 'ISC'],
  ['@layerzerolabs/oft-evm', '4.0.1', 'MIT'],
  ['@thirdweb-dev/contracts', '3.15.0', 'Apache-2.0'],
];

/** Common functions that none of the packages above has. We chose the parameter names. */
const ownFunctions: readonly string[] = [
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function mint(address to, uint256 value)',
  'function mint(address to)',
  'function burn(uint256 value)',
  'function deposit()',
  'function withdraw(uint256 value)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  'function mintBatch(address to, uint256[] ids, uint256[] values)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function addLiquidity(uint256 amount0, uint256 amount1)',
  'function createPair(address tokenA, address tokenB)',
  'function multicall(bytes[] data)',
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
  'function transferOwnership(address newOwner)',
  'function renounceOwnership()',
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function upgradeTo(address newImplementation)',
  'function upgradeToAndCall(address newImplementation, bytes data)',
];

const found = new Map<string, SignatureText & { readonly origin: string }>();

function add(abi: readonly unknown[], origin: string): void {
  for (const each of describeFragments(parseAbi(abi as string[]))) {
    const key = `${each.selector} ${each.kind} ${each.signature} ${each.indexed}`;
    if (!found.has(key)) found.set(key, { ...each, origin });
  }
}

function* findAbis(directory: string): Generator<readonly unknown[]> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths.filter((each) => each.endsWith('.json'))) {
    const value: unknown = JSON.parse(readFileSync(join(directory, path), 'utf8'));
    const abi = Array.isArray(value) ? value : (value as { abi?: unknown } | null)?.abi;
    if (Array.isArray(abi)) yield abi;
  }
}

add([...ownFunctions, ...Object.values(knownEvents).flat()], 'Cordscan (MIT)');
for (const [id, version, license] of packages) {
  const directory = mkdtempSync(join(tmpdir(), 'signatures-'));
  try {
    const options = { cwd: directory, encoding: 'utf8' } as const;
    const [archive = ''] = execFileSync('npm', ['pack', '--silent', `${id}@${version}`], options)
      .trim()
      .split('\n');
    execFileSync('tar', ['xzf', archive], options);
    for (const abi of findAbis(directory)) add(abi, `${id} ${version} (${license})`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
const rows = [...found.values()].sort((a, b) =>
  a.selector + a.kind + a.signature < b.selector + b.kind + b.signature ? -1 : 1,
);
const lines = rows.map(({ selector, kind, signature, indexed, declaration, origin }) =>
  [selector, kind, signature, indexed, declaration, origin].join('\t'),
);
const head = ['selector', 'kind', 'signature', 'indexed', 'declaration', 'origin'].join('\t');
writeFileSync(join(import.meta.dirname, '../sql/reference/signatures.tsv'), `${[head, ...lines].join('\n')}\n`);
