/** Values as topics of logs, as statements take them. */

/** 64 hex digits. */
export const topicOfAddress = (address: string) => address.slice(2).padStart(64, '0');

/** 64 hex digits. */
export const topicOfNumber = (value: number) => value.toString(16).padStart(64, '0');
