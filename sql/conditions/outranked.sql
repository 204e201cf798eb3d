-- Number of higher claims of other pipeline processes to the same block range, or to follow the head of the chain. If there are
-- any, the database rejects the writes of this process.
(
    SELECT count()
    FROM worker_claims
    WHERE kind = {claim_kind:String} AND number >= {claim_number:UInt64}
        AND (number, worker) > ({claim_number:UInt64}, {claim_worker:String}) AND worker != {claim_worker:String}
        AND from_block <= {claim_to:UInt64} AND to_block >= {claim_from:UInt64}
)
