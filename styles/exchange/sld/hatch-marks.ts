import type { Hatch } from '@platen/contract/map-styles';
import { textAt, type XmlElement } from '@platen/formats/xml/xml-tree';

/** Marks of GeoServer, which QGIS reads, too. */
export const hatchMarks: Readonly<Record<Hatch['type'], string>> = {
  slash: 'shape://slash',
  backslash: 'shape://backslash',
  diagonalCross: 'shape://times',
  vertical: 'shape://vertline',
  horizontal: 'shape://horline',
  cross: 'shape://plus',
};

/** Of a Fill whose marks are lines; undefined for other fills and patterns. */
export function hatchTypeOf(fill: XmlElement): Hatch['type'] | undefined {
  const mark = textAt(fill, 'GraphicFill', 'Graphic', 'Mark', 'WellKnownName')?.trim();
  return (Object.keys(hatchMarks) as Hatch['type'][]).find((type) => hatchMarks[type] === mark);
}
