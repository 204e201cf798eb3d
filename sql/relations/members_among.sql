-- Addresses of the subquery @source that belong to the address set {set_id}. The subquery should return far fewer addresses
-- than the set has.
(SELECT address FROM address_set_members WHERE set_id = {set_id:String} AND address IN (@source) GROUP BY address HAVING argMax(is_member, version) = 1)
