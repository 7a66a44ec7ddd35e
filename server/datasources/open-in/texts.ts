import type { LinkKind } from '@platen/contract/open-in';
import type { Language } from '@platen/viewer/page';
import type { LinkNote } from './links.ts';

interface Texts {
  readonly titles: Readonly<Record<LinkKind, string>>;
  readonly notes: Readonly<Record<LinkNote, string>>;
  readonly page: Readonly<
    Record<'lead' | 'copy' | 'copied' | 'command' | 'missing' | 'missingText' | 'nothing', string>
  >;
}

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    titles: {
      page: 'Page with all addresses',
      tilejson: 'TileJSON',
      maplibreStyle: 'Style for MapLibre',
      xyz: 'Tiles (XYZ)',
      wmts: 'WMTS',
      wms: 'WMS',
      tileset: '3D Tiles',
      terrain: 'Terrain for Cesium (quantized-mesh)',
      i3s: 'Scene layer (I3S)',
      cog: 'Cloud Optimized GeoTIFF',
      flatgeobuf: 'FlatGeobuf',
      geojson: 'GeoJSON',
      file: 'Data',
      qgis: 'Layer for QGIS',
      qgisWmts: 'Layer for QGIS, by WMTS',
      gdal: 'GDAL',
    },
    notes: {
      signIn:
        'Not public: each request needs the header “Authorization: Bearer <token>” of somebody who may read the data, or the session of a browser.',
      elsewhere: 'It lies on another server, which decides who may read it.',
      released: 'The data as it was when it was released.',
      rowsFromSouth: 'Rows count from the south, in a geographic tiling.',
      qlrFile: 'Save the file and drag it into QGIS, or open it by Layer › Add from Layer Definition File.',
      inRanges: 'Programs read only the parts that they need.',
    },
    page: {
      lead: 'Open these data in other programs. Each address can be copied.',
      copy: 'Copy',
      copied: 'Copied',
      command: 'Command',
      missing: 'These data are not here',
      missingText: 'They do not exist, or they are not public. If they were shared with you, sign in first.',
      nothing: 'There is nothing to open.',
    },
  },
  de: {
    titles: {
      page: 'Seite mit allen Adressen',
      tilejson: 'TileJSON',
      maplibreStyle: 'Stil für MapLibre',
      xyz: 'Kacheln (XYZ)',
      wmts: 'WMTS',
      wms: 'WMS',
      tileset: '3D Tiles',
      terrain: 'Gelände für Cesium (quantized-mesh)',
      i3s: 'Szenen-Layer (I3S)',
      cog: 'Cloud Optimized GeoTIFF',
      flatgeobuf: 'FlatGeobuf',
      geojson: 'GeoJSON',
      file: 'Daten',
      qgis: 'Layer für QGIS',
      qgisWmts: 'Layer für QGIS, über WMTS',
      gdal: 'GDAL',
    },
    notes: {
      signIn:
        'Nicht öffentlich: Jede Anfrage braucht den Header „Authorization: Bearer <Token>“ von jemandem, der die Daten lesen darf, oder die Sitzung eines Browsers.',
      elsewhere: 'Es liegt auf einem anderen Server, der entscheidet, wer es lesen darf.',
      released: 'Die Daten, wie sie bei der Freigabe waren.',
      rowsFromSouth: 'Zeilen zählen von Süden, in einer geographischen Kachelung.',
      qlrFile:
        'Datei speichern und in QGIS ziehen, oder dort über Layer › Aus Layerdefinitionsdatei hinzufügen öffnen.',
      inRanges: 'Programme lesen nur die Teile, die sie brauchen.',
    },
    page: {
      lead: 'Diese Daten in anderen Programmen öffnen. Jede Adresse lässt sich kopieren.',
      copy: 'Kopieren',
      copied: 'Kopiert',
      command: 'Befehl',
      missing: 'Diese Daten gibt es hier nicht',
      missingText:
        'Sie existieren nicht oder sind nicht öffentlich. Wurden sie mit Ihnen geteilt, melden Sie sich zuerst an.',
      nothing: 'Hier gibt es nichts zu öffnen.',
    },
  },
};
