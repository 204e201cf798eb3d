-- Tokens with a price, of the parameter {dollar_tokens}, in the form of a column of addresses.
arrayMap(digits -> toFixedString(unhex(digits), 20), {dollar_tokens:Array(String)})
