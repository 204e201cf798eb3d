-- Whether a sum of uint256 amounts is above 0. @source stands for a pair: the sum modulo 2^256, and the sum of the amounts
-- divided by 2^128.
({{range_of_parts(@source)}} > 0)
