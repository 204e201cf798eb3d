-- Tokens of {dollar_tokens} (tokens with a price) as FixedString(20), the type of address columns.
arrayMap(digits -> toFixedString(unhex(digits), 20), {dollar_tokens:Array(String)})
