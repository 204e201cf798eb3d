// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

/// Constant-product pool with the events of Uniswap V2.
contract Pair {
    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
    event Sync(uint112 reserve0, uint112 reserve1);

    constructor(address token0_, address token1_) {
        factory = msg.sender;
        token0 = token0_;
        token1 = token1_;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    function addLiquidity(uint256 amount0, uint256 amount1) external {
        IToken20(token0).transferFrom(msg.sender, address(this), amount0);
        IToken20(token1).transferFrom(msg.sender, address(this), amount1);
        emit Mint(msg.sender, amount0, amount1);
        sync();
    }

    function swapExactIn(bool zeroForOne, uint256 amountIn, address to) external {
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        IToken20(zeroForOne ? token0 : token1).transferFrom(msg.sender, address(this), amountIn);
        uint256 withFee = amountIn * 997;
        uint256 amountOut = (withFee * reserveOut) / (reserveIn * 1000 + withFee);
        IToken20(zeroForOne ? token1 : token0).transfer(to, amountOut);
        if (zeroForOne) emit Swap(msg.sender, amountIn, 0, 0, amountOut, to);
        else emit Swap(msg.sender, 0, amountIn, amountOut, 0, to);
        sync();
    }

    function sync() public {
        reserve0 = uint112(IToken20(token0).balanceOf(address(this)));
        reserve1 = uint112(IToken20(token1).balanceOf(address(this)));
        emit Sync(reserve0, reserve1);
    }
}

contract PairFactory {
    address[] public allPairs;

    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);

    function createPair(address a, address b) external returns (address pair) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pair = address(new Pair(token0, token1));
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }
}

/// Pays many accounts from one transaction: value that only traces show.
contract Payout {
    event Paid(uint256 count, uint256 each);

    function pay(address payable[] calldata to) external payable {
        uint256 each = msg.value / to.length;
        for (uint256 i = 0; i < to.length; i++) to[i].transfer(each);
        emit Paid(to.length, each);
    }

    /// Always fails after some work.
    function fail(uint256 rounds) external pure {
        uint256 x = 1;
        for (uint256 i = 0; i < rounds; i++) x = x * 3 + 1;
        revert(x == 0 ? "never" : "payout refused");
    }
}
