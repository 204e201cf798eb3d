/** Decodes events of the contract where AI agents register. @source docs/registry.md */
import { AbiCoder, id } from 'ethers';
import { readTopicAddress } from '#chain/codec/hex.ts';

export const eventTopics = {
  registered: id('AgentRegistered(address,bytes32,string,string)'),
  retired: id('AgentRetired(address)'),
  testified: id('Testified(address,uint256,bytes32,bytes32,string)'),
} as const;

interface Event {
  readonly topic1: string;
  readonly topic2: string;
  readonly topic3: string;
  readonly data: string;
}

const coder = AbiCoder.defaultAbiCoder();

/** Decodes the registration of an AI agent. Invalid UTF-8 in name and URI becomes replacement characters. */
export function decodeRegistration({ topic2, data }: Event) {
  const [name, uri] = decode(['bytes', 'bytes'], data);
  return { entity: topic2, name: toText(name), uri: toText(uri) };
}

export function decodeTestimony({ topic1, topic2, topic3, data }: Event) {
  const [digest, uri] = decode(['bytes32', 'bytes'], data);
  return {
    agent: readTopicAddress(topic1),
    anchor: BigInt(topic2).toString(),
    subject: topic3,
    digest: digest ?? null,
    uri: toText(uri),
  };
}

function decode(types: readonly string[], data: string): (string | undefined)[] {
  try {
    return [...coder.decode(types, data)];
  } catch {
    return types.map(() => undefined);
  }
}

const toText = (bytes: string | undefined) =>
  bytes === undefined ? null : Buffer.from(bytes.slice(2), 'hex').toString();
