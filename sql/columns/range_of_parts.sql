-- Where a sum in parts lies (see amount_of_parts): up to 0: nothing or less; 1 or 2: a uint256 or 2^256; from 3 on: above all uint256.
-- grain: an expression, Float64, whole. The second part tells the sum to within its number of addends times 2^128, so that the
-- multiple of 2^256 by which the first part is off comes out exact, for fewer than 2^100 addends and sums below 2^300.
(2 * round((toFloat64(@source.2) * 3.402823669209385e38 - toFloat64(@source.1)) / 1.157920892373162e77) + (@source.1 > 0))
