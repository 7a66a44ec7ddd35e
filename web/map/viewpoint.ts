const earthMetres = 40_075_017;

/** A VC Map viewpoint from above that shows a whole box, or the land of the globe. */
export function viewpointOf(box: readonly number[], { pitch = -90 }: { pitch?: number } = {}) {
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
  const distance = Math.round(Math.min(12_500_000, Math.max(400, metres * 1.6)));
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
