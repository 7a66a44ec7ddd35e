import { color } from 'd3-color';

/** A colour of CSS without its opacity. */
export function hexOf(text: string): string | undefined {
  const found = color(text)?.rgb();
  return found && found.copy({ opacity: 1 }).formatHex();
}
