-- 0043_destroyed_contracts
-- why:     self-destructs without value are stored too, if the transaction created the contract: it loses what it receives later
-- replay:  safe; changes comments

ALTER TABLE internal_calls MODIFY COMMENT 'Internal calls of transactions that transfer value, create a contract or destroy one that the transaction created. Written by pipeline/store and pipeline/traces';

ALTER TABLE internal_calls
    COMMENT COLUMN type 'Stored are calls with value, all creations, and self-destructs with value or of a contract that the transaction created';
