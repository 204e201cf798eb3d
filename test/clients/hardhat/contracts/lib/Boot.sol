// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Called only by a constructor: its address is not in the runtime code.
library Boot {
    function check(uint256 limit) external pure returns (uint256) {
        require(limit > 0, "limit");
        return limit + 1;
    }
}
