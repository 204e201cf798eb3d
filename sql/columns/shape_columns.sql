-- Columns of a shape (kind of event), with the version of its text. Without aliases: in conditions, an alias would hide the
-- column of the same name.
    shape_id, kind, direction, status, fail_reason, token_symbol, token_name, token_class, second_token_symbol, second_token_name, second_token_class,
    label, category, method, text_version
