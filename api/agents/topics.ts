/** Topics of logs as values, and back. 0x hex. */

export const addressOfTopic = (topic: string) => `0x${topic.slice(26)}`;

/** 64 hex digits. */
export const topicOfAddress = (address: string) => address.slice(2).padStart(64, '0');

/** 64 hex digits. */
export const topicOfNumber = (value: number) => value.toString(16).padStart(64, '0');
