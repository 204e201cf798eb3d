// Pins charts to the visitor's board. The browser stores the query string of the board's URL.
const boardKey = 'board';
const maxItems = 6;

const readBoard = () => {
  try {
    return localStorage.getItem(boardKey) ?? '';
  } catch {
    return undefined; // the browser blocks storage
  }
};

const addButton = (place, name, act) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.textContent = name;
  button.addEventListener('click', () => act(button));
  place.append(' ', button);
};

const pin = (item) => (button) => {
  const board = readBoard();
  const items = board.split('&').filter((one) => /^(chart|query)=/.test(one));
  const isFull = items.length >= maxItems && !items.includes(item);
  if (isFull) return button.replaceWith('Your board is full: remove a chart from it.');
  const kept = board.split('&').includes(item) ? board : [board, item].filter(Boolean).join('&');
  localStorage.setItem(boardKey, kept);
  const link = document.createElement('a');
  link.href = `/board?${kept}`;
  link.textContent = 'Pinned: open your board';
  button.replaceWith(link);
};

const showOwnBoard = (place) => {
  const [own, shown] = [readBoard(), location.search.slice(1)];
  // on the visitor's own board, links that remove a chart also change the stored board
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('[data-remove]');
    if (link && shown === own) localStorage.setItem(boardKey, link.search.slice(1));
  });
  if (shown === '' && own) location.replace(`/board?${own}`);
  if (shown === '' || shown === own) return;
  addButton(place, 'Save as your board', (button) => {
    localStorage.setItem(boardKey, shown);
    button.replaceWith('This is your board now.');
  });
};

const addPins = () => {
  for (const place of document.querySelectorAll('[data-pin]'))
    if (!place.querySelector('button, a[href^="/board?"]')) addButton(place, 'Pin to board', pin(place.dataset.pin));
};

document.addEventListener('DOMContentLoaded', () => {
  if (readBoard() === undefined) return;
  addPins();
  // another range of the chart can be pinned separately
  document.addEventListener('cordscan:shown', addPins);
  const board = document.querySelector('[data-board]');
  if (board) showOwnBoard(board);
});
