-- Whether a sum of uint256 amounts fits into a uint256. @source stands for a pair: the sum modulo 2^256, and the sum of the
-- amounts divided by 2^128.
-- Result (an integer as Float64): 0 or less for a sum that is not positive, 1 or 2 for 1 to 2^256, 3 or more above.
-- The first number lacks a multiple of 2^256. The second, times 2^128, differs from the sum by less than (number of amounts) *
-- 2^128. That is exact enough to find the multiple, for fewer than 2^100 amounts and sums below 2^300.
(2 * round((toFloat64(@source.2) * 3.402823669209385e38 - toFloat64(@source.1)) / 1.157920892373162e77) + (@source.1 > 0))
