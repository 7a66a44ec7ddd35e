import type { InspectionSuggestion, PointFacts } from '@platen/contract/inspect';
import { scratchShare } from './scratch-share.ts';
import { packedWords } from './tree/row-shape.ts';

type Expected = Pick<InspectionSuggestion, 'expectedBytes' | 'expectedSeconds' | 'expectedScratchBytes'>;

/** Start and end of a job, which no second thread shortens. */
const startSeconds = 1.7;
/** CPU microseconds of a point, and what more to unpack LAZ and to read texts. */
const pointMicroseconds = 1.5;
const unpackMicroseconds = 0.7;
const textMicroseconds = 1.5;
/** Bytes of a point in tiles, and what more of one with a colour: 6.9 were seen of both. */
const pointBytes = 5;
const colourBytes = 2;
const wordBytes = 4;

/** What tiles of points take by default. @param cores number that the job can expect */
export function expectPoints(facts: PointFacts, cores: number): Expected {
  const { points, compressedShare, textShare, hasColours, hasTimes } = facts;
  const microseconds =
    pointMicroseconds + compressedShare * unpackMicroseconds + textShare * textMicroseconds;
  const cpuSeconds = (points * microseconds) / 1e6;
  const bytes = points * (pointBytes + (hasColours ? colourBytes : 0));
  // intensity, class and return are one word, places in all but the largest cells two
  const words = packedWords + 1 + (hasColours ? 1 : 0) + (hasTimes ? 1 : 0);
  // with two digits, as more would not be true
  const rounded = (value: number): number => Number(value.toPrecision(2));
  return {
    expectedBytes: rounded(bytes),
    expectedSeconds: rounded(startSeconds + cpuSeconds / Math.max(1, cores)),
    expectedScratchBytes: rounded(points * words * wordBytes * scratchShare),
  };
}
