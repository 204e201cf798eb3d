/** A row of fragment log_columns. */
export interface LogRecord {
  readonly block_number: string;
  readonly log_index: number;
  readonly tx_index: number;
  readonly tx_hash: string;
  readonly timestamp: number;
  readonly address: string;
  readonly topic_count: number;
  readonly topic0: string;
  readonly topic1: string;
  readonly topic2: string;
  readonly topic3: string;
  readonly data: string;
}

/** Its topics, as many as there are. */
export function topicsOf({ topic_count, topic0, topic1, topic2, topic3 }: LogRecord): string[] {
  return [topic0, topic1, topic2, topic3].slice(0, topic_count);
}
