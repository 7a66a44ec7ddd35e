import { itemsOf, setAt, uniqueName, type Content, type Item } from './content.ts';

/** The keys that define a view; all others of a viewpoint are kept. */
const looks = ['groundPosition', 'cameraPosition', 'distance', 'heading', 'pitch', 'roll'];

/** A viewpoint that looks as the map does: at a place on the ground if the view has one, else from the camera. */
export function withView(viewpoint: Item, view: Item): Item {
  const next: Item = view['groundPosition']
    ? { ...view, cameraPosition: undefined }
    : { ...view, groundPosition: undefined };
  return looks.reduce<Item>((changed, key) => setAt(changed, [key], next[key]) as Item, viewpoint);
}

/** Makes a view the one at the start: of the viewpoint that is it already, or of a new one. */
export function withStartView(content: Content, view: Item): Content {
  const viewpoints = itemsOf(content, 'viewpoints');
  const at = viewpoints.findIndex(({ name }) => name === content['startingViewpointName']);
  if (at >= 0) return setAt(content, ['viewpoints', at], withView(viewpoints[at]!, view)) as Content;
  const name = uniqueName(
    'start',
    viewpoints.map((one) => one['name']),
  );
  const added = withView({ type: 'Viewpoint', name }, view);
  return { ...content, viewpoints: [...viewpoints, added], startingViewpointName: name };
}
