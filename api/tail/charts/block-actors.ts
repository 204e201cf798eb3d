/** Who did what in a block: the kinds of parts that the fragment actor_rows gives. */
import { addressOfTopic, zeroAddress } from '#chain/codec/hex.ts';
import type { ActorKind } from '../../terms/figures.ts';
import type { LiveBlock } from './live-rows.ts';

/** A kind and an address as one text, so that sets can hold it. */
export type Actor = `${ActorKind} ${string}`;

/** Every part taken in the block, each once. */
export function actorsOf({ transactions, emitters, transfers, operations }: LiveBlock): Set<Actor> {
  const actors = new Set<Actor>();
  for (const { from, to, contract_address: created, status } of transactions) {
    actors.add(`sender ${from}`).add(`address ${from}`);
    if (to) actors.add(`address ${to}`);
    if (created && status !== 0) actors.add(`address ${created}`).add(`builder ${from}`);
  }
  for (const address of emitters) actors.add(`address ${address}`);
  for (const { standard, from } of transfers)
    if (standard === 'erc20' && from !== zeroAddress) actors.add(`token_sender ${from}`);
  for (const { tx_index, topic2, topic3 } of operations) {
    const bundler = transactions.find((transaction) => transaction.tx_index === tx_index);
    if (bundler) actors.add(`bundler ${bundler.from}`);
    actors.add(`wallet ${addressOfTopic(topic2)}`);
    const paymaster = addressOfTopic(topic3);
    if (paymaster !== zeroAddress) actors.add(`paymaster ${paymaster}`);
  }
  return actors;
}

export const kindOf = (actor: Actor) => actor.slice(0, actor.indexOf(' ')) as ActorKind;
export const addressOfActor = (actor: Actor) => actor.slice(actor.indexOf(' ') + 1);
