// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import {CamelotPair} from "./CamelotPair.sol";

/// Creates one pair for any two tokens. Its owner sets the fees and the curve of every pair.
contract CamelotFactory {
    address public immutable owner;
    mapping(address => mapping(address => address)) public getPair;

    event PairCreated(address indexed token0, address indexed token1, address pair);

    error PairExists();

    constructor(address owner_) {
        owner = owner_;
    }

    function createPair(address one, address other) external returns (address pair) {
        if (getPair[one][other] != address(0)) revert PairExists();
        (address token0, address token1) = one < other ? (one, other) : (other, one);
        pair = address(new CamelotPair{salt: keccak256(abi.encodePacked(token0, token1))}(token0, token1));
        getPair[token0][token1] = pair;
        getPair[token1][token0] = pair;
        emit PairCreated(token0, token1, pair);
    }
}
