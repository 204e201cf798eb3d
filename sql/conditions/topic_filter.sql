-- Selects logs by up to four topics, {topics0} to {topics3}; empty: any. @source stands for the number of topics of a log. {any1}
-- to {any3} say how the topic with this number is combined with the result for the topics before: 1 by OR, 0 by AND (0 for the
-- first given topic).
-- Each step computes (result OR a) AND b: for OR, a is the comparison and b is true; for AND, a is false and b the comparison.
bitAnd(bitOr(bitAnd(bitOr(bitAnd(bitOr(
    if({topics0:String} = '', 1, bitAnd(@source > 0, topic0 = toFixedString(unhex({topics0:String}), 32))),
        if({topics1:String} != '' AND {any1:UInt8} = 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)), 0)),
        if(({topics1:String} = '' OR {any1:UInt8} = 1), 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)))),
        if({topics2:String} != '' AND {any2:UInt8} = 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)), 0)),
        if(({topics2:String} = '' OR {any2:UInt8} = 1), 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)))),
        if({topics3:String} != '' AND {any3:UInt8} = 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32)), 0)),
        if(({topics3:String} = '' OR {any3:UInt8} = 1), 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32))))
