import { ApiProblem } from '../../terms/errors.ts';
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

/** Position after an event. One step (added or removed block) can have several events, numbered by `part`. */
export interface StreamPosition {
  readonly sequence: number;
  readonly part: number;
}

/** Returns the position after all events of a step. */
export const endOfStep = (sequence: number): StreamPosition => ({ sequence, part: Number.MAX_SAFE_INTEGER });

export const positionText = ({ sequence, part }: StreamPosition): string =>
  part === Number.MAX_SAFE_INTEGER ? String(sequence) : `${sequence}-${part}`;

/** Returns the last step of which all events were received: the next step must be read again to get the rest. */
export const lastCompleteStep = ({ sequence, part }: StreamPosition): number =>
  part === Number.MAX_SAFE_INTEGER ? sequence : sequence - 1;

/** @param newest sequence number of the newest step @param name of the parameter, for the error @throws ApiProblem bad_query */
export function parsePosition(text: string, newest: number, name: string): StreamPosition {
  const match = /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(text);
  if (!match || Number(match[1]) > newest)
    throw new ApiProblem('bad_query', `${name} must be an event id from 0 to ${newest}, got ${text.slice(0, 40)}`);
  return match[2] === undefined ? endOfStep(Number(match[1])) : { sequence: Number(match[1]), part: Number(match[2]) };
}

/** Returns whether an event of the step at the position was already received. */
export function isSeen(id: string, { sequence, part }: StreamPosition): boolean {
  const [own, ownPart = '0'] = id.split('-');
  return Number(own) === sequence && Number(ownPart) <= part;
}
