// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {DemoToken} from "./DemoToken.sol";

/// Keeps 5 % of every transfer for its owner, so a buyer receives less than the pool sent.
contract TaxedToken is DemoToken {
    uint256 public constant TAX_PERCENT = 5;

    constructor(string memory name_, string memory symbol_, uint256 supply) DemoToken(name_, symbol_, supply) {}

    function _transfer(address from, address to, uint256 value) internal override {
        uint256 tax = from == owner ? 0 : (value * TAX_PERCENT) / 100;
        if (tax > 0) _move(from, owner, tax);
        _move(from, to, value - tax);
    }
}
