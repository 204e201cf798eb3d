import type { AnchorEvent } from './anchor-events.ts';

export interface StreamEvent {
  /** Event id: the sequence number of the added or removed block, and `-part` if this block has several events. */
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

export type EventsOf = (steps: readonly AnchorEvent[]) => Promise<StreamEvent[]>;

/** Makes the event of an added or removed block. @param part set if the block has further events */
export function anchorEvent(step: AnchorEvent, part?: 0): StreamEvent {
  const { sequence, number, hash, parentHash, time } = step;
  const common = { sequence, number, hash };
  const added = { ...common, parentHash, timestamp: time };
  return {
    id: part === undefined ? String(sequence) : `${sequence}-${part}`,
    name: `anchor.${step.kind}`,
    data: step.kind === 'added' ? added : common,
  };
}
