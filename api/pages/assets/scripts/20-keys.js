// The key "/" focuses the search field.
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector('.search input');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
