import type { MapStyle } from '@platen/contract/map-styles';
import { colourOfStops } from '../../colour-of-stops.ts';
import type { NoteList } from '../notes.ts';

const stepCount = 12;

/** A style whose continuous colours are classes: QGIS has symbols for ranges of numbers. */
export function inSteps(style: MapStyle, notes: NoteList): MapStyle {
  const { colour } = style;
  if (colour.type !== 'continuous') return style;
  notes.add('steps', { count: stepCount });
  const { attribute, stops, noValue } = colour;
  const [from, to] = [stops[0]!.value, stops.at(-1)!.value];
  const at = (share: number) => from + (to - from) * share;
  const breaks = Array.from({ length: stepCount + 1 }, (_, i) => Number(at(i / stepCount).toPrecision(8)));
  const colours = Array.from({ length: stepCount }, (_, i) =>
    colourOfStops(stops, at((i + 0.5) / stepCount)),
  );
  return {
    ...style,
    colour: { type: 'classes', attribute, method: 'own', breaks, colours, ...(noValue && { noValue }) },
  };
}
