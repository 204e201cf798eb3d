-- Fields of a kind of event (shape), as in semantic/shape.ts, and its text. Plain columns only: aliases would shadow them in conditions.
    shape_id, kind, direction, status, fail_reason, token_symbol, token_name, token_class, second_token_symbol, second_token_name, second_token_class,
    label, category, method, text_version
