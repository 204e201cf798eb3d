-- Condition for transactions that moved coin to {{recipient}}. A creation needs a known status: nodes name a contract for failed
-- creations too.
({{moved_coin}} > 0 AND (to IS NOT NULL OR (status = 1 AND contract_address IS NOT NULL)))
