-- Selects transactions by status, method and minimum value, each optional. Pass the expression for the first four bytes of the call
-- data (the method) as @source. Works on the tables transactions and address_roles.
(({status:Int8} < 0 OR status = {status:Int8}) AND ({method:String} = '' OR @source = unhex({method:String})) AND value >= {min_value:UInt256})
