// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// An external library: contracts call its code with DELEGATECALL.
library Scale {
    error TooMuch(uint256 amount, uint256 limit);

    function scaled(uint256 amount, uint256 limit) external pure returns (uint256) {
        if (amount > limit) revert TooMuch(amount, limit);
        return amount * 3;
    }
}
