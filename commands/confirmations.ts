import { parseEther } from 'ethers';
import { maxConfirmations, requiredConfirmations } from '#api/read/deposits/rules.ts';
import type { ConfirmationRule } from '#integrator/needed-confirmations.ts';
import { CommandError } from './explain-error.ts';

export interface ConfirmationOptions {
  readonly confirmations: number;
  /** For example 1000=100: deposits above 1000 FAT need 100 confirmations. */
  readonly confirmationsAbove?: readonly string[];
}

/** @throws CommandError if a number or an amount is invalid */
export function readConfirmations({ confirmations, confirmationsAbove = [] }: ConfirmationOptions): ConfirmationRule {
  assertAllowed('--confirmations', confirmations);
  return { least: confirmations, larger: confirmationsAbove.map(parseLarger) };
}

function parseLarger(text: string): ConfirmationRule['larger'][number] {
  const [, amount, number] = /^(\d{1,30}(?:\.\d{1,18})?)=(\d{1,15})$/.exec(text) ?? [];
  if (amount === undefined)
    throw new CommandError(
      `--confirmations-above must be an amount of FAT and a number of confirmations, such as 1000=100, got ${text}`,
      2,
    );
  const confirmations = Number(number);
  assertAllowed('--confirmations-above', confirmations);
  return { above: parseEther(amount), confirmations };
}

function assertAllowed(option: string, confirmations: number): void {
  if (confirmations < requiredConfirmations || confirmations > maxConfirmations)
    throw new CommandError(
      `${option} must be from ${requiredConfirmations} to ${maxConfirmations} confirmations, got ${confirmations}`,
      2,
    );
}
