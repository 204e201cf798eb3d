/** Each has its own phase of the hostile hour. */
export const attacks = ['flood', 'manyNetworks', 'bodies', 'slowReaders', 'webSockets'] as const;

export type Attack = (typeof attacks)[number];
