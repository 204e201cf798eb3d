/** Events of common interfaces. Events with equal signatures differ in their number of indexed parameters. */
export const knownEvents: Readonly<Record<string, readonly string[]>> = {
  'ERC-20': [
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Approval(address indexed owner, address indexed spender, uint256 value)',
  ],
  'ERC-721': [
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
    'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  ],
  'ERC-1155': [
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    'event URI(string value, uint256 indexed id)',
  ],
  'Wrapped coin': [
    'event Deposit(address indexed owner, uint256 value)',
    'event Withdrawal(address indexed owner, uint256 value)',
  ],
  'Uniswap V2': [
    'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
    'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
    'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
    'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    'event Sync(uint112 reserve0, uint112 reserve1)',
  ],
  'Uniswap V3': [
    'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
    'event Initialize(uint160 sqrtPriceX96, int24 tick)',
    'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
    'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
    'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  ],
  'EIP-1967 proxy': [
    'event Upgraded(address indexed implementation)',
    'event BeaconUpgraded(address indexed beacon)',
    'event AdminChanged(address previousAdmin, address newAdmin)',
    'event Initialized(uint8 version)',
    'event Initialized(uint64 version)',
  ],
  Ownable: [
    'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
    'event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)',
    'event Paused(address account)',
    'event Unpaused(address account)',
  ],
  'Access control': [
    'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
    'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
    'event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)',
  ],
  'Name registrar': [
    'event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 cost, uint256 expires)',
    'event NameRegistered(uint256 indexed id, address indexed owner, uint256 expires)',
    'event NameRenewed(string name, bytes32 indexed label, uint256 cost, uint256 expires)',
    'event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner)',
    'event NewResolver(bytes32 indexed node, address resolver)',
    'event AddrChanged(bytes32 indexed node, address a)',
    'event NameChanged(bytes32 indexed node, string name)',
  ],
};
