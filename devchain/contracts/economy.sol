// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IToken20} from "exchange.sol";

/// Full-range pool with the events of Uniswap V3; its reserves multiply to a constant.
contract Pool {
    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint24 public immutable fee;
    uint256 private reserve0;
    uint256 private reserve1;

    event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1);
    event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick);

    constructor(address token0_, address token1_, uint24 fee_) {
        factory = msg.sender;
        token0 = token0_;
        token1 = token1_;
        fee = fee_;
    }

    function addLiquidity(uint256 amount0, uint256 amount1) external {
        IToken20(token0).transferFrom(msg.sender, address(this), amount0);
        IToken20(token1).transferFrom(msg.sender, address(this), amount1);
        reserve0 += amount0;
        reserve1 += amount1;
        emit Mint(msg.sender, msg.sender, -887270, 887270, liquidity(), amount0, amount1);
    }

    function swapExactIn(bool zeroForOne, uint256 amountIn, address to) external {
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        IToken20(zeroForOne ? token0 : token1).transferFrom(msg.sender, address(this), amountIn);
        uint256 withFee = amountIn * (1e6 - fee);
        uint256 amountOut = (withFee * reserveOut) / (reserveIn * 1e6 + withFee);
        IToken20(zeroForOne ? token1 : token0).transfer(to, amountOut);
        if (zeroForOne) (reserve0, reserve1) = (reserve0 + amountIn, reserve1 - amountOut);
        else (reserve0, reserve1) = (reserve0 - amountOut, reserve1 + amountIn);
        (int256 paid, int256 got) = (int256(amountIn), -int256(amountOut));
        uint160 price = sqrtPriceX96();
        emit Swap(msg.sender, to, zeroForOne ? paid : got, zeroForOne ? got : paid, price, liquidity(), tickOf(price));
    }

    function liquidity() public view returns (uint128) {
        return uint128(sqrt(reserve0 * reserve1));
    }

    function sqrtPriceX96() public view returns (uint160) {
        return uint160(sqrt((reserve1 << 96) / reserve0) << 48);
    }

    /// Logarithm to the base of the root of 1.0001, by squaring.
    function tickOf(uint160 price) public pure returns (int24) {
        uint256 msb = 0;
        for (uint256 x = price; x > 1; x >>= 1) msb++;
        uint256 r = msb >= 128 ? uint256(price) >> (msb - 127) : uint256(price) << (127 - msb);
        int256 log2 = (int256(msb) - 96) << 64;
        for (uint256 bit = 63; bit > 40; bit--) {
            r = (r * r) >> 127;
            if (r >> 128 == 1) {
                log2 |= int256(1 << bit);
                r >>= 1;
            }
        }
        return int24((log2 * 255738958999603826347141) >> 128);
    }

    function sqrt(uint256 x) private pure returns (uint256 y) {
        y = x;
        for (uint256 z = (x + 1) / 2; z < y; z = (x / z + z) / 2) y = z;
    }
}

contract PoolFactory {
    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool);

    function createPool(address a, address b, uint24 fee) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pool = address(new Pool(token0, token1, fee));
        emit PoolCreated(token0, token1, fee, 10, pool);
    }
}

/// Stands for the token of an origin chain: it can be burned for a migration, each reference once.
contract LegacyToken {
    uint256 public totalBurned;
    mapping(address => uint256) public balanceOf;
    mapping(bytes32 => uint256) public burnedBy;

    event Burned(bytes32 indexed burnReference, address indexed owner, uint256 amount);

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
    }

    function burn(bytes32 burnReference, uint256 amount) external {
        require(burnedBy[burnReference] == 0, "reference used");
        balanceOf[msg.sender] -= amount;
        burnedBy[burnReference] = amount;
        totalBurned += amount;
        emit Burned(burnReference, msg.sender, amount);
    }
}

/// Mints what was burned on an origin chain: a proof is a relayer's signature, a nullifier is taken once.
contract LegacyBridge {
    address public immutable relayer;
    uint256 public totalMigrated;
    mapping(bytes32 => bool) public isNullified;

    event Migrated(bytes32 indexed nullifier, uint256 indexed originChain, address indexed recipient, uint256 amount, bytes32 burnReference);

    constructor(address relayer_) {
        relayer = relayer_;
    }

    receive() external payable {}

    function digestOf(uint256 originChain, bytes32 burnReference, address recipient, uint256 amount) public pure returns (bytes32) {
        return keccak256(abi.encode(originChain, burnReference, recipient, amount));
    }

    function mint(uint256 originChain, bytes32 burnReference, address payable recipient, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(digestOf(originChain, burnReference, recipient, amount), v, r, s) == relayer, "proof refused");
        bytes32 nullifier = keccak256(abi.encode(originChain, burnReference));
        require(!isNullified[nullifier], "nullifier used");
        isNullified[nullifier] = true;
        totalMigrated += amount;
        (bool isPaid,) = recipient.call{value: amount}("");
        require(isPaid, "recipient refused");
        emit Migrated(nullifier, originChain, recipient, amount, burnReference);
    }
}
