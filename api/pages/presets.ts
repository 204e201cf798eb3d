/** Example statistics queries, linked from the list of charts. */
export const presets: readonly (readonly [title: string, definition: string, parameters: string])[] = [
  ['Top senders', 'Accounts that sent most transactions', 'groupBy=sender&resolution=all&top=25'],
  ['Top receivers', 'Accounts that received most transactions', 'groupBy=recipient&resolution=all&top=25'],
  [
    'Top gas users',
    'Recipients whose transactions used most gas',
    'measure=sum&field=gas_used&groupBy=recipient&resolution=all&top=25',
  ],
  ['Top fee payers', 'Senders that paid most fees', 'measure=sum&field=fee&groupBy=sender&resolution=all&top=25'],
  ['Methods', 'Calls by method', 'groupBy=method&resolution=day'],
  ['Transactions by type', 'Transactions by EIP-2718 type', 'groupBy=type&resolution=day'],
  ['Outcomes', 'Successful and failed transactions', 'groupBy=status&resolution=day'],
  [
    'Median fee of failures',
    'Median fee of failed transactions',
    'measure=p50&field=fee&status=failure&resolution=day',
  ],
  [
    'Value of large transfers',
    'Coin transfers of at least 1,000 coins',
    'of=coin_transfers&measure=sum&field=value&minValue=1000000000000000000000&resolution=day',
  ],
  ['Top tokens', 'Tokens with most transfers', 'of=token_transfers&groupBy=token&resolution=all&top=25'],
  ['Transfers by standard', 'Token transfers by standard', 'of=token_transfers&groupBy=standard&resolution=day'],
  ['NFT collections', 'NFT collections with most trades', 'of=nft_trades&groupBy=token&resolution=all&top=25'],
  ['Active contracts', 'Contracts that emitted a log', 'of=logs&measure=distinct&field=contract&resolution=day'],
  [
    'New contracts that emit logs',
    'Contracts by the day of their first log',
    'of=logs&measure=new&field=contract&resolution=day',
  ],
  ['Contract creators', 'Accounts that created most contracts', 'of=contracts&groupBy=creator&resolution=all&top=25'],
  ['Block producers', 'Blocks by producer', 'of=blocks&groupBy=producer&resolution=day'],
  ['Base fee', 'Average base fee of blocks', 'of=blocks&measure=average&field=base_fee&resolution=hour'],
];
