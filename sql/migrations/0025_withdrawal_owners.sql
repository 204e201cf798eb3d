-- 0025_withdrawal_owners
-- why:     who registered a withdrawal, which of several with one nonce came first, and when members came into an address set
-- replay:  safe; columns are added once, claims are keyed by content
-- rebuild: not derivable: it is what clients sent

ALTER TABLE withdrawals
    ADD COLUMN IF NOT EXISTS owner String DEFAULT '' COMMENT 'SHA-256 of the capability that the first registration with bytes returned, or key:<identity>; empty: nobody owns it',
    ADD COLUMN IF NOT EXISTS is_void UInt8 DEFAULT 0 COMMENT '1: it was registered at the same time as another one of its nonce and lost';

CREATE TABLE withdrawal_claims
(
    sender     FixedString(20) COMMENT 'Sender',
    nonce      UInt64          COMMENT 'Nonce of the sender',
    number     UInt64          COMMENT 'Rank: the lowest claim wins, of equal ones the one of the lower hash',
    hash       FixedString(32) COMMENT 'Transaction that claims the nonce'
)
ENGINE = ReplacingMergeTree
ORDER BY (sender, nonce, number, hash)   -- answers "which signed transaction was registered first for this nonce"
SETTINGS index_granularity = 256
COMMENT 'Claims of signed withdrawals to their nonces. Written by the API';
