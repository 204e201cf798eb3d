-- Columns of a registry entity (named wallet, contract or organization) in API replies.
    kind AS kind_name, concat('0x', lower(hex(id))) AS id_hex, label,
        if(address IS NULL, NULL, concat('0x', lower(hex(assumeNotNull(address))))) AS address_hex,
    category, description, url, if(parent IS NULL, NULL, concat('0x', lower(hex(assumeNotNull(parent))))) AS parent_hex, attributes
