-- Optional conditions on transactions; the argument is the expression for the first four bytes of the call data.
-- grain: a condition on columns that transactions and address_roles share; used by the transaction lists.
(({status:Int8} < 0 OR status = {status:Int8}) AND ({method:String} = '' OR @source = unhex({method:String})) AND value >= {min_value:UInt256})
