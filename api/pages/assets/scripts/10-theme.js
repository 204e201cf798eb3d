// Applies the light or dark theme: the system setting until the user chooses. Runs before the page is drawn, so that
// the wrong theme never flashes.
const root = document.documentElement;
const moon = 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z';
const sun =
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.5 1.5M17.6 17.6l1.5 1.5M4.9 19.1l1.5-1.5M17.6 6.4l1.5-1.5';

const chosen = () => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // the browser blocks storage
  }
};
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark';

if (chosen() === 'dark' || chosen() === 'light') root.dataset.theme = chosen();

document.addEventListener('DOMContentLoaded', () => {
  const button = document.createElement('button');
  button.type = 'button';
  const show = () => {
    const text = isDark() ? 'Switch to light colours' : 'Switch to dark colours';
    button.setAttribute('aria-label', text);
    button.title = text;
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${isDark() ? sun : moon}"/></svg>`;
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // the browser blocks storage: the choice applies only to this page
    }
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
  document.querySelector('[data-tools]')?.append(button);
});
