-- Amounts (wei) and counts that a row of address_roles, one address in one transaction, adds to the counters of the account.
bitTest(roles, 0) AS sent_count, bitTest(roles, 1) AS received_count, bitTest(roles, 2) AS log_count,
    if(received_count AND ifNull(status, 1) = 1, value, 0) AS value_in, if(sent_count AND ifNull(status, 1) = 1, value, 0) AS value_out,
    if(sent_count, fee, 0) AS fees
