// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// NFTs whose metadata URIs the minter chooses.
contract UriNft {
    mapping(uint256 => string) private uris;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    /// The call of a token named "endless" uses all gas.
    function tokenURI(uint256 id) external view returns (string memory) {
        while (keccak256(bytes(uris[id])) == keccak256("endless")) {}
        return uris[id];
    }

    function mint(address to, uint256 id, string calldata uri) external {
        uris[id] = uri;
        emit Transfer(address(0), to, id);
    }
}
