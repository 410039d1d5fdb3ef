// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/// A plain token with DemoToken's storage layout, so that its code can replace DemoToken's during a job: a malicious owner's
/// upgrade. Each contract below adds one malicious behaviour.
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

/// Leaves one unit of every transfer with the sender, as tokens that count in shares do.
contract KeepsOneUnit is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value - 1);
        return true;
    }
}

/// Returns true and moves nothing.
contract MovesNothing is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return true;
    }
}

/// Returns false without a revert.
contract SaysNo is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// Returns true and emits a Transfer of the whole amount, but moves nothing.
contract LiesInItsEvent is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Emits a second Transfer event with more tokens than exist.
contract BoastsInItsEvent is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value);
        emit Transfer(msg.sender, to, type(uint256).max);
        return true;
    }
}

/// Reverts every transfer, as a paused token does.
contract RefusesTransfers is UpgradedToken {
    function transfer(address, uint256) external pure override returns (bool) {
        revert Refused();
    }
}

/// Accepts a transfer in an estimate, where the gas price is 0, and reverts it in a mined transaction.
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

/// Reverts every balance query.
contract RefusesBalanceOf is UpgradedToken {
    function balanceOf(address) external pure override returns (uint256) {
        revert Refused();
    }
}

/// Uses all gas of a balance query.
contract BurnsGasOfReaders is UpgradedToken {
    function balanceOf(address) external view override returns (uint256) {
        burn(type(uint256).max);
        return 0;
    }
}

/// Answers a balance query with one megabyte.
contract AnswersTooMuch is UpgradedToken {
    function balanceOf(address) external pure override returns (uint256) {
        assembly {
            return(0, 1000000)
        }
    }
}

/// Uses all gas of a query for its symbol.
contract BurnsGasForItsSymbol is UpgradedToken {
    function symbol() external view override returns (string memory) {
        burn(type(uint256).max);
        return tokenSymbol;
    }
}

/// Burns a part of each transfer: the recipient does not receive it and the sender loses it.
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

/// Taxes every transfer by 99 %.
contract TaxesEverybody is KeepsAPart {
    function keptPercent(address) internal pure override returns (uint256) {
        return 99;
    }
}

/// Taxes only transfers from contracts, that is purchases from pools.
contract TaxesBuyers is KeepsAPart {
    function keptPercent(address from) internal view override returns (uint256) {
        return from.code.length > 0 ? 50 : 0;
    }
}

/// Taxes only transfers from wallets, that is of bought tokens.
contract TaxesHolders is KeepsAPart {
    function keptPercent(address from) internal view override returns (uint256) {
        return from.code.length > 0 ? 0 : 50;
    }
}

/// Taxes transfers in every other block.
contract TaxesAtTimes is KeepsAPart {
    function keptPercent(address) internal view override returns (uint256) {
        return block.number % 2 == 0 ? 30 : 0;
    }
}

/// Recognises a simulation by its gas price of 0, and taxes mined transactions only.
contract SeesSimulations is KeepsAPart {
    function keptPercent(address) internal view override returns (uint256) {
        return tx.gasprice == 0 ? 0 : 90;
    }
}

/// Counts in shares whose value has doubled from one block to the next.
contract RebasesUp is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] * 2;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value / 2);
        return true;
    }
}

/// Counts in shares whose value has halved from one block to the next.
contract RebasesDown is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] / 2;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value * 2);
        return true;
    }
}

/// Reverts transfers from wallets: buyers can never move their tokens.
contract BlocksItsHolders is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (msg.sender.code.length == 0) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Reports larger balances than exist.
contract OverstatesBalances is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return balances[owner] + 1e40;
    }
}

/// Reports a balance of 0 for every account that is no contract.
contract ReturnsNothing is UpgradedToken {
    function balanceOf(address owner) external view override returns (uint256) {
        return owner.code.length > 0 ? balances[owner] : 0;
    }
}

/// Returns no data from a transfer, as some old tokens do.
contract AnswersNothing is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value);
        assembly {
            return(0, 0)
        }
    }
}

/// Calls the sender before a transfer and the recipient after it.
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

/// Has a name and a symbol of 100,000 bytes.
contract HasAHugeName is UpgradedToken {
    function symbol() external pure override returns (string memory) {
        return string(new bytes(100_000));
    }

    function name() external pure override returns (string memory) {
        return string(new bytes(100_000));
    }
}

/// Has an empty name and symbol.
contract HasNoName is UpgradedToken {
    function symbol() external pure override returns (string memory) {
        return "";
    }

    function name() external pure override returns (string memory) {
        return "";
    }
}

/// Has a name and a symbol that are not valid UTF-8.
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

/// Has 0 decimals: its smallest unit is one token.
contract HasNoDecimals is UpgradedToken {
    function decimals() external pure override returns (uint8) {
        return 0;
    }
}

/// Has 77 decimals, more than any user interface can show.
contract HasManyDecimals is UpgradedToken {
    function decimals() external pure override returns (uint8) {
        return 77;
    }
}

/// Rejects a transfer that gives a wallet more than 20 tokens. Recipients with at least 1,000 tokens, such as pools, are exempt.
contract LimitsHoldings is UpgradedToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (balances[to] < 1000 ether && balances[to] + value > 20 ether) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// Rejects a transfer of more than 2 tokens. Recipients with at least 1,000 tokens, such as pools, are exempt.
contract LimitsTransfers is UpgradedToken {
    function transfer(address to, uint256 value) public virtual override returns (bool) {
        if (balances[to] < 1000 ether && value > 2 ether) revert Refused();
        move(msg.sender, to, value);
        return true;
    }
}

/// In addition, rejects a transfer that gives a wallet more than 10 tokens, five times the limit of one transfer.
contract LimitsTransfersAndHoldings is LimitsTransfers {
    function transfer(address to, uint256 value) public override returns (bool) {
        if (balances[to] < 1000 ether && balances[to] + value > 10 ether) revert Refused();
        return super.transfer(to, value);
    }
}

/// Lets a wallet buy only once in 20 seconds.
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
