/**
 * Decodes token transfers from logs, by the same rules as sql/relations/token_transfers_of_logs.sql.
 * @source ERC-20, ERC-721, ERC-1155
 */
import { readTopicAddress } from './hex.ts';
import type { TokenStandard } from './token-abi.ts';

export interface TokenTransfer {
  readonly batchIndex: number;
  readonly standard: TokenStandard;
  readonly from: string;
  readonly to: string;
  /** 0 for ERC-20. */
  readonly tokenId: bigint;
  /** Amount in smallest units; 1 for ERC-721. */
  readonly value: bigint;
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

/** Returns the token transfers of a log. A transfer topic with another log format gives none. */
export function decodeTransfers({ topics, data }: { topics: readonly string[]; data: string }): TokenTransfer[] {
  const [topic0, topic1, topic2, topic3] = topics;
  const bytes = (data.length - 2) / 2;
  if (topic1 === undefined || topic2 === undefined || topics.length > 4) return [];
  if (topic3 === undefined) {
    if (topic0 !== transferTopic || bytes !== 32) return [];
    return [{ batchIndex: 0, standard: 'erc20', ...sides(topic1, topic2), tokenId: 0n, value: word(data, 0) }];
  }
  if (topic0 === transferTopic && bytes === 0)
    return [{ batchIndex: 0, standard: 'erc721', ...sides(topic1, topic2), tokenId: BigInt(topic3), value: 1n }];
  const multi = { standard: 'erc1155' as const, ...sides(topic2, topic3) };
  if (topic0 === singleTopic && bytes === 64)
    return [{ batchIndex: 0, ...multi, tokenId: word(data, 0), value: word(data, 1) }];
  if (topic0 !== batchTopic || bytes < 128) return [];
  return batchItems(data, Math.floor(bytes / 32)).map((item, batchIndex) => ({ batchIndex, ...multi, ...item }));
}

function batchItems(data: string, words: number): { tokenId: bigint; value: bigint }[] {
  const [idsAt, valuesAt] = [offsetWord(data, 0), offsetWord(data, 1)];
  if (idsAt >= words || valuesAt >= words) return [];
  const held = (at: number) => Math.min(Number(low64(data, at)), words - at - 1);
  const length = Math.min(held(idsAt), held(valuesAt));
  return Array.from({ length }, (_, i) => ({
    tokenId: word(data, idsAt + 1 + i),
    value: word(data, valuesAt + 1 + i),
  }));
}

function sides(from: string, to: string) {
  return { from: readTopicAddress(from), to: readTopicAddress(to) };
}

function word(data: string, at: number): bigint {
  return BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`);
}

function low64(data: string, at: number): bigint {
  return BigInt.asUintN(64, word(data, at));
}

function offsetWord(data: string, at: number): number {
  return Number(low64(data, at) / 32n);
}
