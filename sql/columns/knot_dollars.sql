-- Dollars that an event moved: the stored value, else the amount of the first of its two tokens with a price. Prices:
-- {dollar_tokens} (40 hex digits each; zeros: the coin) and {dollar_prices} (dollars per whole token). NULL: neither token has
-- a price, or nothing moved. Without a second token, second_amount is 0.
multiIf(isNotNull(usd), usd, NOT {{knot_moved}}, NULL,
        has({{dollar_tokens}}, token), amount_value * {dollar_prices:Array(Float64)}[indexOf({{dollar_tokens}}, token)],
        second_amount > 0 AND has({{dollar_tokens}}, second_token),
        second_amount_value * {dollar_prices:Array(Float64)}[indexOf({{dollar_tokens}}, second_token)],
        NULL)
