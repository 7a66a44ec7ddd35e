const two = (number: number) => String(number).padStart(2, '0');

/** An instant as `<input type="datetime-local">` takes it: in the browser's time zone, to the minute. */
export function toLocalInput(timestamp: string | undefined): string {
  if (timestamp === undefined) return '';
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return '';
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The instant of such a text; undefined if it is empty or invalid. */
export function fromLocalInput(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
