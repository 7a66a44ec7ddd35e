import { cutText } from './cut-text.ts';

/** What a note of an import or export can say; its text in English. */
export const noteTexts = {
  leftOut: '{what} has no equal and is left out.',
  ruleLeftOut:
    'The rule “{rule}” is left out: its condition cannot be expressed by the values of one attribute.',
  otherLayers: '{what} is left out: a style has one symbol for each feature.',
  differs: '{what} differs between rules: that of the first rule applies to all.',
  units: '{what} is given in {unit} and taken as pixels.',
  closedClasses: 'Values beyond the outer classes are drawn like these.',
  breaks: 'Values exactly at a break belong to the class that begins there.',
  gaps: 'Values between two classes are drawn like the lower one.',
  tooMany: 'Only the first {limit} of {count} {what} are kept.',
  overlaps: 'Classes overlap: a value belongs to the last one that begins before it.',
  rest: 'The rule “{rule}” applies to all values that no other rule names, although its condition says otherwise.',
  halo: 'Labels have a halo of 1.5 pixels; the file says {pixels}.',
  palette:
    'The names of the palette and of the method of classes are left out; colours and limits stay as they are.',
  noColour: 'The colour of “{rule}” is not known; it is grey.',
  emptyClass: 'The class “{rule}” is left out: no number is from {from} to {to}.',
  scale: 'The limits of scale of the rules are left out: they are settings of a layer.',
  zoom: '{what} changes with the zoom level: its value at the highest one applies to all.',
  zoomEnds: '{what} changes with the zoom level: steadily from its first value to its last one.',
  zoomSizes: 'Sizes change with the zoom level: those of near zooms are written.',
  needsFunctions: '{what} is written as a function of an attribute, which QGIS does not read from SLD.',
  mixedShapes: 'The symbols for points, lines and areas are all applied to each feature by some programs.',
  valuesAsText: 'The format does not distinguish numbers from texts, such as 5 from “5”.',
  steps: 'The continuous colours are written as {count} classes.',
  upperBreaks: 'QGIS draws values exactly at a break like the class below it.',
} as const;

export type StyleNoteCode = keyof typeof noteTexts;

/** What a file says that a style cannot, or the other way round. */
export interface StyleNote {
  readonly code: StyleNoteCode;
  readonly values: Readonly<Record<string, string>>;
  readonly message: string;
}

const maxNotes = 50;
const maxValueLength = 200;

/** Notes in the order of their first occurrence, each once, and at most 50. */
export interface NoteList {
  add(code: StyleNoteCode, values?: Readonly<Record<string, string | number>>): void;
  readonly all: readonly StyleNote[];
}

export function createNotes(): NoteList {
  const notes = new Map<string, StyleNote>();
  return {
    add(code, values = {}) {
      const short = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, cutText(String(value), maxValueLength)]),
      );
      const message = noteTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => short[name] ?? '');
      if (notes.size < maxNotes && !notes.has(message)) notes.set(message, { code, values: short, message });
    },
    get all() {
      return [...notes.values()];
    },
  };
}
