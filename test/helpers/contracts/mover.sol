// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Purse {
    constructor() payable {}

    receive() external payable {}

    function end(address payable heir) external {
        selfdestruct(heir);
    }

    function refuse() external payable {
        revert("refused");
    }

    /// Runs in the account of who delegates to it.
    function tip(address payable to) external payable {
        to.transfer(1);
    }
}

/// Moves the coin in every way that a contract can, and in some that come to nothing.
contract Mover {
    Purse public purse;

    constructor() payable {}

    receive() external payable {}

    function forward(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok);
    }

    function make() external payable {
        purse = new Purse{value: msg.value}();
    }

    function makeSalted(bytes32 salt) external payable {
        purse = new Purse{value: msg.value, salt: salt}();
    }

    function end(address payable heir) external {
        purse.end(heir);
    }

    /// One payment stands, one is taken back with the call around it.
    function nested(address payable to) external payable {
        this.forward{value: msg.value / 2}(to);
        try this.payThenFail{value: msg.value / 4}(to) {} catch {}
    }

    function payThenFail(address payable to) external payable {
        to.transfer(3);
        revert("taken back");
    }

    function refused() external payable {
        try purse.refuse{value: msg.value}() {} catch {}
    }

    function delegated(address payable to) external payable {
        (bool ok, ) = address(purse).delegatecall(abi.encodeWithSignature("tip(address)", to));
        require(ok);
    }

    function tooMuch(address payable to) external payable {
        (bool ok, ) = to.call{value: 10 ** 30}("");
        require(!ok);
    }

    function makeBroken() external payable {
        bytes memory code = hex"60006000fd";
        assembly {
            pop(create(9, add(code, 32), mload(code)))
        }
    }

    function toItself() external payable {
        this.forward{value: msg.value}(payable(address(this)));
    }
}
