import type { MeshMaterial } from './mesh-model.ts';

const maxMaterials = 100_000;

/** The materials of a library (.mtl) by their names: diffuse colour, opacity and texture. */
export function readMtl(text: string): Map<string, MeshMaterial> {
  const materials = new Map<string, MeshMaterial>();
  let name: string | undefined;
  let [colour, alpha, image]: [number[] | undefined, number, string | undefined] = [undefined, 1, undefined];
  const end = (): void => {
    if (name === undefined || materials.size >= maxMaterials) return;
    const [red = 1, green = 1, blue = 1] = colour ?? [];
    const isPlain = colour !== undefined || alpha < 1;
    materials.set(name, { colour: isPlain ? [red, green, blue, alpha] : undefined, image, repeats: true });
  };
  for (const line of text.split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const value = Number(rest[0]);
    switch (word.toLowerCase()) {
      case 'newmtl':
        end();
        name = line.trim().slice(word.length).trim();
        [colour, alpha, image] = [undefined, 1, undefined];
        break;
      case 'kd':
        if (rest.length >= 3 && rest.slice(0, 3).every((part) => Number.isFinite(Number(part))))
          colour = rest.slice(0, 3).map((part) => Math.min(1, Math.max(0, Number(part))));
        break;
      case 'd':
        if (Number.isFinite(value)) alpha = Math.min(1, Math.max(0, value));
        break;
      case 'tr':
        if (Number.isFinite(value)) alpha = Math.min(1, Math.max(0, 1 - value));
        break;
      case 'map_kd':
        image = withoutOptions(rest).join(' ') || undefined;
        break;
    }
  }
  end();
  return materials;
}

/** Numbers of values of each option that may stand before the name of an image. */
const optionValues: Readonly<Record<string, number>> = {
  '-blendu': 1, '-blendv': 1, '-boost': 1, '-bm': 1, '-cc': 1, '-clamp': 1, '-imfchan': 1, '-mm': 2,
  '-o': 3, '-s': 3, '-t': 3, '-texres': 1, '-type': 1,
}; // prettier-ignore

/** -o, -s and -t may have fewer than three numbers. */
function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const option = words[at]!.toLowerCase();
    const count = optionValues[option];
    if (count === undefined) break;
    const isVector = option === '-o' || option === '-s' || option === '-t';
    at++;
    for (let i = 0; i < count && at < words.length; i++, at++)
      if (isVector && i > 0 && !/^[-+.\d]+(?:e[-+]?\d+)?$/i.test(words[at]!)) break;
  }
  return words.slice(at);
}
