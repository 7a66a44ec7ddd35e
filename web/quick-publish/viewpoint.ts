const earthMetres = 40_075_017;

/** A VC Map viewpoint from above that shows a whole box, at most a little closer than the full globe. */
export function viewpointOf(box: readonly number[], { pitch = -90 }: { pitch?: number } = {}) {
  const [west, south, east, north] = box as [number, number, number, number];
  const width = west > east ? east + 360 - west : east - west;
  const middle = (south + north) / 2;
  const longitude = west + width / 2;
  const metres = Math.max(
    (width / 360) * earthMetres * Math.cos((middle * Math.PI) / 180),
    ((north - south) / 360) * earthMetres,
  );
  // the camera sees about as far as its distance; leave some room around the data
  const distance = Math.round(Math.min(15_000_000, Math.max(400, metres * 1.6)));
  return {
    type: 'Viewpoint',
    groundPosition: [round(longitude > 180 ? longitude - 360 : longitude), round(middle), 0],
    distance,
    heading: 0,
    pitch,
    roll: 0,
    animate: false,
  };
}

const round = (degrees: number) => Number(degrees.toFixed(6));
