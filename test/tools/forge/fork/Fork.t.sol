// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

struct RemoteLog {
    address emitter;
    bytes32[] topics;
    bytes data;
    bytes32 blockHash;
    uint64 blockNumber;
    bytes32 transactionHash;
    uint64 transactionIndex;
    uint256 logIndex;
    bool removed;
}

interface Cheats {
    function envAddress(string calldata name) external view returns (address);
    function envUint(string calldata name) external view returns (uint256);
    function envBytes32(string calldata name) external view returns (bytes32);
    function envString(string calldata name) external view returns (string memory);
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function deal(address account, uint256 balance) external;
    function store(address account, bytes32 slot, bytes32 value) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function expectRevert(bytes calldata data) external;
    function createFork(string calldata url, uint256 number) external returns (uint256);
    function createSelectFork(string calldata url) external returns (uint256);
    function createSelectFork(string calldata url, uint256 number) external returns (uint256);
    function createSelectFork(string calldata url, bytes32 transaction) external returns (uint256);
    function selectFork(uint256 id) external;
    function activeFork() external view returns (uint256);
    function rollFork(uint256 number) external;
    function rollFork(bytes32 transaction) external;
    function transact(bytes32 transaction) external;
    function rpc(string calldata method, string calldata params) external returns (bytes memory);
    function eth_getLogs(uint256 from, uint256 to, address emitter, bytes32[] calldata topics)
        external
        returns (RemoteLog[] memory);
}

interface Token {
    function balanceOf(address holder) external view returns (uint256);
    function totalSupply() external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
}

interface Router {
    function getAmountsOut(uint256 amount, address[] calldata path) external view returns (uint256[] memory);
    function swapExactTokensForTokens(uint256, uint256, address[] calldata, address, uint256)
        external
        returns (uint256[] memory);
}

interface Box {
    function value() external view returns (uint256);
}

interface Multicall {
    function getBlockNumber() external view returns (uint256);
    function getBlockHash(uint256 number) external view returns (bytes32);
    function getChainId() external view returns (uint256);
}

/// Reads and changes the remote contracts of a node that is a fork itself.
contract ForkTest {
    Cheats private constant CHEATS = Cheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");
    uint256 private constant TOKENS = 1 ether;

    Token private apple = Token(CHEATS.envAddress("TOOLS_APPLE"));
    Token private pear = Token(CHEATS.envAddress("TOOLS_PEAR"));
    Router private router = Router(CHEATS.envAddress("TOOLS_ROUTER"));
    address private whale = CHEATS.envAddress("TOOLS_WHALE");
    address private holder = CHEATS.envAddress("TOOLS_HOLDER");
    string private url = CHEATS.envString("TOOLS_URL");
    /// The newest block of the node, the one that it was forked at, and the last before the whale has tokens.
    uint256 private head = CHEATS.envUint("TOOLS_HEAD");
    uint256 private forked = CHEATS.envUint("TOOLS_FORKED");
    uint256 private beforeWhale = CHEATS.envUint("TOOLS_BEFORE");
    /// Balances of the whale at the fork, and at the newest block.
    uint256 private tokensThen = CHEATS.envUint("TOOLS_TOKENS_THEN");
    uint256 private tokensNow = CHEATS.envUint("TOOLS_TOKENS_NOW");

    function test_reads_contracts_and_balances() external view {
        require(apple.balanceOf(whale) == tokensNow, "tokens of the whale");
        require(apple.totalSupply() == 1_000_000 ether, "supply");
        require(whale.balance > 9 ether, "ether of the whale");
        require(Box(CHEATS.envAddress("TOOLS_BOX")).value() == 7, "value behind the proxy");
    }

    function test_reads_the_block() external view {
        Multicall multicall = Multicall(CHEATS.envAddress("TOOLS_MULTICALL"));
        require(block.number == head && multicall.getBlockNumber() == head, "number");
        require(block.chainid == CHEATS.envUint("TOOLS_CHAIN_ID"), "chain id");
        require(multicall.getChainId() == block.chainid, "chain id of Multicall3");
        require(multicall.getBlockHash(forked) == CHEATS.envBytes32("TOOLS_FORKED_HASH"), "hash of the fork");
        require(multicall.getBlockHash(forked - 1) != 0, "hash of a block before the fork");
    }

    function test_pranks_a_holder() external {
        CHEATS.prank(whale);
        apple.transfer(address(this), TOKENS);
        require(apple.balanceOf(address(this)) == TOKENS, "tokens");
        require(apple.balanceOf(whale) == tokensNow - TOKENS, "tokens of the whale");
        CHEATS.expectRevert("ds-math-sub-underflow");
        apple.transfer(whale, 2 * TOKENS);
    }

    function test_swaps() external {
        address[] memory path = new address[](2);
        (path[0], path[1]) = (address(apple), address(pear));
        uint256 expected = router.getAmountsOut(TOKENS, path)[1];
        CHEATS.startPrank(whale);
        apple.approve(address(router), TOKENS);
        router.swapExactTokensForTokens(TOKENS, expected, path, address(this), block.timestamp);
        CHEATS.stopPrank();
        require(pear.balanceOf(address(this)) == expected && expected > 3 ether, "bought tokens");
    }

    function test_deals_and_stores() external {
        CHEATS.deal(whale, 5 ether);
        require(whale.balance == 5 ether, "ether");
        // The first slot of Uniswap's token is its supply.
        CHEATS.store(address(apple), 0, bytes32(uint256(3)));
        require(apple.totalSupply() == 3 && uint256(CHEATS.load(address(apple), 0)) == 3, "supply");
    }

    function test_rolls_to_blocks_before_the_fork() external {
        CHEATS.createSelectFork(url);
        require(block.number == head && apple.balanceOf(whale) == tokensNow, "the newest block");
        CHEATS.rollFork(forked);
        require(block.number == forked && apple.balanceOf(whale) == tokensThen, "the block of the fork");
        CHEATS.rollFork(beforeWhale + 1);
        require(apple.balanceOf(whale) == tokensThen && whale.balance == 0, "the first block with tokens");
        CHEATS.rollFork(beforeWhale);
        require(block.number == beforeWhale && apple.balanceOf(whale) == 0, "the block before");
    }

    function test_selects_forks_of_two_blocks() external {
        uint256 then = CHEATS.createFork(url, beforeWhale);
        uint256 present = CHEATS.createSelectFork(url, head);
        require(CHEATS.activeFork() == present && apple.balanceOf(whale) == tokensNow, "the newest block");
        CHEATS.selectFork(then);
        require(CHEATS.activeFork() == then && apple.balanceOf(whale) == 0, "the block before");
        CHEATS.deal(whale, 1);
        CHEATS.selectFork(present);
        require(whale.balance > 9 ether, "ether of the other fork");
    }

    function test_rolls_to_a_remote_transaction_and_runs_it() external {
        bytes32 transaction = CHEATS.envBytes32("TOOLS_TRANSACTION");
        CHEATS.createSelectFork(url, transaction);
        uint256 number = block.number;
        require(apple.balanceOf(holder) == 0, "tokens before it");
        CHEATS.transact(transaction);
        require(apple.balanceOf(holder) > 0, "tokens after it");
        CHEATS.rollFork(beforeWhale);
        CHEATS.rollFork(transaction);
        require(block.number == number && apple.balanceOf(holder) == 0, "tokens before it, again");
    }

    function test_runs_a_local_transaction() external {
        bytes32 transaction = CHEATS.envBytes32("TOOLS_LOCAL_TRANSACTION");
        CHEATS.createSelectFork(url, transaction);
        require(apple.balanceOf(whale) == tokensThen, "tokens before it");
        CHEATS.transact(transaction);
        require(apple.balanceOf(whale) == tokensNow, "tokens after it");
    }

    function test_finds_logs_across_the_fork() external {
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = TRANSFER;
        RemoteLog[] memory logs = CHEATS.eth_getLogs(0, head, address(apple), topics);
        require(logs.length == CHEATS.envUint("TOOLS_LOGS"), "number of logs");
        require(logs[0].blockNumber < forked && logs[logs.length - 1].blockNumber == head, "blocks of the logs");
    }

    function test_calls_the_node() external {
        bytes memory found = CHEATS.rpc("eth_getBlockByNumber", '["0x1", false]');
        require(found.length > 0, "no block");
    }

    /// forge-config: default.fuzz.runs = 32
    function testFuzz_transfers(address to, uint96 amount) external {
        if (amount > tokensNow || to == whale) return;
        uint256 before = apple.balanceOf(to);
        CHEATS.prank(whale);
        apple.transfer(to, amount);
        require(apple.balanceOf(to) == before + amount, "tokens");
    }
}
