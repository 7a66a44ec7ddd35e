const endings =
  /\.(?:gml|xml|citygml|city|json|jsonl|gltf|glb|obj|ply|stl|slpk|3tz|zip|gz|b3dm|i3dm|pnts|cmpt)$/i;

/** Derives the name of an unnamed layer from the file name, without extensions. */
export function layerTitle(file: string): string {
  let title = file.slice(file.lastIndexOf('/') + 1);
  while (endings.test(title) && title.lastIndexOf('.') > 0) title = title.slice(0, title.lastIndexOf('.'));
  return title.slice(0, 200).toWellFormed();
}
