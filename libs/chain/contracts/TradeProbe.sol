// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Tries a token before any money is taken: buys with native HYPE, sells half, sends the other half to a fresh
/// address, and returns the outcome. It is never deployed: its creation code is the data of an `eth_call` without a
/// recipient. The constructor returns the answer in place of code. While a constructor runs, its address has no code.
/// Tokens and routers therefore treat it as a plain wallet.
contract TradeProbe {
    struct Call {
        address to;
        bytes data;
    }

    /// The calls in the form of an exchange: the probe itself knows no exchange.
    struct Plan {
        Call[] buyQuotes;
        /// Gets the call's value.
        Call buy;
        Call[] sellQuotes;
        /// The probe approves its contract to take the sold tokens.
        Call sell;
        address wrapped;
        address token;
        /// Placeholders in the calls for the sold amount and for this address: both are unknown before the call.
        bytes32 amountMark;
        bytes32 traderMark;
    }

    struct Outcome {
        bool bought;
        /// The data that each quote returned; empty where it reverted.
        bytes[] buyQuotes;
        uint256 buyReceived;
        /// Used by the buy itself, without a transaction's base cost.
        uint256 buyGas;
        bool sold;
        bytes[] sellQuotes;
        uint256 sellReceived;
        bool transferred;
        uint256 transferSent;
        uint256 transferReceived;
        /// The revert data of the first failed step, cut to 256 bytes.
        bytes reason;
    }

    /// Each returned byte costs 200 gas, as if it were deployed.
    uint256 private constant MOST_RETURNED = 256;

    constructor(Plan memory plan) payable {
        bytes memory answer = abi.encode(_probe(plan));
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    function _probe(Plan memory plan) private returns (Outcome memory outcome) {
        outcome.buyQuotes = _quote(plan, plan.buyQuotes, 0);
        _fill(plan, plan.buy.data, 0);
        uint256 gasBefore = gasleft();
        (outcome.bought, outcome.reason) = _call(plan.buy.to, msg.value, plan.buy.data);
        outcome.buyGas = gasBefore - gasleft();
        if (!outcome.bought) return outcome;
        outcome.buyReceived = _balance(plan.token, address(this));

        uint256 toSell = outcome.buyReceived - outcome.buyReceived / 2;
        outcome.sellQuotes = _quote(plan, plan.sellQuotes, toSell);
        _call(plan.token, 0, abi.encodeWithSignature("approve(address,uint256)", plan.sell.to, toSell));
        _fill(plan, plan.sell.data, toSell);
        uint256 hypeBefore = address(this).balance + _balance(plan.wrapped, address(this));
        (outcome.sold, outcome.reason) = _call(plan.sell.to, 0, plan.sell.data);
        outcome.sellReceived = address(this).balance + _balance(plan.wrapped, address(this)) - hypeBefore;

        _transfer(plan, outcome);
    }

    function _transfer(Plan memory plan, Outcome memory outcome) private {
        address fresh = address(uint160(uint256(keccak256(abi.encode(plan.token, block.number, block.timestamp)))));
        uint256 before = _balance(plan.token, fresh);
        uint256 held = _balance(plan.token, address(this));
        outcome.transferSent = outcome.sold ? held : held / 2;
        bytes memory reason;
        (outcome.transferred, reason) =
            _call(plan.token, 0, abi.encodeWithSignature("transfer(address,uint256)", fresh, outcome.transferSent));
        // A token may also refuse by answering false.
        if (outcome.transferred && reason.length >= 32 && abi.decode(reason, (uint256)) == 0) outcome.transferred = false;
        outcome.transferReceived = _balance(plan.token, fresh) - before;
        if (outcome.sold) outcome.reason = outcome.transferred ? bytes("") : reason;
    }

    function _quote(Plan memory plan, Call[] memory calls, uint256 amount) private returns (bytes[] memory answers) {
        answers = new bytes[](calls.length);
        for (uint256 index = 0; index < calls.length; index++) {
            _fill(plan, calls[index].data, amount);
            (bool ok, bytes memory returned) = _call(calls[index].to, 0, calls[index].data);
            if (ok) answers[index] = returned;
        }
    }

    /// Replaces the marks by the amount and this address at every offset: a call may be within another.
    function _fill(Plan memory plan, bytes memory data, uint256 amount) private view {
        (bytes32 amountMark, bytes32 traderMark) = (plan.amountMark, plan.traderMark);
        assembly ("memory-safe") {
            let last := add(data, mload(data))
            for { let place := add(data, 32) } iszero(gt(place, last)) { place := add(place, 1) } {
                let word := mload(place)
                if eq(word, amountMark) { mstore(place, amount) }
                if eq(word, traderMark) { mstore(place, address()) }
            }
        }
    }

    function _balance(address token, address owner) private returns (uint256) {
        (bool ok, bytes memory returned) = _call(token, 0, abi.encodeWithSignature("balanceOf(address)", owner));
        return ok && returned.length >= 32 ? _word(returned, 0) : 0;
    }

    function _word(bytes memory returned, uint256 index) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := mload(add(add(returned, 32), mul(index, 32)))
        }
    }

    /// Leaves a third of the gas and copies a bounded answer, so that no token can stop the probe from answering.
    function _call(address to, uint256 value, bytes memory data) private returns (bool ok, bytes memory returned) {
        uint256 most = MOST_RETURNED;
        returned = new bytes(most);
        uint256 gasAllowed = (gasleft() * 2) / 3;
        assembly ("memory-safe") {
            ok := call(gasAllowed, to, value, add(data, 32), mload(data), add(returned, 32), most)
            let length := returndatasize()
            if gt(length, most) { length := most }
            mstore(returned, length)
        }
    }
}
