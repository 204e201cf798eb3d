/** The test files share one chain. The last test damages its stored rows. */
import './statements/books.ts';
import './statements/account-at.ts';
import './statements/coin-balances.ts';
