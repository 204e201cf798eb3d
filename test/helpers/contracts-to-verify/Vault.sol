// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Scale {
    function twice(uint256 x) public pure returns (uint256) {
        return 2 * x;
    }
}

contract Vault {
    struct Note {
        uint256 value;
        string text;
    }

    uint256 public immutable limit;
    address public immutable owner;
    uint256 public stored;
    Note[] private notes;

    error TooMuch(uint256 wanted, uint256 limit);
    event Stored(address indexed by, uint256 value);

    constructor(uint256 limit_) {
        limit = limit_;
        owner = msg.sender;
    }

    /// @notice Stores twice the value.
    function store(uint256 x, string calldata text) external {
        if (x > limit) revert TooMuch(x, limit);
        stored = Scale.twice(x);
        notes.push(Note(x, text));
        emit Stored(msg.sender, stored);
    }

    // <script>alert(1)</script> ​ hidden
    function sum(Note[] calldata given) external pure returns (uint256 total) {
        for (uint256 i; i < given.length; i++) total += given[i].value;
    }

    function fail(uint256 x) external view {
        revert TooMuch(x, limit);
    }

    function allNotes() external view returns (Note[] memory) {
        return notes;
    }
}

/// EIP-1967 proxy.
contract Gate {
    bytes32 private constant slot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    event Upgraded(address indexed implementation);

    constructor(address implementation) {
        emit Upgraded(implementation);
        assembly {
            sstore(slot, implementation)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
