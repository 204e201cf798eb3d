-- Addresses that are in the address set {set_id}. @source, the argument of this fragment, is a subquery of the addresses to test,
-- far fewer than the set has.
(SELECT address FROM address_set_members WHERE set_id = {set_id:String} AND address IN (@source) GROUP BY address HAVING argMax(is_member, version) = 1)
