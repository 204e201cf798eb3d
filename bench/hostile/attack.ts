export const attacks = ['flood', 'manyNetworks', 'bodies', 'slowReaders', 'webSockets'] as const;

export type Attack = (typeof attacks)[number];
