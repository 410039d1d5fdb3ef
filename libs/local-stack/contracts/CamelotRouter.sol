// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {IERC20} from "./IERC20.sol";

interface IWrapped is IERC20 {
    function deposit() external payable;
    function withdraw(uint256 value) external;
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint16, uint16);
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function mint(address to) external returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to) external;
    function token0() external view returns (address);
}

interface IPairs {
    function createPair(address one, address other) external returns (address);
    function getPair(address one, address other) external view returns (address);
}

/// A router of the Camelot type. Its reads are those of Uniswap V2's router, its swaps are not: it has only swaps that tolerate
/// a fee on transfer, and they take a referrer.
contract CamelotRouter {
    address public immutable factory;
    address public immutable WETH;

    error Expired();
    error NoPair();
    error TooLittleReceived();
    error WrappedCoinOnly();

    constructor(address factory_, address wrapped) {
        factory = factory_;
        WETH = wrapped;
    }

    modifier before(uint256 deadline) {
        if (block.timestamp > deadline) revert Expired();
        _;
    }

    receive() external payable {
        if (msg.sender != WETH) revert WrappedCoinOnly();
    }

    /// Adds all of both amounts: a new pair takes its price from them.
    function addLiquidityETH(address token, uint256 amountToken, uint256, uint256, address to, uint256 deadline)
        external
        payable
        before(deadline)
        returns (uint256 shares)
    {
        address pair = IPairs(factory).getPair(token, WETH);
        if (pair == address(0)) pair = IPairs(factory).createPair(token, WETH);
        IERC20(token).transferFrom(msg.sender, pair, amountToken);
        IWrapped(WETH).deposit{value: msg.value}();
        IERC20(WETH).transfer(pair, msg.value);
        return IPair(pair).mint(to);
    }

    function getAmountsOut(uint256 amountIn, address[] calldata path) external view returns (uint256[] memory amounts) {
        amounts = new uint256[](path.length);
        amounts[0] = amountIn;
        for (uint256 hop = 0; hop + 1 < path.length; hop++) {
            amounts[hop + 1] = IPair(_pair(path[hop], path[hop + 1])).getAmountOut(amounts[hop], path[hop]);
        }
    }

    function swapExactETHForTokensSupportingFeeOnTransferTokens(
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        address,
        uint256 deadline
    ) external payable before(deadline) {
        if (path[0] != WETH) revert WrappedCoinOnly();
        IWrapped(WETH).deposit{value: msg.value}();
        IERC20(WETH).transfer(_pair(path[0], path[1]), msg.value);
        _swapAlong(path, to, amountOutMin);
    }

    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        address,
        uint256 deadline
    ) external before(deadline) {
        if (path[path.length - 1] != WETH) revert WrappedCoinOnly();
        IERC20(path[0]).transferFrom(msg.sender, _pair(path[0], path[1]), amountIn);
        _swapAlong(path, address(this), amountOutMin);
        uint256 received = IERC20(WETH).balanceOf(address(this));
        IWrapped(WETH).withdraw(received);
        (bool sent,) = to.call{value: received}("");
        if (!sent) revert TooLittleReceived();
    }

    function swapExactTokensForTokensSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        address,
        uint256 deadline
    ) external before(deadline) {
        IERC20(path[0]).transferFrom(msg.sender, _pair(path[0], path[1]), amountIn);
        _swapAlong(path, to, amountOutMin);
    }

    /// Swaps the amount that each pair received above its reserves. Reverts if the recipient gains less than the minimum.
    function _swapAlong(address[] calldata path, address to, uint256 amountOutMin) private {
        IERC20 last = IERC20(path[path.length - 1]);
        uint256 held = last.balanceOf(to);
        for (uint256 hop = 0; hop + 1 < path.length; hop++) {
            address recipient = hop + 2 < path.length ? _pair(path[hop + 1], path[hop + 2]) : to;
            _swap(_pair(path[hop], path[hop + 1]), path[hop], recipient);
        }
        if (last.balanceOf(to) - held < amountOutMin) revert TooLittleReceived();
    }

    function _swap(address pair, address tokenIn, address to) private {
        bool first = IPair(pair).token0() == tokenIn;
        uint256 amountIn = IERC20(tokenIn).balanceOf(pair) - _reserve(pair, first);
        uint256 amountOut = IPair(pair).getAmountOut(amountIn, tokenIn);
        IPair(pair).swap(first ? 0 : amountOut, first ? amountOut : 0, to);
    }

    function _reserve(address pair, bool first) private view returns (uint256) {
        (uint112 reserve0, uint112 reserve1,,) = IPair(pair).getReserves();
        return first ? reserve0 : reserve1;
    }

    function _pair(address one, address other) private view returns (address pair) {
        pair = IPairs(factory).getPair(one, other);
        if (pair == address(0)) revert NoPair();
    }
}
