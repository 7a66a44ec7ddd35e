import type { ColourRule, MapStyle, StyleFilter } from '@platen/contract/map-styles';
import { cutText } from './cut-text.ts';
import type { NoteList } from './notes.ts';

type Category = Extract<ColourRule, { type: 'categories' }>['categories'][number];

const limits = {
  categories: 100,
  values: 100,
  classes: 20,
  stops: 12,
  filters: 20,
  pixels: 200,
  characters: 200,
} as const;

/** The style with no more than the API permits; what is more is noted. */
export function withinLimits(style: MapStyle, notes: NoteList): MapStyle {
  const first = <T>(items: readonly T[], what: 'categories' | 'values' | 'stops' | 'filters'): T[] => {
    if (items.length > limits[what]) notes.add('tooMany', { what, limit: limits[what], count: items.length });
    return items.slice(0, limits[what]);
  };
  const { colour, size, outline, filter } = style;
  return {
    ...style,
    colour: withinColours(),
    opacity: Math.min(1, Math.max(0, style.opacity ?? 1)),
    ...(size && { size: withinSizes(size, notes) }),
    ...(outline && { outline: { ...outline, width: pixels(outline.width) } }),
    ...(filter && {
      filter: first(filter, 'filters').map(shortFilter),
    }),
  };

  function shortFilter(one: StyleFilter): StyleFilter {
    return one.values ? { ...one, values: first(one.values, 'values') } : one;
  }

  function shortCategory(category: Category): Category {
    return shortRest({ ...category, values: first(category.values, 'values') });
  }

  function withinColours(): MapStyle['colour'] {
    switch (colour.type) {
      case 'single':
        return colour;
      case 'categories':
        return {
          ...colour,
          categories: first(colour.categories, 'categories').map(shortCategory),
          ...(colour.others && { others: shortRest(colour.others) }),
        };
      case 'classes':
        return {
          ...colour,
          breaks: withinClasses(colour.breaks, notes),
          colours: colour.colours.slice(0, limits.classes),
          ...(colour.titles && { titles: colour.titles.slice(0, limits.classes).map(short) }),
          ...(colour.noValue && { noValue: shortRest(colour.noValue) }),
        };
      case 'continuous':
        return {
          ...colour,
          stops: first(colour.stops, 'stops'),
          ...(colour.noValue && { noValue: shortRest(colour.noValue) }),
        };
    }
  }
}

const short = (title: string) => cutText(title, limits.characters);
const shortRest = <T extends { title?: string }>(rest: T): T =>
  rest.title === undefined ? rest : { ...rest, title: short(rest.title) };
const pixels = (value: number) => Math.min(limits.pixels, Math.max(0, value));

function withinClasses(breaks: readonly number[], notes: NoteList): number[] {
  const count = breaks.length - 1;
  if (count > limits.classes) notes.add('tooMany', { what: 'classes', limit: limits.classes, count });
  return breaks.slice(0, limits.classes + 1);
}

function withinSizes(size: NonNullable<MapStyle['size']>, notes: NoteList): NonNullable<MapStyle['size']> {
  switch (size.type) {
    case 'single':
      return { ...size, size: pixels(size.size) };
    case 'classes':
      return {
        ...size,
        breaks: withinClasses(size.breaks, notes),
        sizes: size.sizes.slice(0, limits.classes).map(pixels),
        ...(size.titles && { titles: size.titles.slice(0, limits.classes).map(short) }),
      };
    case 'continuous': {
      const within = (end: { value: number; size: number }) => ({ ...end, size: pixels(end.size) });
      return { ...size, from: within(size.from), to: within(size.to) };
    }
  }
}
