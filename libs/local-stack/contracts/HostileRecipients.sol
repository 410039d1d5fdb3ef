// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// Accepts HYPE, but uses more gas for it than a transfer may have.
contract TakesTooMuchGas {
    receive() external payable {
        uint256 before = gasleft();
        while (before - gasleft() < 1_200_000) {}
    }
}

/// Rejects all HYPE.
contract TakesNothing {
    receive() external payable {
        revert("no");
    }
}

/// Accepts small amounts only, as a wallet with a limit does.
contract TakesLittle {
    receive() external payable {
        require(msg.value < 1000, "too much");
    }
}

/// Accepts HYPE in an estimate, where the gas price is 0, and rejects it in a mined transaction.
contract RefusesWhenItIsMined {
    receive() external payable {
        require(tx.gasprice == 0, "not now");
    }
}
