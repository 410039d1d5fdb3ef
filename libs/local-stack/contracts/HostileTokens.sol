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

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] < value) revert Refused();
        move(from, to, value);
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
contract RefusesBalanceOf is UpgradedToken {
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

/// Keeps a part of what moves: none of it arrives, and none of it stays.
abstract contract KeepsAPart is UpgradedToken {
    function keptPercent(address from) internal view virtual returns (uint256);

    function transfer(address to, uint256 value) external override returns (bool) {
        uint256 kept = (value * keptPercent(msg.sender)) / 100;
        if (balances[msg.sender] < value) revert Refused();
        balances[msg.sender] -= kept;
        totalSupply -= kept;
        move(msg.sender, to, value - kept);
        return true;
    }
}

/// Has its tax switched on.
contract TaxesEverybody is KeepsAPart {
    function keptPercent(address) internal pure override returns (uint256) {
        return 99;
    }
}

/// Taxes those who buy, and nobody else.
contract TaxesBuyers is KeepsAPart {
    function keptPercent(address from) internal view override returns (uint256) {
        return from.code.length > 0 ? 50 : 0;
    }
}

/// Taxes those who take what they bought elsewhere.
contract TaxesHolders is KeepsAPart {
    function keptPercent(address from) internal view override returns (uint256) {
        return from.code.length > 0 ? 0 : 50;
    }
}

/// Taxes in every other block.
contract TaxesAtTimes is KeepsAPart {
    function keptPercent(address) internal view override returns (uint256) {
        return block.number % 2 == 0 ? 30 : 0;
    }
}

/// Knows a simulation by its gas, which costs nothing, and taxes what is mined.
contract SeesSimulations is KeepsAPart {
    function keptPercent(address) internal view override returns (uint256) {
        return tx.gasprice == 0 ? 0 : 90;
    }
}

/// Counts in shares that are worth twice as much from one block to the next.
contract RebasesUp is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] * 2;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value / 2);
        return true;
    }
}

/// The same with half the worth.
contract RebasesDown is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] / 2;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value * 2);
        return true;
    }
}

/// Lets nobody go who has bought.
contract BlocksItsHolders is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (msg.sender.code.length == 0) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Tells that everybody has more than there is.
contract OverstatesBalances is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] + 1e40;
    }
}

/// Tells that nobody but a contract has anything.
contract ReturnsNothing is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return owner.code.length > 0 ? balances[owner] : 0;
    }
}

/// Answers a transfer with nothing, as some old tokens do.
contract AnswersNothing is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value);
        assembly {
            return(0, 0)
        }
    }
}

/// Calls back whoever sends and whoever gets, in the midst of it.
contract Reenters is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        callBack(msg.sender);
        move(msg.sender, to, value);
        callBack(to);
        return true;
    }

    function callBack(address other) private {
        (bool ok, ) = other.call{gas: 100_000}(abi.encodeWithSignature("sync()"));
        ok;
    }
}

/// Is called by a hundred thousand letters.
contract HasAHugeName is UpgradedToken {
    function symbol() external pure override returns (string memory) {
        return string(new bytes(100_000));
    }

    function name() external pure override returns (string memory) {
        return string(new bytes(100_000));
    }
}

/// Is called nothing.
contract HasNoName is UpgradedToken {
    function symbol() external pure override returns (string memory) {
        return "";
    }

    function name() external pure override returns (string memory) {
        return "";
    }
}

/// Is called by bytes that are no text.
contract HasNoText is UpgradedToken {
    function symbol() external pure override returns (string memory) {
        bytes memory text = hex"fffe80c0af";
        return string(text);
    }

    function name() external pure override returns (string memory) {
        bytes memory text = hex"fffe80c0af";
        return string(text);
    }
}

/// Cannot be divided.
contract HasNoDecimals is UpgradedToken {
    function decimals() external pure override returns (uint8) {
        return 0;
    }
}

/// Is divided more often than anybody can show.
contract HasManyDecimals is UpgradedToken {
    function decimals() external pure override returns (uint8) {
        return 77;
    }
}

/// Lets no wallet hold more than twenty tokens. Those who are rich already, such as pools, are exempt.
contract LimitsHoldings is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (balances[to] < 1000 ether && balances[to] + value > 20 ether) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Lets nobody move more than two tokens at once. Those who are rich already, such as pools, are exempt as recipients.
contract LimitsTransfers is UpgradedToken {
    function transfer(address to, uint256 value) public virtual override returns (bool) {
        if (balances[to] < 1000 ether && value > 2 ether) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Lets a wallet hold five times as much besides.
contract LimitsTransfersAndHoldings is LimitsTransfers {
    function transfer(address to, uint256 value) public override returns (bool) {
        if (balances[to] < 1000 ether && balances[to] + value > 10 ether) revert Refused();
        return super.transfer(to, value);
    }
}

/// Lets a wallet buy once in twenty seconds.
contract CoolsDown is UpgradedToken {
    mapping(address => uint256) internal boughtAt;

    function transfer(address to, uint256 value) external override returns (bool) {
        if (msg.sender.code.length > 0 && balances[to] < 1000 ether) {
            if (block.timestamp < boughtAt[to] + 20) revert Refused();
            boughtAt[to] = block.timestamp;
        }
        move(msg.sender, to, value);
        return true;
    }
}
