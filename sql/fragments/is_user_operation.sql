-- True for the event UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256) of an ERC-4337 entry point.
(topic0 = unhex('49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f') AND topic_count = 4)
