// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Proxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    event Upgraded(address indexed implementation);

    constructor(address implementation, bytes memory data) payable {
        assembly {
            sstore(SLOT, implementation)
        }
        emit Upgraded(implementation);
        if (data.length > 0) {
            (bool done, ) = implementation.delegatecall(data);
            require(done, "init");
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
