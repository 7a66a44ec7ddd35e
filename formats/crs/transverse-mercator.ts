import type { PlanePoint, Projection } from './projection.ts';

export interface TransverseMercator {
  readonly semiMajorMetres: number;
  readonly eccentricitySquared: number;
  readonly scale: number;
  /** Radians. */
  readonly centralMeridian: number;
  readonly originLatitude: number;
  readonly falseEastingMetres: number;
  readonly falseNorthingMetres: number;
}

/**
 * Beyond this distance from the central meridian, in units of the rectifying radius, the series no longer holds:
 * about 82° at the equator. PROJ draws the line at the same place (Poder and Engsager 1998).
 */
const widestEasting = 2.623395162778;
const halfPi = Math.PI / 2;

/** Krüger's series to the sixth order in the third flattening: Karney 2011, Transverse Mercator with an accuracy of a few nanometers, eq. 35, 36 and 14. */
export function openTransverseMercator(options: TransverseMercator): Projection {
  const { semiMajorMetres, eccentricitySquared, scale, centralMeridian, originLatitude } = options;
  const { falseEastingMetres } = options;
  const n = thirdFlattening(eccentricitySquared);
  const eccentricity = Math.sqrt(eccentricitySquared);
  const n2 = n * n;
  const rectifyingRadius = (semiMajorMetres / (1 + n)) * (1 + n2 * (1 / 4 + n2 * (1 / 64 + n2 / 256)));
  const radius = scale * rectifyingRadius;
  const alpha = forwardCoefficients(n);
  const beta = inverseCoefficients(n);
  const phi = latitudeCoefficients(n);
  const sum = { real: 0, imaginary: 0 };

  const originAngle = conformalLatitude(originLatitude, eccentricity);
  sumSines(alpha, originAngle, 0, sum);
  const falseNorthing = options.falseNorthingMetres - radius * (originAngle + sum.real);

  return {
    inverse(point: PlanePoint) {
      const xi = (point.y - falseNorthing) / radius;
      const eta = (point.x - falseEastingMetres) / radius;
      if (!(Math.abs(eta) <= widestEasting) || !(Math.abs(xi) <= Math.PI)) return lose(point);
      sumSines(beta, xi, eta, sum);
      const xiPrime = xi - sum.real;
      const sinhEta = Math.sinh(eta - sum.imaginary);
      const sinXi = Math.sin(xiPrime);
      const cosXi = Math.cos(xiPrime);
      const conformal = Math.atan2(sinXi, Math.sqrt(sinhEta * sinhEta + cosXi * cosXi));
      point.x = centralMeridian + Math.atan2(sinhEta, cosXi);
      point.y = conformal + sumRealSines(phi, conformal);
    },
    forward(point: PlanePoint) {
      const conformal = conformalLatitude(point.y, eccentricity);
      const longitude = Math.atan2(Math.sin(point.x - centralMeridian), Math.cos(point.x - centralMeridian));
      const cosLatitude = Math.cos(conformal);
      const xiPrime = Math.atan2(Math.sin(conformal), cosLatitude * Math.cos(longitude));
      const etaPrime = Math.atanh(cosLatitude * Math.sin(longitude));
      sumSines(alpha, xiPrime, etaPrime, sum);
      const eta = etaPrime + sum.imaginary;
      if (!(Math.abs(eta) <= widestEasting) || !(Math.abs(point.y) <= halfPi)) return lose(point);
      point.x = falseEastingMetres + radius * eta;
      point.y = falseNorthing + radius * (xiPrime + sum.real);
    },
  };
}

function lose(point: PlanePoint): void {
  point.x = NaN;
  point.y = NaN;
}

function thirdFlattening(eccentricitySquared: number): number {
  const flattening = eccentricitySquared / (1 + Math.sqrt(1 - eccentricitySquared));
  return flattening / (2 - flattening);
}

/** Karney 2011, eq. 7 to 9, of angles. */
function conformalLatitude(latitude: number, eccentricity: number): number {
  const tau = Math.tan(latitude);
  const secant = Math.sqrt(1 + tau * tau);
  const sigma = Math.sinh(eccentricity * Math.atanh((eccentricity * tau) / secant));
  return Math.atan(tau * Math.sqrt(1 + sigma * sigma) - sigma * secant);
}

/** Σ cⱼ sin(2j(x + iy)) by Clenshaw's recurrence, which needs one complex sine and cosine in all. */
function sumSines(
  c: readonly number[],
  x: number,
  y: number,
  out: { real: number; imaginary: number },
): void {
  const sin2x = Math.sin(2 * x);
  const cos2x = Math.cos(2 * x);
  const exponential = Math.exp(2 * y);
  const cosh2y = (exponential + 1 / exponential) / 2;
  // Near the central meridian the difference of exponentials would cancel.
  const sinh2y = Math.abs(y) < 0.1 ? Math.sinh(2 * y) : (exponential - 1 / exponential) / 2;
  const re = 2 * cos2x * cosh2y;
  const im = -2 * sin2x * sinh2y;
  let real = 0;
  let imaginary = 0;
  let previousReal = 0;
  let previousImaginary = 0;
  for (let j = c.length - 1; j >= 0; j--) {
    const nextReal = re * real - im * imaginary - previousReal + c[j]!;
    const nextImaginary = re * imaginary + im * real - previousImaginary;
    previousReal = real;
    previousImaginary = imaginary;
    real = nextReal;
    imaginary = nextImaginary;
  }
  const sinReal = sin2x * cosh2y;
  const sinImaginary = cos2x * sinh2y;
  out.real = sinReal * real - sinImaginary * imaginary;
  out.imaginary = sinReal * imaginary + sinImaginary * real;
}

function sumRealSines(c: readonly number[], x: number): number {
  const factor = 2 * Math.cos(2 * x);
  let sum = 0;
  let previous = 0;
  for (let j = c.length - 1; j >= 0; j--) {
    const next = factor * sum - previous + c[j]!;
    previous = sum;
    sum = next;
  }
  return Math.sin(2 * x) * sum;
}

/** Coefficients of ascending powers of n. */
function polynomial(n: number, coefficients: readonly number[]): number {
  return coefficients.reduceRight((sum, coefficient) => sum * n + coefficient, 0);
}

/** α of Karney 2011, eq. 35: from the conformal sphere to the projection. */
function forwardCoefficients(n: number): number[] {
  return [
    polynomial(n, [0, 1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800]),
    polynomial(n, [0, 0, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360]),
    polynomial(n, [0, 0, 0, 61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440]),
    polynomial(n, [0, 0, 0, 0, 49561 / 161280, -179 / 168, 6601661 / 7257600]),
    polynomial(n, [0, 0, 0, 0, 0, 34729 / 80640, -3418889 / 1995840]),
    polynomial(n, [0, 0, 0, 0, 0, 0, 212378941 / 319334400]),
  ];
}

/** β of Karney 2011, eq. 36: back, to be subtracted. */
function inverseCoefficients(n: number): number[] {
  return [
    polynomial(n, [0, 1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800]),
    polynomial(n, [0, 0, 1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720]),
    polynomial(n, [0, 0, 0, 17 / 480, -37 / 840, -209 / 4480, 5569 / 90720]),
    polynomial(n, [0, 0, 0, 0, 4397 / 161280, -11 / 504, -830251 / 7257600]),
    polynomial(n, [0, 0, 0, 0, 0, 4583 / 161280, -108847 / 3991680]),
    polynomial(n, [0, 0, 0, 0, 0, 0, 20648693 / 638668800]),
  ];
}

/** Coefficients from the conformal to the geodetic latitude: Poder and Engsager 1998. */
function latitudeCoefficients(n: number): number[] {
  return [
    polynomial(n, [0, 2, -2 / 3, -2, 116 / 45, 26 / 45, -2854 / 675]),
    polynomial(n, [0, 0, 7 / 3, -8 / 5, -227 / 45, 2704 / 315, 2323 / 945]),
    polynomial(n, [0, 0, 0, 56 / 15, -136 / 35, -1262 / 105, 73814 / 2835]),
    polynomial(n, [0, 0, 0, 0, 4279 / 630, -332 / 35, -399572 / 14175]),
    polynomial(n, [0, 0, 0, 0, 0, 4174 / 315, -144838 / 6237]),
    polynomial(n, [0, 0, 0, 0, 0, 0, 601676 / 22275]),
  ];
}
