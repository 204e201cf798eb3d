/** JSON-RPC methods x_* of the dev chain. @source docs/registry.md */
import { Interface } from 'ethers';
import { readTopicAddress, toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import type { DevMethod } from './dev-node.ts';
import type { DevRpc } from './dev-rpc.ts';
import { devTestimonyContract } from './testimony.ts';
import { devValidators } from './validators.ts';

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly logIndex: string;
}

const events = new Interface([
  'event AgentRegistered(address indexed agent, bytes32 indexed entity, string name, string uri)',
  'event AgentRetired(address indexed agent)',
  'event Testified(address indexed agent, uint256 indexed anchor, bytes32 indexed subject, bytes32 digest, string uri)',
]);

const recentBlocks = 100;

export function devMethods(rpc: DevRpc): Record<string, DevMethod> {
  return {
    x_getValidators: () => ({
      validators: devValidators.map((address, i) => ({ address, name: `Validator ${i + 1}` })),
      schedule: 'round-robin',
    }),
    x_getAgents: () => readAgents(rpc),
    x_getTestimonies: ([from, to]) => readTestimonies(rpc, from, to),
  };
}

async function readAgents(rpc: DevRpc) {
  const agents = new Map<string, { entity: string; name: string; uri: string; isRetired: boolean }>();
  for (const log of await readLogs(rpc, ['AgentRegistered', 'AgentRetired'], '0x0', 'latest')) {
    const { name: event, args, agent: address } = readEvent(log);
    if (event === 'AgentRegistered')
      agents.set(address, { entity: args.entity, name: args.name, uri: args.uri, isRetired: false });
    else agents.set(address, { ...known(agents.get(address), 'the agent that retires'), isRetired: true });
  }
  return [...agents].map(([address, { isRetired, ...profile }]) => ({
    address,
    ...profile,
    status: isRetired ? 'retired' : 'active',
  }));
}

/**
 * Returns testimonies in a range of blocks.
 * @param from,to hex quantities, inclusive; default: the latest 100 blocks. @throws Error for an invalid block
 */
async function readTestimonies(rpc: DevRpc, from: unknown, to: unknown) {
  const head = Number(await rpc.call('eth_blockNumber', []));
  const first = from === undefined ? toQuantity(Math.max(0, head - recentBlocks + 1)) : parseBlock(from);
  const logs = await readLogs(rpc, ['Testified'], first, to === undefined ? toQuantity(head) : parseBlock(to));
  return logs.map((log) => {
    const { args, agent } = readEvent(log);
    return {
      agent,
      anchor: toQuantity(args.anchor),
      subject: args.subject,
      digest: args.digest,
      uri: args.uri,
      blockNumber: log.blockNumber,
      transactionHash: log.transactionHash,
      logIndex: log.logIndex,
    };
  });
}

/** The first indexed argument of all three events is the agent. */
function readEvent(log: Log) {
  const { name, args } = known(events.parseLog(log), 'the event of a log');
  return { name, args, agent: readTopicAddress(known(log.topics[1], 'the agent of an event')) };
}

function parseBlock(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value)) return value;
  throw new Error('block numbers must be hexadecimal quantities, for example 0x1b4');
}

function readLogs(rpc: DevRpc, names: readonly string[], fromBlock: string, toBlock: string): Promise<Log[]> {
  const topics = [names.map((name) => known(events.getEvent(name), name).topicHash)];
  return rpc.call('eth_getLogs', [{ address: devTestimonyContract(), topics, fromBlock, toBlock }]);
}
