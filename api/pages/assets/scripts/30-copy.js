// Copy buttons, wherever the page has a place for one.
const addButtons = () => {
  for (const place of document.querySelectorAll('[data-copy]:empty')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.setAttribute('aria-label', `Copy ${place.dataset.what}`);
    button.addEventListener('click', async () => {
      const isDone = await navigator.clipboard?.writeText(place.dataset.copy).then(
        () => true,
        () => false,
      );
      button.textContent = isDone ? 'copied' : 'not copied';
      setTimeout(() => {
        button.textContent = 'copy';
      }, 1500);
    });
    place.append(button);
  }
};
document.addEventListener('DOMContentLoaded', addButtons);
document.addEventListener('cordscan:shown', addButtons);

// The same address lights up everywhere on the page: two that look alike but are not do not.
const mark = (event) => {
  const link = event.target instanceof Element && event.target.closest('a.hex');
  for (const old of document.querySelectorAll('.same')) old.classList.remove('same');
  if (!link) return;
  const same = [...document.querySelectorAll('a.hex')].filter((other) => other.href === link.href);
  if (same.length > 1) for (const other of same) other.classList.add('same');
};
document.addEventListener('pointerover', mark);
document.addEventListener('focusin', mark);
