/** Events of the head, as streams tell them. */
import type { AnchorEvent } from './anchor-events.ts';

export interface StreamEvent {
  /** `sequence`, or `sequence-part` for the events that one step of the head brings with it. */
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

/** Turns steps of the head into events, in an order that is the same every time. */
export type EventsOf = (steps: readonly AnchorEvent[]) => Promise<StreamEvent[]>;

/** The event of a step itself. @param part given where others follow it */
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
