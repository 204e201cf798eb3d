// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Boot} from "./lib/Boot.sol";
import {Scale} from "./lib/Scale.sol";

contract Vault {
    struct Terms {
        string name;
        address owner;
    }

    uint256 public immutable limit;
    address public immutable owner;
    string public name;
    uint256 public total;

    event Stored(address indexed by, uint256 amount);

    constructor(uint256 limit_, Terms memory terms) {
        limit = Boot.check(limit_);
        owner = terms.owner;
        name = terms.name;
    }

    function store(uint256 amount) external {
        total += Scale.scaled(amount, limit);
        emit Stored(msg.sender, amount);
    }
}
