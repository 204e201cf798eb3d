-- Selects transactions by status, method and minimum value, each optional. @source, the argument of this fragment, is the
-- expression for the first four bytes of the call data, which select the method. Works on both tables with these columns,
-- transactions and address_roles.
(({status:Int8} < 0 OR status = {status:Int8}) AND ({method:String} = '' OR @source = unhex({method:String})) AND value >= {min_value:UInt256})
