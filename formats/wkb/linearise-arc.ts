/** 100 chords a circle: the arc is never further than 1/2026 of its radius from its chord. */
const maxArcStep = (2 * Math.PI) / 100;
/** Three points bent less than this, as the sine of the angle at the first, are a straight line. */
const straight = 1e-9;

/**
 * Approximates the circular arc from a over b to c (SQL/MM part 3, ST_CircularString) by chords of at most 3.6 degrees.
 * If a equals c, the arc is the whole counter-clockwise circle with b opposite a. Collinear points remain a line.
 * @param push receives the points after a, including b and c
 */
// oxlint-disable-next-line max-params -- six numbers are three points, and no objects are made of them
export function linearArc(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  push: (x: number, y: number) => void,
): void {
  const closed = ax === cx && ay === cy;
  // Relative to a, so that large eastings cancel nothing.
  const dbx = bx - ax;
  const dby = by - ay;
  const dcx = cx - ax;
  const dcy = cy - ay;
  const cross = dbx * dcy - dby * dcx;
  const b2 = dbx * dbx + dby * dby;
  const c2 = dcx * dcx + dcy * dcy;
  const x = closed ? dbx / 2 : (dcy * b2 - dby * c2) / (2 * cross);
  const y = closed ? dby / 2 : (dbx * c2 - dcx * b2) / (2 * cross);
  const radius = Math.hypot(x, y);
  const bent = closed ? b2 > 0 : Math.abs(cross) > straight * Math.sqrt(b2) * Math.sqrt(c2);
  if (bent && Number.isFinite(radius)) {
    const turn = closed || cross > 0 ? 1 : -1;
    const start = Math.atan2(-y, -x);
    const middle = Math.atan2(dby - y, dbx - x);
    const end = Math.atan2(dcy - y, dcx - x);
    const chords = (from: number, to: number): void => {
      const sweep = turn * positiveAngle(turn * (to - from));
      const steps = Math.ceil(Math.abs(sweep) / maxArcStep);
      for (let step = 1; step < steps; step++) {
        const angle = from + (sweep * step) / steps;
        push(ax + x + radius * Math.cos(angle), ay + y + radius * Math.sin(angle));
      }
    };
    chords(start, middle);
    push(bx, by);
    chords(middle, end);
  } else push(bx, by);
  push(cx, cy);
}

function positiveAngle(angle: number): number {
  return angle < 0 ? angle + 2 * Math.PI : angle;
}
