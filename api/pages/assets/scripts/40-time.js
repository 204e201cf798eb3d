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

// Shows times in UTC, as the page contains them, or in the reader's time zone.
const zoneIsLocal = () => {
  try {
    return localStorage.getItem('zone') === 'local';
  } catch {
    return false; // the browser blocks storage
  }
};
let isLocal = zoneIsLocal();
// the locale sv-SE writes dates as 2026-01-31 12:00:00
const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });
const localTime = (date) =>
  `${format.format(date)} ${zone.formatToParts(date).find(({ type }) => type === 'timeZoneName').value}`;
const showZone = () => {
  for (const element of document.querySelectorAll('time[datetime]')) {
    const date = new Date(element.dateTime);
    const text = isLocal
      ? localTime(date)
      : `${element.getAttribute('datetime').replace('T', ' ').replace('Z', '')} UTC`;
    const small = element.querySelector('small');
    if (small) small.textContent = text;
    else if (element.title) element.title = text;
  }
};
document.addEventListener('DOMContentLoaded', () => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'zone';
  const show = () => {
    button.textContent = isLocal ? 'Local' : 'UTC';
    button.title = isLocal ? 'Show times in UTC' : 'Show times in your time zone';
    showZone();
  };
  button.addEventListener('click', () => {
    isLocal = !isLocal;
    try {
      localStorage.setItem('zone', isLocal ? 'local' : 'utc');
    } catch {
      // the browser blocks storage: the choice applies only to this page
    }
    show();
  });
  show();
  document.querySelector('[data-tools]')?.append(button);
});
document.addEventListener('cordscan:shown', () => {
  if (isLocal) showZone();
});
