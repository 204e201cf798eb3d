/** Each line of a recording is a block with its receipts, as the node's JSON. */
import { existsSync, mkdirSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { DevRpc } from '#devchain/dev-rpc.ts';
import { DevChain } from '#devchain/devchain.ts';

export interface RecordedBlock {
  readonly hash: string;
  readonly block: string;
  readonly receipts: string;
}

const dir = join(import.meta.dirname, '../../data/bench');

/** Returns a recorded dev chain of `blocks` blocks above genesis. Records it first if there is no recording. */
export async function recordedChain(blocks: number, port: number): Promise<RecordedBlock[]> {
  const path = join(dir, `chain-${blocks}.ndjson.gz`);
  if (existsSync(path)) return parse((await promisify(gunzip)(await readFile(path))).toString());
  console.error(`recording a dev chain of ${blocks} blocks into ${path} ...`);
  const chain = await DevChain.start({
    port,
    chainId: 271828,
    blocks,
    seed: 7,
    blockSeconds: 3,
    genesisTime: 1_700_000_000,
  });
  const lines: string[] = [];
  for (let at = 0; at <= blocks; at += 50)
    lines.push(...(await recordBlocks(chain.rpc, at, Math.min(at + 49, blocks))));
  await chain.stop();
  mkdirSync(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, await promisify(gzip)(lines.join('\n'), { level: 1 }));
  await rename(`${path}.new`, path);
  return parse(lines.join('\n'));
}

async function recordBlocks(rpc: DevRpc, from: number, to: number): Promise<string[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => `0x${(from + i).toString(16)}`);
  const results = await rpc.batch<unknown>(
    numbers.flatMap((number) => [
      { method: 'eth_getBlockByNumber', params: [number, true] },
      { method: 'eth_getBlockReceipts', params: [number] },
    ]),
  );
  return numbers.map((_, i) => JSON.stringify({ block: results[2 * i], receipts: results[2 * i + 1] }));
}

function parse(text: string): RecordedBlock[] {
  return text.split('\n').map((line) => {
    const { block, receipts } = JSON.parse(line) as { block: { hash: string }; receipts: unknown };
    return { hash: block.hash, block: JSON.stringify(block), receipts: JSON.stringify(receipts) };
  });
}
