// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// A plugin of an Algebra Integral pool. The pool calls it before each swap: the fee, in millionths, alternates between two values.
contract AlternatingFeePlugin {
    uint24 public constant LOW_FEE = 500;
    uint24 public constant HIGH_FEE = 3000;

    uint256 public swaps;

    function beforeSwap(address, address, bool, int256, uint160, bool, bytes calldata)
        external
        returns (bytes4 selector, uint24 feeOverride, uint24 pluginFee)
    {
        return (this.beforeSwap.selector, swaps++ % 2 == 0 ? LOW_FEE : HIGH_FEE, 0);
    }
}
