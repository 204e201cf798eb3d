-- Whether a transaction moved coin to {{recipient}}. A creation needs a known status, because nodes name a contract for failed
-- ones too.
({{moved_coin}} > 0 AND (to IS NOT NULL OR (status = 1 AND contract_address IS NOT NULL)))
