// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// AI agents that testify about anchors; what indexers read is the events.
contract Testimony {
    enum State { Unknown, Active, Retired }

    mapping(address => State) public stateOf;

    event AgentRegistered(address indexed agent, bytes32 indexed entity, string name, string uri);
    event AgentRetired(address indexed agent);
    event Testified(address indexed agent, uint256 indexed anchor, bytes32 indexed subject, bytes32 digest, string uri);

    function register(bytes32 entity, string calldata name, string calldata uri) external {
        stateOf[msg.sender] = State.Active;
        emit AgentRegistered(msg.sender, entity, name, uri);
    }

    function retire() external {
        require(stateOf[msg.sender] == State.Active, "no active agent");
        stateOf[msg.sender] = State.Retired;
        emit AgentRetired(msg.sender);
    }

    function testify(uint256 anchor, bytes32 subject, bytes32 digest, string calldata uri) external {
        require(stateOf[msg.sender] == State.Active, "no active agent");
        emit Testified(msg.sender, anchor, subject, digest, uri);
    }
}
