/** Defaults for a kind of data. Options not named here keep their general default. */
export interface PresetDefaults {
  readonly minZoom?: number;
  /** Absent: guessed from the data. */
  readonly maxZoom?: number;
  readonly buffer?: number;
  readonly simplification?: number;
  readonly whenTooLarge?: 'dropDensest' | 'coalesce' | 'keep' | 'truncate';
  readonly dust?: boolean;
  readonly cluster?: { readonly distance: number };
}

export type PresetName = 'small' | 'city' | 'country' | 'points' | 'boundaries';

export interface Preset {
  readonly title: string;
  readonly description: string;
  readonly defaults: PresetDefaults;
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  small: {
    title: 'Small',
    description: 'Up to a few thousand features: all of them at every zoom, in fine detail.',
    defaults: { simplification: 1, whenTooLarge: 'keep', dust: false },
  },
  city: {
    title: 'City',
    // From zoom 8 a tile, some 100 km wide, covers a region; at 16 a tile unit is 15 cm, finer than surveys.
    description:
      'Buildings, streets, trees, cadastre: zoom 8 to 16, thinned out only if tiles would be too large.',
    defaults: { minZoom: 8, maxZoom: 16, simplification: 2, whenTooLarge: 'dropDensest' },
  },
  country: {
    title: 'Country',
    // At 14 a tile unit is 60 cm, as in most basemaps of whole countries; viewers enlarge beyond.
    description: 'Roads, rivers, land use of a country or the world: zoom 0 to 14, thinned out at low zooms.',
    defaults: { minZoom: 0, maxZoom: 14, simplification: 4, whenTooLarge: 'dropDensest' },
  },
  points: {
    title: 'Points',
    // 40 px fit an icon with its count; the buffer is as wide, so that icons are complete at tile edges.
    description: 'Places, measurements, events: close points become clusters with their count, from 0 to 14.',
    defaults: {
      minZoom: 0,
      maxZoom: 14,
      buffer: 320,
      cluster: { distance: 40 },
      whenTooLarge: 'dropDensest',
    },
  },
  boundaries: {
    title: 'Boundaries',
    // A missing municipality would be a hole in the map; at 12 a tile unit is 2.4 m.
    description:
      'Districts, parcels, zones that cover an area: none is ever dropped, neighbours stay adjacent.',
    defaults: { minZoom: 0, maxZoom: 12, simplification: 2, whenTooLarge: 'keep', dust: false },
  },
};
