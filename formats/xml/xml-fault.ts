import { SourceError } from '../source/source.ts';
import type { XmlWindow } from './xml-window.ts';

/** Thrown where the window ends before the tag or text does; it is begun again with more of it. */
export const needMore = new Error('the window ends here');

/** Throws a fault at a byte of the window; needMore at its end. */
export function fault(window: XmlWindow, at: number, message: string): never {
  if (at >= window.end) throw needMore;
  throw new SourceError('brokenXml', message, window.placeOf(at));
}
