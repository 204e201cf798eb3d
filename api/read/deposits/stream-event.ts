import { ApiProblem } from '../../terms/errors.ts';
import type { AnchorEvent } from './anchor-events.ts';

export interface StreamEvent {
  /** Sequence number of the added or removed block, plus `-part` if the block can have several events. */
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

export interface Events {
  readonly events: readonly StreamEvent[];
  /** Sequence number of the last step (added or removed block) in `events`. */
  readonly through: number;
}

/**
 * Makes the events of the first steps, at least one.
 * @throws ApiProblem indexing while rows of the first step are hidden
 */
export type ReadEvents = (steps: readonly AnchorEvent[]) => Promise<Events>;

/** @param part set if the block has further events */
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

/** `part` numbers the events of one step (added or removed block). */
export interface StreamPosition {
  readonly sequence: number;
  readonly part: number;
}

export const endOfStep = (sequence: number): StreamPosition => ({ sequence, part: Number.MAX_SAFE_INTEGER });

export const positionText = ({ sequence, part }: StreamPosition): string =>
  part === Number.MAX_SAFE_INTEGER ? String(sequence) : `${sequence}-${part}`;

/** Returns the last step whose events were all received. */
export const lastCompleteStep = ({ sequence, part }: StreamPosition): number =>
  part === Number.MAX_SAFE_INTEGER ? sequence : sequence - 1;

/** @param newest newest sequence number @param name parameter in the error @throws ApiProblem bad_query */
export function parsePosition(text: string, newest: number, name: string): StreamPosition {
  const match = /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(text);
  if (!match || Number(match[1]) > newest)
    throw new ApiProblem('bad_query', `${name} must be an event id from 0 to ${newest}, got ${text.slice(0, 40)}`);
  return match[2] === undefined ? endOfStep(Number(match[1])) : { sequence: Number(match[1]), part: Number(match[2]) };
}

/** Returns whether a client at this position has received the event. Events of earlier steps are not recognized. */
export function isSeen(id: string, { sequence, part }: StreamPosition): boolean {
  const [own, ownPart = '0'] = id.split('-');
  return Number(own) === sequence && Number(ownPart) <= part;
}
