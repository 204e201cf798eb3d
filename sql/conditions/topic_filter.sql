-- Condition on the topics of a log: those that are asked for, first to fourth, each joined by AND or OR to what stands before
-- it; the argument is the number of topics that a log has. grain: a condition on topic0..topic3; read by the compatible log
-- statements. Parameters: topics0..3 (empty: not asked for), any1..3 (1: joined by OR; 0 for the first one that is asked for).
-- Each step is (before OR widened) AND narrowed, where the half that does not apply is neutral.
bitAnd(bitOr(bitAnd(bitOr(bitAnd(bitOr(
    if({topics0:String} = '', 1, bitAnd(@source > 0, topic0 = toFixedString(unhex({topics0:String}), 32))),
        if({topics1:String} != '' AND {any1:UInt8} = 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)), 0)),
        if(({topics1:String} = '' OR {any1:UInt8} = 1), 1, bitAnd(@source > 1, topic1 = toFixedString(unhex({topics1:String}), 32)))),
        if({topics2:String} != '' AND {any2:UInt8} = 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)), 0)),
        if(({topics2:String} = '' OR {any2:UInt8} = 1), 1, bitAnd(@source > 2, topic2 = toFixedString(unhex({topics2:String}), 32)))),
        if({topics3:String} != '' AND {any3:UInt8} = 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32)), 0)),
        if(({topics3:String} = '' OR {any3:UInt8} = 1), 1, bitAnd(@source > 3, topic3 = toFixedString(unhex({topics3:String}), 32))))
