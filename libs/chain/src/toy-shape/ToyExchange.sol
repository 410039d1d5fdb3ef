// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// An exchange of an unknown shape for tests: one stall for each token, which trades native HYPE at one price.
contract ToyFactory {
    address public immutable wrapped;
    mapping(address token => ToyStall) public stallOf;

    constructor(address wrapped_) {
        wrapped = wrapped_;
    }

    function open(address token) external payable {
        stallOf[token] = new ToyStall{value: msg.value}(token, wrapped);
    }
}

contract ToyStall {
    uint256 public constant TOKENS_PER_HYPE = 500;
    address public immutable token;
    address public immutable wrapped;

    event Sold(address indexed token, address indexed wrapped, uint256 paid, uint256 tokens);

    constructor(address token_, address wrapped_) payable {
        token = token_;
        wrapped = wrapped_;
    }

    function buy(address to) external payable returns (uint256 tokens) {
        tokens = msg.value * TOKENS_PER_HYPE;
        IToken(token).transfer(to, tokens);
        emit Sold(token, wrapped, msg.value, tokens);
    }

    function pay(uint256 tokens, address to) external {
        (bool paid, ) = to.call{value: tokens / TOKENS_PER_HYPE}("");
        require(paid, "unpaid");
    }
}

contract ToyRouter {
    ToyFactory public immutable factory;

    constructor(ToyFactory factory_) {
        factory = factory_;
    }

    function buy(address paid, address token, uint256 minimum, address to, uint256 deadline) external payable {
        require(paid == factory.wrapped() && block.timestamp <= deadline, "refused");
        require(factory.stallOf(token).buy{value: msg.value}(to) >= minimum, "too little");
    }

    function sell(address token, uint256 amount, address to) external {
        ToyStall stall = factory.stallOf(token);
        IToken(token).transferFrom(msg.sender, address(stall), amount);
        stall.pay(amount, to);
    }
}
