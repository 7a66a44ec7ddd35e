import { parseColour, type Colour } from '@platen/geo/canvas/colour';
import { coloursOf } from './colours.ts';
import { kindsOf, type DescribedLayer } from './described-tileset.ts';

/** A style item of VC Map. One style serves all layers of a tileset, whose features have the attribute `layer`. */
export type VcMapStyle = Readonly<Record<string, unknown>>;

/** Generates a VC Map style with the same colour per layer as `maplibreStyle`. */
export function vcMapStyle(layers: readonly DescribedLayer[]): VcMapStyle {
  const colours = coloursOf(layers.map(({ name }) => name));
  const [first] = layers;
  return first !== undefined && layers.length === 1
    ? plainStyle(first, parseColour(colours[0]!))
    : declarativeStyle(layers, colours);
}

const white = 'rgba(255,255,255,0.9)';

function plainStyle(layer: DescribedLayer, colour: Colour): VcMapStyle {
  const hasLines = kindsOf(layer).includes('LineString');
  return {
    type: 'VectorStyleItem',
    fill: { color: rgba(colour, 0.55) },
    stroke: { color: rgba(colour, 1), width: hasLines ? 2.5 : 1 },
    image: { radius: 5, fill: { color: rgba(colour, 1) }, stroke: { color: white, width: 1.5 } },
  };
}

/** The viewer's colour parser requires the zero before the decimal point. */
function rgba([red, green, blue]: Colour, opacity: number): string {
  return `rgba(${red},${green},${blue},${opacity})`;
}

/** Uses 3D Tiles Styling expressions. Layers whose names contain quotes or backslashes are omitted. */
function declarativeStyle(layers: readonly DescribedLayer[], colours: readonly string[]): VcMapStyle {
  const named = layers
    .map((layer, i) => ({ layer, colour: colours[i]! }))
    .filter(({ layer }) => !/['"\\${}]/.test(layer.name));
  const coloursWith = (opacityOf: (layer: DescribedLayer) => number) => ({
    conditions: [
      ...named.map(({ layer, colour }) => [
        '${layer} === ' + `'${layer.name}'`,
        `color('${colour}', ${opacityOf(layer)})`,
      ]),
      ['true', "color('#6b7c8c', 0.6)"],
    ],
  });
  return {
    type: 'DeclarativeStyleItem',
    declarativeStyle: {
      color: coloursWith((layer) => (kindsOf(layer).includes('Polygon') ? 0.5 : 0.9)),
      strokeColor: coloursWith(() => 0.9),
      strokeWidth: '1.5',
      pointSize: '8',
      pointOutlineColor: "color('#ffffff', 0.9)",
      pointOutlineWidth: '1',
    },
  };
}
