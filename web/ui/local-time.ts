const two = (number: number) => String(number).padStart(2, '0');

/** An instant as `<input type="datetime-local">` takes it: by the clock of this browser, to the minute. */
export function toLocalInput(timestamp: string | undefined): string {
  if (timestamp === undefined) return '';
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return '';
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The instant that such a text means; undefined for none. */
export function fromLocalInput(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
