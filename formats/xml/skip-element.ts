import { skipMarkup } from './resolve-text.ts';
import { fault, needMore } from './xml-fault.ts';
import type { XmlName } from './xml-name.ts';
import type { XmlWindow } from './xml-window.ts';

/**
 * Skips whole tags, without checking names, up to the closing tag of an element.
 * @param depth number of elements already open in it
 * @param onDepth receives the depth at each point from which skipping can resume
 */
export function skipElement(window: XmlWindow, depth: number, onDepth: (depth: number) => void): void {
  const { bytes } = window;
  let at = window.at;
  for (;;) {
    while (bytes[at] !== 60) at++;
    window.at = Math.min(at, window.end);
    onDepth(depth);
    if (at + 1 >= window.end) throw needMore;
    const next = bytes[at + 1];
    if (next === 33 || next === 63) {
      at = skipMarkup(window, at);
      continue;
    }
    if (next === 47 && depth === 0) return;
    at++;
    for (let byte = bytes[at]; byte !== 62; byte = bytes[++at]) {
      if (byte === 34 || byte === 39) {
        at++;
        while (bytes[at] !== byte && bytes[at] !== 60) at++;
      }
      if (bytes[at] === 60) fault(window, at, 'a tag is not closed, or contains "<"');
    }
    if (at >= window.end) throw needMore;
    if (next === 47) depth--;
    else if (bytes[at - 1] !== 47) depth++;
  }
}

/**
 * Finds the closing tag of an element by a search for its name, which is many times as fast as following its tags. Moves
 * to it if it is in the window, and nothing in between needs a closer look: comments and the like, or the name itself.
 * @returns whether it did
 */
export function leapOverElement(window: XmlWindow, { bytes: name }: XmlName): boolean {
  const { bytes, at } = window;
  const found = bytes.indexOf(name, at);
  const end = found + name.length;
  if (found < at + 2 || end >= window.end || (bytes[end] !== 62 && bytes[end]! > 32)) return false;
  if (bytes[found - 2] !== lessThan || bytes[found - 1] !== slash) return false;
  const content = bytes.subarray(at, found - 2);
  if (content.includes(exclamationMark) || content.includes(questionMark)) return false;
  window.at = found - 2;
  return true;
}

const [lessThan, slash, exclamationMark, questionMark] = [60, 47, 33, 63];
