import { addAttribute, maxTextLength } from '../city-object/attributes.ts';
import type { Attributes, AttributeValue } from '../city-object/city-object.ts';
import { referenceOf, referencesOf, scalarOf, textOf, type IfcLine, type IfcLines } from './ifc-lines.ts';

/** Attributes of products themselves that are worth to be seen. */
const ownNames = ['Name', 'Description', 'ObjectType', 'LongName', 'Tag', 'PredefinedType'];

/** Values of properties and quantities, by the names that their classes give them. */
const valueNames = [
  'NominalValue',
  'LengthValue',
  'AreaValue',
  'VolumeValue',
  'CountValue',
  'WeightValue',
  'TimeValue',
  'NumberValue',
];

/**
 * Reads attributes of products: their own, the storey and building that they are in, and the properties and quantities of
 * their sets and those of their types, named `Set.Property`. What a product says itself comes before what its type says.
 */
export function createAttributeReader(lines: IfcLines): (product: number) => Attributes {
  const sets = relate(lines, 'IfcRelDefinesByProperties', 'RelatedObjects', 'RelatingPropertyDefinition');
  const types = relate(lines, 'IfcRelDefinesByType', 'RelatedObjects', 'RelatingType');
  const containers = relate(
    lines,
    'IfcRelContainedInSpatialStructure',
    'RelatedElements',
    'RelatingStructure',
  );
  const wholes = relate(lines, 'IfcRelAggregates', 'RelatedObjects', 'RelatingObject');
  const known = new Map<number, ReadonlyMap<string, AttributeValue>>();

  const setOf = (id: number): ReadonlyMap<string, AttributeValue> => {
    let values = known.get(id);
    if (values === undefined) known.set(id, (values = readSet(lines, id)));
    return values;
  };
  return (product) => {
    const attributes: Attributes = new Map();
    const line = lines.lineOf(product) ?? {};
    for (const name of ownNames) {
      const value = textOf(line[name]);
      if (value !== undefined) addAttribute(attributes, name, value.slice(0, maxTextLength));
    }
    for (const [name, value] of placesOf(lines, product, { containers, wholes }))
      addAttribute(attributes, name, value);
    const ofTypes = (types.get(product) ?? []).flatMap((type) =>
      referencesOf(lines.lineOf(type)?.['HasPropertySets']),
    );
    for (const id of [...(sets.get(product) ?? []), ...ofTypes])
      for (const [name, value] of setOf(id)) if (!attributes.has(name)) addAttribute(attributes, name, value);
    return attributes;
  };
}

/** What instances are related to by instances of a type. */
function relate(
  lines: IfcLines,
  type: string,
  from: string,
  to: string,
): ReadonlyMap<number, readonly number[]> {
  const related = new Map<number, number[]>();
  for (const id of lines.idsOf(type)) {
    const line = lines.lineOf(id);
    const targets = referencesOf(line?.[to]);
    for (const one of referencesOf(line?.[from])) {
      const known = related.get(one);
      if (known) known.push(...targets);
      else related.set(one, [...targets]);
    }
  }
  return related;
}

const placeNames: Readonly<Record<string, string>> = {
  IfcBuildingStorey: 'Storey',
  IfcBuilding: 'Building',
  IfcSpace: 'Space',
};
/** More levels are a circle. */
const maxLevels = 20;

/** The storey and building that a product, or what it is a part of, is in. */
function* placesOf(
  lines: IfcLines,
  product: number,
  { containers, wholes }: Record<'containers' | 'wholes', ReadonlyMap<number, readonly number[]>>,
): Generator<[name: string, value: string], void> {
  let at: number | undefined = product;
  for (let level = 0; level < maxLevels; level++) {
    at = containers.get(at)?.[0] ?? wholes.get(at)?.[0];
    if (at === undefined) return;
    const name = placeNames[lines.typeOf(at)];
    const value = textOf(lines.lineOf(at)?.['Name']);
    if (name !== undefined && value !== undefined) yield [name, value];
  }
}

function readSet(lines: IfcLines, id: number): ReadonlyMap<string, AttributeValue> {
  const values: Attributes = new Map();
  const line = lines.lineOf(id);
  const title = textOf(line?.['Name']);
  const prefix = title === undefined ? '' : `${title}.`;
  for (const one of [...referencesOf(line?.['HasProperties']), ...referencesOf(line?.['Quantities'])])
    for (const [name, value] of readProperty(lines.lineOf(one)))
      addAttribute(values, `${prefix}${name}`, value);
  return values;
}

function* readProperty(line: IfcLine | undefined): Generator<[name: string, value: AttributeValue], void> {
  const name = textOf(line?.['Name']);
  if (line === undefined || name === undefined) return;
  for (const key of valueNames) {
    const value = scalarOf(line[key]);
    if (value !== undefined) yield [name, typeof value === 'string' ? value.slice(0, maxTextLength) : value];
  }
  const { EnumerationValues: listed = line['ListValues'] } = line;
  if (!Array.isArray(listed)) return;
  for (const one of listed) {
    const value = scalarOf(one);
    if (value !== undefined && referenceOf(one) === undefined) yield [name, value];
  }
}
