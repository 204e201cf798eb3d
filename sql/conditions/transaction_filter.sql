-- Selects rows of transactions or address_roles by status, method and minimum value, each optional. @source stands for an
-- expression for the first 4 bytes of the call data (the method).
(({status:Int8} < 0 OR status = {status:Int8}) AND ({method:String} = '' OR @source = unhex({method:String})) AND value >= {min_value:UInt256})
