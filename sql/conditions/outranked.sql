-- Number of claims of other pipeline processes (workers) to the same block range or head, with a higher rank. If there are any, the
-- writes of this worker are rejected.
(
    SELECT count()
    FROM worker_claims
    WHERE kind = {claim_kind:String} AND number >= {claim_number:UInt64}
        AND (number, worker) > ({claim_number:UInt64}, {claim_worker:String}) AND worker != {claim_worker:String}
        AND from_block <= {claim_to:UInt64} AND to_block >= {claim_from:UInt64}
)
