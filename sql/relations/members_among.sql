-- Addresses that are members of the address set {set_id}; the argument is a subquery of the addresses to test, few compared to the set.
-- grain: one address; used by the transfers of address sets.
(SELECT address FROM address_set_members WHERE set_id = {set_id:String} AND address IN (@source) GROUP BY address HAVING argMax(is_member, version) = 1)
