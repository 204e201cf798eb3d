-- Id of a shape (kind of event): xxHash64 of its fields in this order, separated by U+001F. semantic/shape.ts computes the same id.
xxHash64(concatWithSeparator(char(31), kind, direction, status, fail_reason, token_symbol, token_name, token_class, second_token_symbol,
    second_token_name, second_token_class, label, category, method))
