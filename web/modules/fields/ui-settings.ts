import { field, type Field } from './field.ts';

/** Settings of the map's interface in groups; each is an item of `uiConfig` with this name. */
export const uiSettings: readonly { readonly group: string; readonly fields: readonly Field[] }[] = [
  {
    group: 'look',
    fields: [
      field('headerTitle', 'text'),
      field('appTitle', 'text'),
      field('primaryColor', 'colour'),
      field('logo', 'text'),
      field('logoDark', 'text'),
      field('mobileLogo', 'text'),
      field('favicon', 'text'),
    ],
  },
  {
    group: 'start',
    fields: [
      field('contentTreeActiveOnStartup', 'yesNo'),
      field('openLegendOnAdd', 'yesNo'),
      field('overviewMapActiveOnStartup', 'yesNo'),
      field('startingFeatureInfo', 'text'),
      field('showLocator', 'yesNo'),
    ],
  },
  {
    group: 'hide',
    fields: [
      'hideHeader',
      'hideSearch',
      'hideShareButton',
      'hideMenuButton',
      'hideMapButtons',
      'hideToolbox',
      'hideMapNavigation',
      'hideFooter',
      'hideContentTree',
      'hideLegend',
      'hideSettings',
      'hideMyWorkspace',
    ].map((name) => field(name, 'yesNo', { initial: false })),
  },
  {
    group: 'texts',
    fields: [
      field('imprint', 'json'),
      field('dataProtection', 'json'),
      field('footerInformation', 'json'),
      field('splashScreen', 'json'),
      field('customScreen', 'json'),
      field('helpBaseUrl', 'text'),
      field('vuetifyTheme', 'json'),
      field('displayQuality', 'json'),
    ],
  },
];

export const uiSettingNames: readonly string[] = uiSettings.flatMap(({ fields }) =>
  fields.map(({ path }) => path[0]!),
);
