import type { LinkKind, LinkNote } from '@platen/contract/open-in';
import type { Language } from '@platen/viewer/page';

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
      page: 'Page with all URLs',
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
      qgisWmts: 'Layer for QGIS via WMTS',
      gdal: 'GDAL',
    },
    notes: {
      signIn:
        'Not public: each request requires the header “Authorization: Bearer <token>” of a user who may read the data, or a browser session.',
      elsewhere: 'The data is on another server, which controls access to it.',
      released: 'The data as of the release.',
      rowsFromSouth: 'Rows are counted from the south; geographic tiling scheme.',
      qlrFile: 'Save the file and drag it into QGIS, or open it with Layer › Add from Layer Definition File.',
      inRanges: 'Programs read only the parts they need.',
    },
    page: {
      lead: 'Open this data in other programs. Copy the URL you need.',
      copy: 'Copy',
      copied: 'Copied',
      command: 'Command',
      missing: 'Data not found',
      missingText: 'The data does not exist or is not public. If it was shared with you, sign in first.',
      nothing: 'No URLs are available for this data.',
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
        'Nicht öffentlich: Jede Anfrage benötigt den Header „Authorization: Bearer <Token>“ einer Person, die die Daten lesen darf, oder eine Browsersitzung.',
      elsewhere: 'Die Daten liegen auf einem anderen Server, der den Zugriff regelt.',
      released: 'Die Daten zum Zeitpunkt des Releases.',
      rowsFromSouth: 'Zeilen werden von Süden gezählt; geographisches Kachelschema.',
      qlrFile:
        'Datei speichern und in QGIS ziehen, oder dort über Layer › Aus Layerdefinitionsdatei hinzufügen öffnen.',
      inRanges: 'Programme lesen nur die benötigten Teile.',
    },
    page: {
      lead: 'Öffnen Sie diese Daten in anderen Programmen. Kopieren Sie die passende Adresse.',
      copy: 'Kopieren',
      copied: 'Kopiert',
      command: 'Befehl',
      missing: 'Daten nicht gefunden',
      missingText:
        'Die Daten existieren nicht oder sind nicht öffentlich. Wurden sie mit Ihnen geteilt, melden Sie sich zuerst an.',
      nothing: 'Für diese Daten gibt es keine Adressen.',
    },
  },
};
