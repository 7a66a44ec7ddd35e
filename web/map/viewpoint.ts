const earthMetres = 40_075_017;
/** In metres: closer, a single point would not show where it is. */
const minDistance = 400;
/** In metres: closer, the globe cuts models off. */
const minModelDistance = 1;

interface View {
  /** In degrees; -90: from above. */
  readonly pitch?: number;
  /** Of what is looked at, in metres above the ellipsoid. */
  readonly height?: number | undefined;
}

/** A VC Map viewpoint that shows a whole box, or the land of the globe. */
export function viewpointOf(box: readonly number[], { pitch = -90, height = 0 }: View = {}) {
  const [west, south, east, north] = box as [number, number, number, number];
  const width = west > east ? east + 360 - west : east - west;
  // the middle of the whole world is in the sea
  const isWorld = width > 180;
  const middle = isWorld ? 26 : (south + north) / 2;
  const longitude = isWorld ? 14 : west + width / 2;
  const metres = Math.max(
    (width / 360) * earthMetres * Math.cos((middle * Math.PI) / 180),
    ((north - south) / 360) * earthMetres,
  );
  // the camera sees about as far as its distance; leave some room around the data
  const min = metres > 0 && pitch > -90 ? minModelDistance : minDistance;
  const distance = Math.min(12_500_000, Math.max(min, metres * 1.6));
  return {
    type: 'Viewpoint',
    groundPosition: [round(longitude > 180 ? longitude - 360 : longitude), round(middle), height],
    distance: distance < 100 ? Number(distance.toFixed(1)) : Math.round(distance),
    heading: 0,
    pitch,
    roll: 0,
    animate: false,
  };
}

/** To a centimetre. */
const round = (degrees: number) => Number(degrees.toFixed(7));

/** The middle of the heights that the job of a datasource has found; undefined where nothing is known. */
export function middleHeightOf(
  properties: Readonly<Record<string, unknown>> | undefined,
): number | undefined {
  const range = properties?.['heightRange'];
  if (!Array.isArray(range) || range.length !== 2) return undefined;
  const [low, high] = range as [unknown, unknown];
  return typeof low === 'number' && typeof high === 'number'
    ? Number(((low + high) / 2).toFixed(2))
    : undefined;
}
