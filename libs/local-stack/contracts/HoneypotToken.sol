// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {DemoToken} from "./DemoToken.sol";

/// Everyone can buy it, only its owner can sell it: a transfer into the market reverts.
contract HoneypotToken is DemoToken {
    address public market;

    error OwnerOnly();

    constructor(string memory name_, string memory symbol_, uint256 supply) DemoToken(name_, symbol_, supply) {}

    /// After this call only the owner can transfer to `market_`.
    function closeMarket(address market_) external {
        if (msg.sender != owner) revert OwnerOnly();
        market = market_;
    }

    function _transfer(address from, address to, uint256 value) internal override {
        if (to == market && from != owner) revert OwnerOnly();
        _move(from, to, value);
    }
}
