/** Numbers and times in readable form. The width stays the same while a number grows: one unit, few digits. */

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0 s';
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 100) return `${Number.isInteger(value) ? value : value.toFixed(1)} s`;
  if (value < 3600)
    return `${Math.floor(value / 60)} min ${String(Math.floor(value % 60)).padStart(2, '0')} s`;
  return `${Math.floor(value / 3600)} h ${String(Math.floor((value % 3600) / 60)).padStart(2, '0')} min`;
}

export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined || !Number.isFinite(share) ? '–' : `${Math.round(share * 100)} %`;

const grouped = new Intl.NumberFormat('en', { useGrouping: true, maximumFractionDigits: 0 });
export const count = (value: number): string => grouped.format(value).replaceAll(',', '\u202F');

/** For count axes: labels whole numbers only. */
export const whole = (value: number): string => (Number.isInteger(value) ? count(value) : '');

export const plural = (value: number, word: string): string =>
  `${count(value)} ${word}${value === 1 ? '' : 's'}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** HH:MM:SS in the reader's time zone. */
export function clock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Only the time for today; date and time for another day. */
export function moment(at: number, now: number): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

export function ago(at: number, now: number): string {
  const passed = Math.max(0, (now - at) / 1000);
  if (passed < 60) return `${Math.floor(passed)} s ago`;
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86_400) return `${Math.floor(passed / 3600)} h ago`;
  return `${Math.floor(passed / 86_400)} d ago`;
}
