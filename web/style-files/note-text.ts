import type { StyleFileNote } from '@platen/contract/style-files';
import { i18n } from '../i18n/i18n.ts';

/** What notes name in English; all else is called as in the file. */
const things: Readonly<Record<string, string>> = {
  Opacity: 'opacity',
  Outline: 'outline',
  'Outline colour by attribute': 'outlineColour',
  Size: 'size',
  Colour: 'colour',
  Label: 'label',
  Hatch: 'hatch',
  'Hatch size': 'hatchSize',
  Icon: 'icon',
  'Legend text': 'legend',
  Casing: 'casing',
  categories: 'categories',
  values: 'values',
  classes: 'classes',
  stops: 'stops',
  filters: 'filters',
  styles: 'styles',
};

/** A note in the language of the interface; a code that it does not know is told in English. */
export function noteText({ code, values, message }: StyleFileNote): string {
  const words = i18n.global;
  const key = `style-files.note.${code}`;
  if (!words.te(key)) return message;
  const thing = things[values['what'] ?? ''];
  return words.t(key, {
    ...values,
    ...(thing !== undefined && { what: words.t(`style-files.what.${thing}`) }),
  });
}
