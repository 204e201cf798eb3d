-- Fields of a shape as semantic/shape.ts has them, and its text. Columns alone: aliases would hide them from conditions.
    shape_id, kind, direction, status, fail_reason, token_symbol, token_name, token_class, second_token_symbol, second_token_name, second_token_class,
    label, category, method, text_version
