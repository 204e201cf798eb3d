-- Condition on the topics of a log: the given topics, first to fourth, each joined to the previous ones by AND or OR. The argument
-- is the number of topics of a log. grain: a condition on topic0..topic3; used by the compatible log statements.
-- Parameters: topics0..3 (empty: not given), any1..3 (1: joined by OR; 0 for the first given topic).
-- Each step is (previous OR widened) AND narrowed, where the unused half is neutral.
bitAnd(bitOr(bitAnd(bitOr(bitAnd(bitOr(
    if({topics0:String} = '', 1, bitAnd(@source > 0, topic0 = toFixedString(unhex({topics0:String}), 32))),
        if({topics1:String} != '' AND {any1:UInt8} = 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)), 0)),
        if(({topics1:String} = '' OR {any1:UInt8} = 1), 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)))),
        if({topics2:String} != '' AND {any2:UInt8} = 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)), 0)),
        if(({topics2:String} = '' OR {any2:UInt8} = 1), 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)))),
        if({topics3:String} != '' AND {any3:UInt8} = 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32)), 0)),
        if(({topics3:String} = '' OR {any3:UInt8} = 1), 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32))))
