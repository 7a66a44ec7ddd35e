import type { PointExtra } from '@platen/formats/points/point-file';
import { JobFailure } from '../job-type.ts';
import type { PointSheet } from './sheets/sheet.ts';
import { attributeNames, type AttributeName } from './attribute-names.ts';

/** A number of points that only some files have, as tiles keep it. Plain data. */
export interface ExtraAttribute {
  /** As files name it. */
  readonly name: string;
  /** As styles name it. */
  readonly property: string;
  /** The type of its values in tiles. */
  readonly kind: PointExtra['kind'];
  /** Whether points may have none: they get `noNumber`. */
  readonly mayBeMissing: boolean;
  /** Of the steps of its numbers the smallest; undefined if there are none. */
  readonly step: number | undefined;
}

/** What points keep besides their place and colour. Plain data. */
export interface ChosenAttributes {
  /** Undefined: the usual ones, as far as they vary. */
  readonly named: readonly AttributeName[] | undefined;
  readonly extras: readonly ExtraAttribute[];
}

/** Of points without a number: the lowest float. */
export const noNumber = -3.4028234663852886e38;

/** @throws JobFailure if no sheet has what is asked for */
export function chooseAttributes(
  asked: readonly string[] | undefined,
  sheets: readonly Pick<PointSheet, 'extras'>[],
): ChosenAttributes {
  const named: AttributeName[] = [];
  const extras: ExtraAttribute[] = [];
  const taken = new Set<string>();
  for (const name of asked ?? []) {
    const found = sheets.flatMap((sheet) => sheet.extras.filter((extra) => extra.name === name));
    const own = attributeNames.find((one) => one === name) ?? (found.length === 0 && nameAsInspected(name));
    if (own) named.push(own);
    else if (found.length === 0) refuse(name, sheets);
    else extras.push(join(found, { name, taken, isEverywhere: found.length === sheets.length }));
  }
  return { named: asked && [...new Set(named)], extras };
}

/** Inspections name attributes as LAS does. */
function nameAsInspected(name: string): AttributeName | undefined {
  const plain = name.toLowerCase();
  return plain === 'pointsourceid'
    ? 'pointSource'
    : attributeNames.find((one) => one.toLowerCase() === plain);
}

function refuse(name: string, sheets: readonly Pick<PointSheet, 'extras'>[]): never {
  const there = [...new Set(sheets.flatMap(({ extras }) => extras.map((extra) => extra.name)))].slice(0, 20);
  const others = there.length > 0 ? `The further ones of the files are ${there.join(', ')}.` : '';
  throw new JobFailure(
    'invalidOption',
    `/modelOptions/attributes: none of the point clouds has the attribute “${name}”. ${others}`.trim(),
  );
}

function join(
  found: readonly PointExtra[],
  {
    name,
    taken,
    isEverywhere,
  }: { readonly name: string; readonly taken: Set<string>; readonly isEverywhere: boolean },
): ExtraAttribute {
  const mayBeMissing = !isEverywhere || found.some((extra) => extra.mayBeMissing);
  const isByte = found.every(({ kind }) => kind === 'byte');
  const isShort = found.every(({ kind }) => kind !== 'float');
  const kind = mayBeMissing ? 'float' : isByte ? 'byte' : isShort ? 'short' : 'float';
  const plain = propertyName(name);
  let property = plain;
  for (let i = 2; taken.has(property); i++) property = `${plain}_${i}`;
  taken.add(property);
  const steps = found.flatMap((extra) => extra.step ?? []);
  return { name, property, kind, mayBeMissing, step: steps.length > 0 ? Math.min(...steps) : undefined };
}

/** Names that tiles, or shaders of viewers, have for something else. */
const reserved = new Set([
  'POSITION',
  'POSITION_ABSOLUTE',
  'COLOR',
  'NORMAL',
  'BATCH_ID',
  'DISTANCE',
  ...attributeNames.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()),
]);

/** Letters of A to Z, digits and single underscores, as shaders take them. */
function propertyName(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const words = letters.split(/[^A-Z0-9]/).filter((word) => word !== '');
  const plain = words.join('_');
  const isFree = /^[A-Z]/.test(plain) && !plain.startsWith('GL_') && !reserved.has(plain);
  return isFree ? plain : ['EXTRA', ...words].join('_');
}
