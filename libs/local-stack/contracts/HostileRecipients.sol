// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// Takes HYPE, but uses more gas for it than a transfer may have.
contract TakesTooMuchGas {
    receive() external payable {
        uint256 before = gasleft();
        while (before - gasleft() < 1_200_000) {}
    }
}

/// Takes no HYPE at all.
contract TakesNothing {
    receive() external payable {
        revert("no");
    }
}

/// Takes a little, as a wallet with a limit does.
contract TakesLittle {
    receive() external payable {
        require(msg.value < 1000, "too much");
    }
}

/// Takes what an estimate sends, where gas costs nothing, and refuses what is mined.
contract RefusesWhenItIsMined {
    receive() external payable {
        require(tx.gasprice == 0, "not now");
    }
}
