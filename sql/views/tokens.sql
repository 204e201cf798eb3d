-- view:   tokens
-- what:   token contracts with the results of their functions name(), symbol(), decimals() and totalSupply() at checked_block
-- fast:   any filter
-- base:   tokens
SELECT address, standard, name, symbol, decimals, total_supply, first_block, checked_block
FROM tokens FINAL
WHERE first_block <= {head:UInt64}
