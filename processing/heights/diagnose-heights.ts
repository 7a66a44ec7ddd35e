import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { verticalOfCode } from '@platen/formats/crs/vertical-wkt';
import { compareGround, type GroundHeights } from './ground-heights.ts';
import type { HeightOptions } from './height-options.ts';
import { usualVertical } from './national-heights.ts';
import { productOfName } from './product-heights.ts';

/** What an inspection knows of the heights of a file. */
export interface HeightEvidence {
  readonly fileName: string;
  /** What the file says that its heights count from. */
  readonly vertical?: VerticalCrs | undefined;
  /** The code of the horizontal CRS. */
  readonly crsCode?: string | undefined;
  /** Longitude and latitude of the middle of the data. */
  readonly place: readonly [number, number];
  /** Metres of sea level above the ellipsoid at that place. */
  readonly undulation: number;
  /** The height that most cells have exactly, and their share from 0 to 1: the sea, or a lake. */
  readonly flat?: { readonly height: number; readonly share: number } | undefined;
  readonly ground?: GroundHeights;
  /** Ground heights of other data of the project, in metres, by what they count from. */
  readonly others?: readonly (GroundHeights & {
    readonly kind: VerticalCrs['kind'];
    readonly name: string;
  })[];
}

export interface HeightDiagnosis {
  /** For `heights.vertical`: `ellipsoid`, or `EPSG:7837`. Undefined where nothing is known. */
  readonly vertical: string | undefined;
  /** From 0 to 1. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** Metres of sea level above the ellipsoid here. */
  readonly undulation: number;
  /** What happens to heights that are shown as they are; undefined where that is right. */
  readonly consequence: string | undefined;
  /** Set in a task, it makes the heights right. */
  readonly options: Pick<HeightOptions, 'vertical' | 'unit'>;
  /** Too little is known: the form should ask. */
  readonly asks: boolean;
}

/** Below this, the form asks. */
const minConfidence = 0.65;

interface Opinion {
  readonly kind: VerticalCrs['kind'];
  /** Undefined: any sea level. */
  readonly code?: string;
  readonly confidence: number;
  readonly reason: string;
}

/** What the heights of a file count from, as far as can be said without asking. */
export function diagnoseHeights(evidence: HeightEvidence): HeightDiagnosis {
  const { undulation, vertical: stated } = evidence;
  const ground = groundOpinion(evidence);
  const names = [statedOpinion(evidence), productOpinion(evidence), nationalOpinion(evidence)];
  const measured = [ground.opinion, waterOpinion(evidence)];
  const named = names.find((opinion) => opinion !== undefined);
  const seen = measured.find((opinion) => opinion !== undefined);
  const chosen = combine(named, seen);
  const options: { vertical?: string; unit?: string } = {};
  const vertical = chosen && verticalText(chosen, evidence);
  if (vertical !== undefined && !(stated !== undefined && chosen === named)) options.vertical = vertical;
  if (ground.isFeet && (stated === undefined || stated.metresPerUnit === 1)) options.unit = 'foot';
  const confidence = chosen?.confidence ?? 0;
  return {
    vertical,
    confidence,
    reason: [chosen?.reason ?? 'Nothing says what the heights count from.', ground.feetReason ?? '']
      .join(' ')
      .trim(),
    undulation,
    consequence: chosen?.kind === 'seaLevel' ? consequenceOf(undulation) : undefined,
    options,
    asks: confidence < minConfidence,
  };
}

/** What is measured counts more than what is usual; against what the file says, neither is sure. */
function combine(named: Opinion | undefined, seen: Opinion | undefined): Opinion | undefined {
  if (named === undefined || seen === undefined) return named ?? seen;
  if (named.kind === seen.kind) {
    const confidence = 1 - (1 - named.confidence) * (1 - seen.confidence);
    return { ...named, confidence, reason: `${named.reason} ${seen.reason}` };
  }
  const [likely, other] = seen.confidence > named.confidence ? [seen, named] : [named, seen];
  return {
    ...likely,
    confidence: likely.confidence * (1 - other.confidence),
    reason: `${likely.reason} But: ${other.reason}`,
  };
}

function statedOpinion({ vertical }: HeightEvidence): Opinion | undefined {
  if (vertical === undefined) return undefined;
  const { kind, code, name } = vertical;
  return {
    kind,
    ...(code !== undefined && { code }),
    confidence: 0.95,
    reason: `The file says that its heights count from the ${kind === 'ellipsoid' ? name : `zero of ${name}`}.`,
  };
}

function productOpinion({ fileName }: HeightEvidence): Opinion | undefined {
  const product = productOfName(fileName);
  if (product === undefined) return undefined;
  const { title, vertical } = product;
  const reason = `Its name is that of ${title}, whose heights are ${describe(vertical)}.`;
  return vertical === 'ellipsoid'
    ? { kind: 'ellipsoid', confidence: 0.9, reason }
    : { kind: 'seaLevel', code: `EPSG:${vertical}`, confidence: 0.9, reason };
}

function nationalOpinion({ crsCode, place }: HeightEvidence): Opinion | undefined {
  const code = usualVertical(crsCode, place);
  if (code === undefined) return undefined;
  return {
    kind: 'seaLevel',
    code: `EPSG:${code}`,
    confidence: 0.7,
    reason: `Heights of data in ${crsCode} are usually ${describe(code)}.`,
  };
}

function describe(vertical: string): string {
  return vertical === 'ellipsoid' ? 'ellipsoidal' : `${verticalOfCode(vertical)!.name}s (EPSG:${vertical})`;
}

/** Metres that levels of water may differ from the zero level, by tides and by weirs. */
const waterTolerance = 1.5;
const minWaterShare = 0.02;
/** Metres: where the two surfaces are closer, one cannot be told from the other. */
const minUndulation = 8;

/** Water at 0 is the sea above sea level; water at the undulation is the sea above the ellipsoid. */
function waterOpinion({ flat, undulation }: HeightEvidence): Opinion | undefined {
  if (flat === undefined || flat.share < minWaterShare || Math.abs(undulation) < minUndulation)
    return undefined;
  const percent = Math.round(flat.share * 100);
  const reason = (surface: string) =>
    `${percent} % of it is at exactly ${metres(flat.height)}, where ${surface} has the sea.`;
  if (Math.abs(flat.height - undulation) <= waterTolerance)
    return { kind: 'ellipsoid', confidence: 0.7, reason: reason('a height above the ellipsoid') };
  if (Math.abs(flat.height) > waterTolerance) return undefined;
  // an exact 0 may also be a fill for what was not measured
  const confidence = flat.height === 0 ? 0.5 : 0.85;
  return { kind: 'seaLevel', confidence, reason: reason('a height above sea level') };
}

interface GroundOpinion {
  readonly opinion: Opinion | undefined;
  readonly isFeet: boolean;
  readonly feetReason?: string;
}

/** Metres that ground heights of two data sets may differ. */
const groundTolerance = 3;
const feetPerMetre = 3.2808;

function groundOpinion({ ground, others = [], undulation }: HeightEvidence): GroundOpinion {
  for (const other of ground === undefined ? [] : others) {
    const compared = compareGround(ground!, other);
    if (compared === undefined) continue;
    const { shared, medianDifference, medianRatio } = compared;
    const both = `At ${shared} places that it shares with ${other.name}, its ground is`;
    if (medianRatio !== undefined && Math.abs(medianRatio / feetPerMetre - 1) < 0.05) {
      const feetReason = `${both} ${feetPerMetre} times as high: its heights are in feet.`;
      return { opinion: undefined, isFeet: true, feetReason };
    }
    const near = (expected: number) => Math.abs(medianDifference - expected) <= groundTolerance;
    if (Math.abs(undulation) <= minUndulation) continue;
    const step = `${metres(Math.abs(medianDifference))} ${medianDifference < 0 ? 'lower' : 'higher'}`;
    if (near(0)) {
      const reason = `${both} as high, and that counts from the ${other.kind === 'ellipsoid' ? 'ellipsoid' : 'sea'}.`;
      return { opinion: { kind: other.kind, confidence: 0.85, reason }, isFeet: false };
    }
    if (near(other.kind === 'ellipsoid' ? -undulation : undulation)) {
      const kind = other.kind === 'ellipsoid' ? 'seaLevel' : 'ellipsoid';
      const reason = `${both} ${step}, which is the distance between sea level and the ellipsoid.`;
      return { opinion: { kind, confidence: 0.9, reason }, isFeet: false };
    }
  }
  return { opinion: undefined, isFeet: false };
}

const egm96 = 'EPSG:5773';

/** Where only sea level is known, the country's is the likeliest, and EGM96 a metre off. */
function verticalText({ kind, code }: Opinion, { crsCode, place }: HeightEvidence): string {
  if (kind === 'ellipsoid') return 'ellipsoid';
  const national = code === undefined ? usualVertical(crsCode, place) : undefined;
  return code ?? (national === undefined ? egm96 : `EPSG:${national}`);
}

function consequenceOf(undulation: number): string {
  return `Shown as they are, the map would show them ${metres(Math.abs(undulation))} too ${undulation > 0 ? 'low' : 'high'}.`;
}

function metres(value: number): string {
  return `${value.toFixed(1)} m`;
}
