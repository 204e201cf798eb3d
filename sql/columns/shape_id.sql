-- Id of a shape by its fields: xxHash64 of them in this order, parted by U+001F. The same as semantic/shape.ts computes.
xxHash64(concatWithSeparator(char(31), kind, direction, status, fail_reason, token_symbol, token_name, token_class, second_token_symbol,
    second_token_name, second_token_class, label, category, method))
