-- view:   native_transfers
-- what:   transfers of the native coin: values of successful transactions and of internal calls, without fees and block rewards
-- fast:   filters on block_number
-- base:   transactions, internal_calls
-- needs:  traces
-- column: kind transaction, or the type of the internal call
-- column: call_index Position among the stored internal calls of the transaction; -1 for the value of the transaction itself
-- column: to Recipient, created contract, or beneficiary of a selfdestruct
{{native_transfers(1)}}
