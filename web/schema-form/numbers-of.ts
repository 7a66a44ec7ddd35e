/** Numbers that are separated by commas, semicolons or spaces; what is no number stays text, and is reported as one. */
export function numbersOf(text: string): (number | string)[] {
  const parts = text.split(/[;,\s]+/).filter((part) => part !== '');
  return parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part));
}
