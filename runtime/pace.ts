export interface Pace {
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
}

export const perSecond = ({ done, seconds }: Pace): number => done / Math.max(seconds, 0.001);

export const secondsLeft = (pace: Pace): number => (pace.total - pace.done) / Math.max(perSecond(pace), 0.001);

/** For example "882 of 1,441 blocks, 412 per second, 2 s left". */
export function describePace(pace: Pace, unit: string): string {
  const amount = `${inDigits(pace.done)} of ${inDigits(pace.total)} ${unit}`;
  if (pace.done === 0) return amount;
  return `${amount}, ${inDigits(perSecond(pace))} per second, ${describeDuration(secondsLeft(pace))} left`;
}

function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const inDigits = (amount: number): string => Math.round(amount).toLocaleString('en');
