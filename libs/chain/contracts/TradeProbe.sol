// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Tries a token before any money is taken: buys with native HYPE, sells half, sends the other half to a fresh
/// address, and tells what happened. It is never deployed: its creation code is the data of an `eth_call` without a
/// recipient, and what the constructor returns in place of code is the answer. While a constructor runs its address
/// has no code, so tokens and routers see what they would see of a plain wallet.
contract TradeProbe {
    enum Shape {
        UniswapV2,
        CamelotV2,
        UniswapV3
    }

    struct Plan {
        Shape shape;
        /// V3: the swap's struct holds a deadline.
        bool routerHasDeadline;
        /// V3: second version of the quoter.
        bool quoterIsV2;
        /// V3: fee tier in hundredths of a basis point.
        uint24 fee;
        address router;
        /// V3 only.
        address quoter;
        address pool;
        address wrapped;
        address token;
    }

    struct Outcome {
        bool bought;
        uint256 buyQuoted;
        uint256 buyReceived;
        /// Used by the buy itself, without a transaction's base cost.
        uint256 buyGas;
        bool sold;
        uint256 sellQuoted;
        uint256 sellReceived;
        bool transferred;
        uint256 transferSent;
        uint256 transferReceived;
        /// What the first failed step reverted with, cut to 256 bytes.
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
        outcome.buyQuoted = _quote(plan, plan.wrapped, plan.token, msg.value);
        uint256 gasBefore = gasleft();
        (outcome.bought, outcome.reason) = _call(plan.router, msg.value, _buyData(plan));
        outcome.buyGas = gasBefore - gasleft();
        if (!outcome.bought) return outcome;
        outcome.buyReceived = _balance(plan.token, address(this));

        uint256 toSell = outcome.buyReceived - outcome.buyReceived / 2;
        outcome.sellQuoted = _quote(plan, plan.token, plan.wrapped, toSell);
        _call(plan.token, 0, abi.encodeWithSignature("approve(address,uint256)", plan.router, toSell));
        uint256 hypeBefore = address(this).balance + _balance(plan.wrapped, address(this));
        (outcome.sold, outcome.reason) = _call(plan.router, 0, _sellData(plan, toSell));
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

    function _quote(Plan memory plan, address from, address to, uint256 amount) private returns (uint256 quoted) {
        bool isV3 = plan.shape == Shape.UniswapV3;
        (bool ok, bytes memory returned) = _call(isV3 ? plan.quoter : plan.router, 0, _quoteData(plan, from, to, amount));
        if (!ok) return 0;
        if (isV3) return returned.length < 32 ? 0 : _word(returned, 0);
        // uint256[] of two: offset, length, amount in, amount out.
        quoted = returned.length < 128 ? 0 : _word(returned, 3);
        if (plan.shape != Shape.CamelotV2) return quoted;
        uint256 given = _camelotAmountOut(plan, from, to, amount);
        if (given < quoted) quoted = given;
    }

    /// By the pair's reserves and the fee of this direction, in thousandths of a percent: the router may not know that fee.
    function _camelotAmountOut(Plan memory plan, address from, address to, uint256 amount) private returns (uint256) {
        (bool ok, bytes memory returned) = _call(plan.pool, 0, abi.encodeWithSignature("getReserves()"));
        if (!ok || returned.length < 128) return 0;
        uint256 side = from < to ? 0 : 1;
        uint256 kept = amount * (100000 - _word(returned, 2 + side));
        uint256 divisor = _word(returned, side) * 100000 + kept;
        return divisor == 0 ? 0 : (kept * _word(returned, 1 - side)) / divisor;
    }

    function _quoteData(Plan memory plan, address from, address to, uint256 amount) private pure returns (bytes memory) {
        if (plan.shape != Shape.UniswapV3) return abi.encodeWithSignature("getAmountsOut(uint256,address[])", amount, _path(from, to));
        if (plan.quoterIsV2) {
            return abi.encodeWithSignature(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))", from, to, amount, plan.fee, 0
            );
        }
        return abi.encodeWithSignature(
            "quoteExactInputSingle(address,address,uint24,uint256,uint160)", from, to, plan.fee, amount, 0
        );
    }

    function _buyData(Plan memory plan) private view returns (bytes memory) {
        if (plan.shape == Shape.UniswapV3) return _swapData(plan, plan.wrapped, plan.token, msg.value);
        if (plan.shape == Shape.CamelotV2) {
            return abi.encodeWithSignature(
                "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,address,uint256)",
                0, _path(plan.wrapped, plan.token), address(this), address(0), block.timestamp
            );
        }
        return abi.encodeWithSignature(
            "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)",
            0, _path(plan.wrapped, plan.token), address(this), block.timestamp
        );
    }

    /// Both pair shapes sell through the variant that tolerates a fee, so that a taxed sale shows as less money and not as a revert.
    function _sellData(Plan memory plan, uint256 amount) private view returns (bytes memory) {
        if (plan.shape == Shape.UniswapV3) return _swapData(plan, plan.token, plan.wrapped, amount);
        if (plan.shape == Shape.CamelotV2) {
            return abi.encodeWithSignature(
                "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,address,uint256)",
                amount, 0, _path(plan.token, plan.wrapped), address(this), address(0), block.timestamp
            );
        }
        return abi.encodeWithSignature(
            "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
            amount, 0, _path(plan.token, plan.wrapped), address(this), block.timestamp
        );
    }

    function _swapData(Plan memory plan, address from, address to, uint256 amount) private view returns (bytes memory) {
        if (plan.routerHasDeadline) {
            return abi.encodeWithSignature(
                "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
                from, to, plan.fee, address(this), block.timestamp, amount, 0, 0
            );
        }
        return abi.encodeWithSignature(
            "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            from, to, plan.fee, address(this), amount, 0, 0
        );
    }

    function _path(address from, address to) private pure returns (address[] memory path) {
        path = new address[](2);
        path[0] = from;
        path[1] = to;
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

    /// Leaves a third of the gas and copies a bounded answer, so that no token can keep the probe from answering.
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
