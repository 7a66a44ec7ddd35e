import { numberOf, referenceOf, referencesOf, textOf, type IfcLine, type IfcLines } from './ifc-lines.ts';

/** Powers of ten of prefixes of the SI (ISO 16739, IfcSIPrefix). */
const prefixes: Readonly<Record<string, number>> = {
  KILO: 3,
  HECTO: 2,
  DECA: 1,
  DECI: -1,
  CENTI: -2,
  MILLI: -3,
  MICRO: -6,
};

/** Metres of the unit of lengths; 1 if the file names none that is known. */
export function metresOfLength(lines: IfcLines): number {
  for (const id of lines.idsOf('IfcUnitAssignment'))
    for (const unit of referencesOf(lines.lineOf(id)?.['Units'])) {
      const line = lines.lineOf(unit);
      if (textOf(line?.['UnitType']) === 'LENGTHUNIT') return metresOf(lines, line) ?? 1;
    }
  return 1;
}

/** Metres of a unit, also of one that is based on another, such as feet. */
export function metresOf(lines: IfcLines, unit: IfcLine | undefined): number | undefined {
  if (unit === undefined) return undefined;
  const factor = lines.lineOf(referenceOf(unit['ConversionFactor']));
  if (factor !== undefined) {
    const value = numberOf(factor['ValueComponent']);
    const base = lines.lineOf(referenceOf(factor['UnitComponent']));
    return value === undefined || base?.['ConversionFactor'] !== undefined ? value : value * siOf(base);
  }
  return textOf(unit['Name']) === 'METRE' ? siOf(unit) : undefined;
}

const siOf = (unit: IfcLine | undefined): number => 10 ** (prefixes[textOf(unit?.['Prefix']) ?? ''] ?? 0);
