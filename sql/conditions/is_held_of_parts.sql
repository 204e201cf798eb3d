-- Whether a sum in two parts (see amount_of_parts) is above 0. grain: an expression.
({{range_of_parts(@source)}} > 0)
