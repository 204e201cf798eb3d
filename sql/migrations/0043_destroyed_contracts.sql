-- Self-destructs without value are stored too, if the transaction created the contract: it loses what it receives later.

ALTER TABLE internal_calls
    COMMENT COLUMN type 'Stored are calls with value, all creations, and selfdestructs with value or of a contract that the transaction created';
