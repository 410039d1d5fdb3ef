// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {DemoToken} from "./DemoToken.sol";

/// Can be bought by everybody and sold by its owner alone: a transfer into the market reverts.
contract HoneypotToken is DemoToken {
    address public market;

    error OwnerOnly();

    constructor(string memory name_, string memory symbol_, uint256 supply) DemoToken(name_, symbol_, supply) {}

    /// From here on nobody but the owner can send to `market_`.
    function closeMarket(address market_) external {
        if (msg.sender != owner) revert OwnerOnly();
        market = market_;
    }

    function _transfer(address from, address to, uint256 value) internal override {
        if (to == market && from != owner) revert OwnerOnly();
        _move(from, to, value);
    }
}
