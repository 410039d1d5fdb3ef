// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {IERC20} from "./IERC20.sol";

interface IOwned {
    function owner() external view returns (address);
}

/// A pool of two tokens of the Camelot type. It has one fee for each direction, which the factory's owner may change at any time.
/// It has two curves: x·y for most pairs and x³y + y³x for stable ones. Both tokens must have 18 decimals.
contract CamelotPair {
    /// Fees are in thousandths of a percent: 300 is 0.3 %.
    uint256 private constant WHOLE = 100_000;
    uint16 private constant MOST_FEE = 2_000;
    uint256 private constant ONE = 1e18;

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    bool public stableSwap;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    uint112 private reserve0;
    uint112 private reserve1;
    uint16 private token0FeePercent = 300;
    uint16 private token1FeePercent = 300;

    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    error OwnerOnly();
    error FeeTooHigh();
    error NothingAdded();
    error NotEnoughLiquidity();
    error PaidTooLittle();

    constructor(address token0_, address token1_) {
        factory = msg.sender;
        token0 = token0_;
        token1 = token1_;
    }

    modifier onlyOwner() {
        if (msg.sender != IOwned(factory).owner()) revert OwnerOnly();
        _;
    }

    function setFeePercent(uint16 newToken0FeePercent, uint16 newToken1FeePercent) external onlyOwner {
        if (newToken0FeePercent > MOST_FEE || newToken1FeePercent > MOST_FEE) revert FeeTooHigh();
        token0FeePercent = newToken0FeePercent;
        token1FeePercent = newToken1FeePercent;
    }

    function setStableSwap(bool stable) external onlyOwner {
        stableSwap = stable;
    }

    function getReserves() external view returns (uint112, uint112, uint16, uint16) {
        return (reserve0, reserve1, token0FeePercent, token1FeePercent);
    }

    /// The output amount for `amountIn` of `tokenIn`, after the fee of this direction.
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        bool first = tokenIn == token0;
        (uint256 reserveIn, uint256 reserveOut) = first ? (reserve0, reserve1) : (reserve1, reserve0);
        if (amountIn == 0 || reserveIn == 0 || reserveOut == 0) return 0;
        uint256 fee = first ? token0FeePercent : token1FeePercent;
        if (stableSwap) {
            uint256 reserveAfter = reserveIn + amountIn - (amountIn * fee) / WHOLE;
            uint256 left = _stableReserve(_curve(reserveIn, reserveOut), reserveAfter, reserveOut);
            // The pool keeps the curve's rounding error.
            return reserveOut > left + 1 ? reserveOut - left - 1 : 0;
        }
        uint256 kept = amountIn * (WHOLE - fee);
        return (kept * reserveOut) / (reserveIn * WHOLE + kept);
    }

    /// Mints shares for the tokens that `mint`'s caller sent here before this call.
    function mint(address to) external returns (uint256 shares) {
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 added0 = balance0 - reserve0;
        uint256 added1 = balance1 - reserve1;
        if (totalSupply == 0) {
            shares = _squareRoot(added0 * added1);
        } else {
            uint256 by0 = (added0 * totalSupply) / reserve0;
            uint256 by1 = (added1 * totalSupply) / reserve1;
            shares = by0 < by1 ? by0 : by1;
        }
        if (shares == 0) revert NothingAdded();
        totalSupply += shares;
        balanceOf[to] += shares;
        _remember(balance0, balance1);
    }

    /// Transfers shares to another account.
    function transfer(address to, uint256 shares) external returns (bool) {
        balanceOf[msg.sender] -= shares;
        balanceOf[to] += shares;
        return true;
    }

    /// Burns the shares that were sent here before this call and pays out their tokens.
    function burn(address to) external returns (uint256 amount0, uint256 amount1) {
        uint256 shares = balanceOf[address(this)];
        amount0 = (shares * reserve0) / totalSupply;
        amount1 = (shares * reserve1) / totalSupply;
        totalSupply -= shares;
        balanceOf[address(this)] = 0;
        IERC20(token0).transfer(to, amount0);
        IERC20(token1).transfer(to, amount1);
        (uint256 balance0, uint256 balance1) = _balances();
        _remember(balance0, balance1);
    }

    /// Sends the requested amounts if the tokens sent here before this call pay for them.
    function swap(uint256 amount0Out, uint256 amount1Out, address to) external {
        if (amount0Out >= reserve0 || amount1Out >= reserve1) revert NotEnoughLiquidity();
        if (amount0Out > 0) IERC20(token0).transfer(to, amount0Out);
        if (amount1Out > 0) IERC20(token1).transfer(to, amount1Out);
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 paid0 = balance0 + amount0Out - reserve0;
        uint256 paid1 = balance1 + amount1Out - reserve1;
        uint256 held =
            _curve(balance0 - (paid0 * token0FeePercent) / WHOLE, balance1 - (paid1 * token1FeePercent) / WHOLE);
        if (held < _curve(reserve0, reserve1)) revert PaidTooLittle();
        _remember(balance0, balance1);
        emit Swap(msg.sender, paid0, paid1, amount0Out, amount1Out, to);
    }

    /// The curve's invariant: a trade must not lower it.
    function _curve(uint256 x, uint256 y) private view returns (uint256) {
        if (!stableSwap) return x * y;
        return (((x * y) / ONE) * ((x * x + y * y) / ONE)) / ONE;
    }

    /// The other reserve at which the stable curve has value `k`, by Newton's method from above.
    function _stableReserve(uint256 k, uint256 x, uint256 y) private view returns (uint256) {
        for (uint256 step = 0; step < 255; step++) {
            uint256 value = _curve(x, y);
            if (value <= k) return y;
            uint256 slope = (((x * x) / ONE) * x + 3 * x * ((y * y) / ONE)) / ONE;
            uint256 less = ((value - k) * ONE) / slope;
            if (less == 0) return y;
            y -= less;
        }
        return y;
    }

    function _balances() private view returns (uint256, uint256) {
        return (IERC20(token0).balanceOf(address(this)), IERC20(token1).balanceOf(address(this)));
    }

    function _remember(uint256 balance0, uint256 balance1) private {
        reserve0 = uint112(balance0);
        reserve1 = uint112(balance1);
        emit Sync(reserve0, reserve1);
    }

    function _squareRoot(uint256 value) private pure returns (uint256 root) {
        root = value;
        for (uint256 next = value / 2 + 1; next < root; next = (value / next + next) / 2) root = next;
    }
}
