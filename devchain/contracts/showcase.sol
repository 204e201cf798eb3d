// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Savings accounts; runs behind a proxy.
contract Savings {
    struct Account {
        uint128 amount;
        uint64 since;
        string label;
    }

    error NothingSaved(address owner);
    error TooLittle(uint256 given, uint256 least);

    mapping(address => Account) internal accounts;

    event Saved(address indexed owner, uint256 amount, string label);
    event Taken(address indexed owner, uint256 amount);

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function save(string calldata label) external payable {
        if (msg.value < 1000) revert TooLittle(msg.value, 1000);
        Account storage account = accounts[msg.sender];
        account.amount += uint128(msg.value);
        account.since = uint64(block.timestamp);
        account.label = label;
        emit Saved(msg.sender, msg.value, label);
    }

    function take() external {
        uint256 amount = accounts[msg.sender].amount;
        if (amount == 0) revert NothingSaved(msg.sender);
        accounts[msg.sender].amount = 0;
        emit Taken(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function accountsOf(address[] calldata owners) external view returns (Account[] memory found) {
        found = new Account[](owners.length);
        for (uint256 i = 0; i < owners.length; i++) found[i] = accounts[owners[i]];
    }
}

/// Second version: also says who saved for how long.
contract SavingsTwo is Savings {
    function version() external pure override returns (uint256) {
        return 2;
    }

    function secondsSaved(address owner) external view returns (uint256) {
        return accounts[owner].amount == 0 ? 0 : block.timestamp - accounts[owner].since;
    }
}

/// Proxy with the storage slots and the event of EIP-1967.
contract SavingsProxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    address private immutable admin;

    error NotAdmin(address caller);

    event Upgraded(address indexed implementation);

    constructor(address implementation) {
        admin = msg.sender;
        setImplementation(implementation);
    }

    function upgradeTo(address implementation) external {
        if (msg.sender != admin) revert NotAdmin(msg.sender);
        setImplementation(implementation);
    }

    function setImplementation(address implementation) private {
        assembly {
            sstore(SLOT, implementation)
        }
        emit Upgraded(implementation);
    }

    receive() external payable {}

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Holds a payment until an arbiter decides.
contract Escrow {
    enum State {
        Open,
        Released,
        Refunded
    }

    address payable public immutable buyer;
    address payable public immutable seller;
    address public immutable arbiter;
    State public state;

    error NotArbiter(address caller);
    error NotOpen(State state);

    event Decided(State indexed state, uint256 amount);

    constructor(address payable seller_, address arbiter_) payable {
        buyer = payable(msg.sender);
        seller = seller_;
        arbiter = arbiter_;
    }

    function decide(bool isRelease) external {
        if (msg.sender != arbiter) revert NotArbiter(msg.sender);
        if (state != State.Open) revert NotOpen(state);
        state = isRelease ? State.Released : State.Refunded;
        uint256 amount = address(this).balance;
        emit Decided(state, amount);
        (isRelease ? seller : buyer).transfer(amount);
    }
}

/// Wallet of several owners.
contract SharedWallet {
    struct Proposal {
        address payable to;
        uint256 value;
        uint256 approvals;
        bool isDone;
    }

    address[] public owners;
    uint256 public immutable needed;
    Proposal[] public proposals;
    mapping(uint256 => mapping(address => bool)) public hasApproved;

    error NotOwner(address caller);
    error AlreadyApproved(uint256 proposal, address owner);

    event Proposed(uint256 indexed proposal, address indexed to, uint256 value);
    event Approved(uint256 indexed proposal, address indexed owner);
    event Paid(uint256 indexed proposal);

    constructor(address[] memory owners_, uint256 needed_) payable {
        owners = owners_;
        needed = needed_;
    }

    modifier onlyOwner() {
        bool isOwner = false;
        for (uint256 i = 0; i < owners.length; i++) if (owners[i] == msg.sender) isOwner = true;
        if (!isOwner) revert NotOwner(msg.sender);
        _;
    }

    function propose(address payable to, uint256 value) external onlyOwner returns (uint256 proposal) {
        proposal = proposals.length;
        proposals.push(Proposal(to, value, 0, false));
        emit Proposed(proposal, to, value);
    }

    function approve(uint256 proposal) external onlyOwner {
        if (hasApproved[proposal][msg.sender]) revert AlreadyApproved(proposal, msg.sender);
        hasApproved[proposal][msg.sender] = true;
        Proposal storage each = proposals[proposal];
        each.approvals += 1;
        emit Approved(proposal, msg.sender);
        if (each.isDone || each.approvals < needed) return;
        each.isDone = true;
        emit Paid(proposal);
        each.to.transfer(each.value);
    }
}

/// Names that point to addresses.
contract NameBook {
    struct Entry {
        address owner;
        address target;
        uint64 registeredAt;
    }

    mapping(string => Entry) public entries;

    error Taken(string name, address owner);

    event Registered(string indexed nameHash, string name, address indexed target);

    function register(string calldata name, address target) external {
        Entry storage entry = entries[name];
        if (entry.owner != address(0) && entry.owner != msg.sender) revert Taken(name, entry.owner);
        entries[name] = Entry(msg.sender, target, uint64(block.timestamp));
        emit Registered(name, name, target);
    }
}
