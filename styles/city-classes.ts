import type { CategoryValue, ColourRule } from '@platen/contract/map-styles';
import type { AttributeSummary } from './style-attribute.ts';

/** Colours by which maps usually show the classes of CityGML and CityJSON: water is blue, and plants are green. */
const colours: Readonly<Record<string, string>> = {
  Building: '#d58a5c',
  BuildingPart: '#b5673f',
  BuildingUnit: '#e5ac86',
  BuildingInstallation: '#8f4f30',
  Bridge: '#8d6cab',
  BridgePart: '#a98fc2',
  Tunnel: '#5d4777',
  TunnelPart: '#7d679a',
  OtherConstruction: '#c08aa0',
  Road: '#8f9194',
  Railway: '#5c5f63',
  Track: '#a8906c',
  Square: '#c9c4b8',
  TransportSquare: '#c9c4b8',
  TransportationComplex: '#77797c',
  Waterway: '#3f86bd',
  WaterBody: '#6fa5d2',
  PlantCover: '#5f9a4a',
  SolitaryVegetationObject: '#2f6f3a',
  LandUse: '#c3cf8f',
  ReliefFeature: '#b7a98a',
  TINRelief: '#b7a98a',
  CityFurniture: '#e0bf3f',
  GenericCityObject: '#cf5c66',
  GenericOccupiedSpace: '#e08f96',
  CityObjectGroup: '#4aa39a',
};

const colourOf = (value: CategoryValue): string | undefined =>
  typeof value === 'string' && Object.hasOwn(colours, value) ? colours[value] : undefined;

/** The usual colours of an attribute whose values are classes of city models; undefined for others. */
export function cityClassColours({ name, values }: AttributeSummary, others: string): ColourRule | undefined {
  const classes = values.flatMap((value) => {
    const colour = colourOf(value);
    return colour === undefined ? [] : [{ values: [value], colour }];
  });
  if (classes.length === 0 || classes.length < values.length) return undefined;
  const categories = classes.toSorted((one, other) =>
    String(one.values[0]).localeCompare(String(other.values[0]), 'en'),
  );
  return { type: 'categories', attribute: name, categories, others: { colour: others } };
}
