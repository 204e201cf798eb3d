const addButtons = () => {
  for (const element of document.querySelectorAll('[data-copy]:empty')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    const label = `Copy ${element.dataset.what}`;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', async () => {
      const isDone = await navigator.clipboard?.writeText(element.dataset.copy).then(
        () => true,
        () => false,
      );
      button.textContent = isDone ? 'copied' : 'not copied';
      button.dataset.result = isDone ? '✓' : '✗';
      button.setAttribute('aria-label', button.textContent); // screen readers read it out, because the button has the focus
      setTimeout(() => {
        button.textContent = 'copy';
        button.setAttribute('aria-label', label);
        delete button.dataset.result;
      }, 1500);
    });
    element.append(button);
  }
};
document.addEventListener('DOMContentLoaded', addButtons);
document.addEventListener('cordscan:shown', addButtons);

// Highlights every occurrence of the address under the pointer, so that users notice a similar address.
const mark = (event) => {
  const link = event.target instanceof Element && event.target.closest('a.hex, a.named');
  for (const old of document.querySelectorAll('.same')) old.classList.remove('same');
  if (!link) return;
  const same = [...document.querySelectorAll('a.hex, a.named')].filter((other) => other.href === link.href);
  if (same.length > 1) for (const other of same) other.classList.add('same');
};
document.addEventListener('pointerover', mark);
document.addEventListener('focusin', mark);
