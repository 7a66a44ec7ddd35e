export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PackedPlace {
  readonly page: number;
  readonly left: number;
  readonly top: number;
}

export interface PackedPages {
  /** The place of each item. */
  readonly places: readonly PackedPlace[];
  /** The size of each page, as small as its items allow. */
  readonly pages: readonly Size[];
}

/** Puts rectangles on shelves, the highest first (Coffman et al. 1980, NFDH). Each must fit onto a page. */
export function packShelves(items: readonly Size[], pageSide: number): PackedPages {
  const order = items.map((_, i) => i);
  order.sort((a, b) => items[b]!.height - items[a]!.height || items[b]!.width - items[a]!.width || a - b);
  const area = items.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(0, ...items.map(({ width }) => width));
  // a square that would hold all of them, or the page
  const side = Math.min(pageSide, Math.max(widest, Math.ceil(Math.sqrt(area * 1.1))));
  const places: PackedPlace[] = [];
  const pages: { width: number; height: number }[] = [];
  let [left, top, rowHeight] = [0, 0, 0];
  for (const item of order) {
    const { width, height } = items[item]!;
    if (pages.length > 0 && left + width > side) {
      top += rowHeight;
      [left, rowHeight] = [0, 0];
    }
    if (pages.length === 0 || top + height > pageSide) {
      pages.push({ width: 0, height: 0 });
      [left, top, rowHeight] = [0, 0, 0];
    }
    const page = pages.at(-1)!;
    places[item] = { page: pages.length - 1, left, top };
    page.width = Math.max(page.width, left + width);
    page.height = Math.max(page.height, top + height);
    left += width;
    rowHeight = Math.max(rowHeight, height);
  }
  return { places, pages };
}
