import { svgElement } from './element.ts';

/** Strokes on a grid of 24 × 24. */
const strokes = {
  app: 'M4 5h16v14H4zM4 9h16M7 7h.01M10 7h.01',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  datasource: 'M5 6c0-4 14-4 14 0s-14 4-14 0v12c0 4 14 4 14 0V6M5 12c0 4 14 4 14 0',
  job: 'M4 7l2 2 3-4M4 17l2 2 3-4M13 7h7M13 17h7',
  module: 'M4 4h7v7H4zM13 13h7v7h-7zM4 13h7v7H4zM13 4h7v7h-7z',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-7 12-7 12 0M16 4.5a3.5 3.5 0 0 1 0 6M17.5 14.5c2.5.8 3.5 2.7 3.5 5.5',
  chevron: 'M6 9l6 6 6-6',
  open: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9',
  world: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  alert: 'M12 4 2.8 20h18.4zM12 10v4M12 17h.01',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4.5 4.5',
  compass: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z',
  braces: 'M9 4C6 4 7 7 7 9s-1 3-3 3c2 0 3 1 3 3s-1 5 2 5M15 4c3 0 2 3 2 5s1 3 3 3c-2 0-3 1-3 3s1 5-2 5',
  book: 'M5 5a2 2 0 0 1 2-2h12v15H7a2 2 0 0 0-2 2zM5 20a2 2 0 0 0 2 1h12v-3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5 9.5-10',
  eye: 'M2.5 12C6 5.5 18 5.5 21.5 12 18 18.5 6 18.5 2.5 12zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z',
} as const;

export type IconName = keyof typeof strokes;

/** A decorative icon in the colour of the text around it. */
export function icon(name: IconName): SVGSVGElement {
  return svgElement(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svgElement('path', { d: strokes[name] }),
  );
}

/** The mark of the product. */
export function mark(sizePixels: number): HTMLImageElement {
  const image = new Image(sizePixels, sizePixels);
  image.src = '/web/favicon.svg';
  image.alt = '';
  return image;
}
