// Updates relative times ("3 min ago") in the format of parts/time.ts.
const units = [
  [31557600, 'yr'],
  [2629800, 'mo'],
  [86400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];
const maxClockLead = 60;
const tick = () => {
  const now = Math.floor(Date.now() / 1000);
  for (const element of document.querySelectorAll('[data-ago]')) {
    const past = now - Number(element.dataset.ago);
    const seconds = Math.abs(past);
    const [length, unit] = units.find(([length]) => seconds >= length) ?? [1, 's'];
    const span = `${Math.floor(seconds / length)} ${unit}`;
    const text = past < -maxClockLead ? `in ${span}` : `${past < 0 ? '0 s' : span} ago`;
    if (element.textContent !== text) element.textContent = text;
  }
};
setInterval(() => {
  if (!document.hidden) tick();
}, 1000);
document.addEventListener('cordscan:shown', tick);
