/** Attacks on the service. The bench runs them one after the other. */
export const attacks = ['flood', 'manyNetworks', 'bodies', 'slowReaders', 'webSockets'] as const;

export type Attack = (typeof attacks)[number];
