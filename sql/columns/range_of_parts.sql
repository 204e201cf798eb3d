-- Range of a sum in two parts (see amount_of_parts): 0 or less: not positive; 1 or 2: a uint256 or 2^256; 3 or more: above uint256.
-- grain: an expression, Float64, integral. The second part gives the sum to within (number of addends) * 2^128, so the multiple of
-- 2^256 missing in the first part is exact for fewer than 2^100 addends and sums below 2^300.
(2 * round((toFloat64(@source.2) * 3.402823669209385e38 - toFloat64(@source.1)) / 1.157920892373162e77) + (@source.1 > 0))
