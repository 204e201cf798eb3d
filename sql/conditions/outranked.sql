-- Number of other workers' claims to the same subject with a higher rank. If there are any, the worker's writes are refused.
(
    SELECT count()
    FROM worker_claims
    WHERE kind = {claim_kind:String} AND number >= {claim_number:UInt64}
        AND (number, worker) > ({claim_number:UInt64}, {claim_worker:String}) AND worker != {claim_worker:String}
        AND from_block <= {claim_to:UInt64} AND to_block >= {claim_from:UInt64}
)
