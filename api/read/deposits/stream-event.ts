import type { AnchorEvent } from './anchor-events.ts';

export interface StreamEvent {
  /** Sequence number of the head step, or `sequence-part` if the step has several events. */
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

/** Returns the events of head steps, always in the same order. */
export type EventsOf = (steps: readonly AnchorEvent[]) => Promise<StreamEvent[]>;

/** @param part set if further events of the head step follow */
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
