// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// A plain token with the storage of DemoToken, so that its code can take that one's place in mid-job: an upgrade by an
/// owner who means harm. What each contract below does of its own is the harm.
abstract contract UpgradedToken {
    string internal tokenName;
    string internal tokenSymbol;
    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error Refused();

    function name() external view virtual returns (string memory) {
        return tokenName;
    }

    function symbol() external view virtual returns (string memory) {
        return tokenSymbol;
    }

    function decimals() external view virtual returns (uint8) {
        return 18;
    }

    function balanceOf(address owner) external view virtual returns (uint256) {
        return balances[owner];
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal {
        if (balances[from] < value) revert Refused();
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }

    function burn(uint256 gasUsed) internal view {
        uint256 before = gasleft();
        while (before - gasleft() < gasUsed) {}
    }
}

/// Keeps one unit of every transfer with its sender, as tokens that count in shares do.
contract KeepsOneUnit is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value - 1);
        return true;
    }
}

/// Says yes and moves nothing.
contract MovesNothing is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return true;
    }
}

/// Says no without a revert.
contract SaysNo is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// Says that it moved everything, in an event too, and moves nothing.
contract LiesInItsEvent is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Says in an event that more was moved than there is.
contract BoastsInItsEvent is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value);
        emit Transfer(msg.sender, to, type(uint256).max);
        return true;
    }
}

/// Is paused for ever.
contract RefusesTransfers is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        revert Refused();
    }
}

/// Lets an estimate pass, where gas costs nothing, and reverts what is mined.
contract RefusesWhenMined is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (tx.gasprice > 0) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Needs more gas than a transfer may have.
contract NeedsTooMuchGas is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        burn(1_200_000);
        move(msg.sender, to, value);
        return true;
    }
}

/// Does not tell what anybody has.
contract RefusesToTellBalances is UpgradedToken {
    function balanceOf(address) external pure override returns (uint256) {
        revert Refused();
    }
}

/// Uses up all gas of whoever asks what anybody has.
contract BurnsGasOfReaders is UpgradedToken {
    function balanceOf(address) external view override returns (uint256) {
        burn(type(uint256).max);
        return 0;
    }
}

/// Answers with a megabyte.
contract AnswersTooMuch is UpgradedToken {
    function balanceOf(address) external pure override returns (uint256) {
        assembly {
            return(0, 1000000)
        }
    }
}

/// Uses up all gas of whoever asks for its symbol.
contract BurnsGasForItsSymbol is UpgradedToken {
    function symbol() external view override returns (string memory) {
        burn(type(uint256).max);
        return tokenSymbol;
    }
}
