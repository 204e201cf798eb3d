export interface FollowSettings {
  /**
   * Confirmations until a block is final. Unset: the node's finalized tag (at least 20), or 32 without a usable tag.
   */
  readonly finalityDepth: number | undefined;
  readonly pollIntervalMs: number;
  readonly wsUrl: string | undefined;
  /** Reaction to a reorg of finalized blocks: wait for an operator (default), or follow the nodes. */
  readonly deepReorg?: 'hold' | 'follow';
  /** Pause between comparisons of the finalized block with all endpoints, ms; default 10 s. */
  readonly finalizedCheckMs?: number;
}
