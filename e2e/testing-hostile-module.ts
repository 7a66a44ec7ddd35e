/** Calls a function of the test that records where a script ran. */
const call = (id: string) => `__ran('${id}')`;

/** Markup that runs when inserted into a page. */
export const markup = (id: string) =>
  `<img src="/none.png" onerror="${call(`${id} image`)}"><svg onload="${call(`${id} svg`)}"></svg>` +
  `<script>${call(`${id} script`)}</script><iframe srcdoc="<script>parent.${call(`${id} frame`)}</script>"></iframe>` +
  `<form action="/${id}"></form><base href="/none/"><meta http-equiv="refresh" content="999;url=/none">` +
  `<a href="javascript:${call(`${id} link`)}">link</a> {{constructor.constructor("${call(`${id} template`)}")()}}`;

/** Shorter markup for short fields. */
export const shortMarkup = (id: string) =>
  `</title><script>${call(`${id} script`)}</script><img src="/none.png" onerror="${call(`${id} image`)}">`;

/** A link that runs when followed. */
export const link = (id: string) => `javascript:(top.opener||top).${call(id)}`;

const svg = (id: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="${call(`${id} onload`)}">` +
  `<script>${call(`${id} script`)}</script><foreignObject><img src="/none.png" onerror="${call(`${id} image`)}"/></foreignObject>` +
  `<path d="M0 0h8v8H0z"/></svg>`;
const svgUrl = (id: string) => `data:image/svg+xml,${encodeURIComponent(svg(id))}`;

const point = (lon: number, properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [lon, 50] },
});

/** Elements that an attribute table is configured to use for a value. */
const tags = (id: string, script: string) => ({
  inline: { tag: 'script' },
  data: { tag: 'script', src: `data:text/javascript,${call(`${id} data script`)}` },
  uploaded: { tag: 'script', src: script },
  frame: { tag: 'iframe', src: link(`${id} tag frame`) },
  anchor: { tag: 'a', href: link(`${id} tag link`) },
  image: { tag: 'img', src: '/none.png', onerror: call(`${id} tag onerror`) },
});

const template = (id: string) =>
  `# ${id} is shown ${markup(id)}\n\n{{text}} [link](${link(`${id} markdown link`)})\n\n![a](/none.png"onerror="${call(id)})`;

const views = (script: string) => [
  { type: 'TableFeatureInfoView', name: 'table', tags: tags('table', script) },
  { type: 'MarkdownFeatureInfoView', name: 'markdown', template: template('markdown view') },
  {
    type: 'BalloonFeatureInfoView',
    name: 'balloon',
    balloonTitle: markup('balloon title'),
    balloonSubtitle: 'text',
    tags: tags('balloon', script),
  },
  {
    type: 'MarkdownBalloonFeatureInfoView',
    name: 'markdownBalloon',
    balloonTitle: markup('markdown balloon title'),
    template: template('markdown balloon'),
  },
  { type: 'IframeFeatureInfoView', name: 'iframe', src: link('feature frame') },
];

/** The layers whose features are to be selected, one for each way to show attributes. */
export const shownBy = ['table', 'markdown', 'balloon', 'markdownBalloon', 'iframe'] as const;

const layer = (name: (typeof shownBy)[number], index: number) => ({
  type: 'GeoJSONLayer',
  name,
  activeOnStartup: true,
  features: [
    point(10 + index, {
      text: markup(`${name} property`),
      [markup(`${name} key`)]: 'key',
      inline: call(`${name} inline script`),
      data: 'data',
      uploaded: 'uploaded',
      frame: 'frame',
      anchor: 'anchor',
      image: 'image',
    }),
  ],
  properties: {
    title: markup(`${name} title`),
    featureInfo: name,
    attributions: {
      provider: markup(`${name} attribution`),
      url: link(`${name} attribution url`),
      year: markup(`${name} year`),
    },
    legend: [
      { type: 'ImageLegendItem', src: svgUrl(`${name} legend`), tooltip: markup(`${name} legend tooltip`) },
      { type: 'IframeLegendItem', src: link(`${name} legend frame`), popoutBtn: true },
      {
        type: 'StyleLegendItem',
        colNr: 1,
        rows: [
          { type: 'StyleLegendRow', title: markup(`${name} legend row`), image: { src: svgUrl('row') } },
        ],
      },
    ],
  },
});

const icons = { string: svg('icon'), url: svgUrl('icon url'), link: link('icon link') };

const page = (id: string) => ({ title: markup(`${id} title`), tooltip: markup(`${id} tooltip`) });

/** A module with script wherever it has a text or an address. `script` is that of an uploaded file. */
export function hostileModule(script: string) {
  return {
    name: shortMarkup('module name'),
    description: markup('module description'),
    maps: [{ type: 'OpenlayersMap', name: markup('map name') }],
    layers: shownBy.map(layer),
    featureInfo: views(script),
    viewpoints: [
      {
        type: 'Viewpoint',
        name: markup('viewpoint'),
        groundPosition: [12, 50, 0],
        distance: 500_000,
        heading: 0,
        pitch: -90,
        roll: 0,
        animate: false,
      },
    ],
    startingViewpointName: markup('viewpoint'),
    contentTree: [
      {
        type: 'GroupContentTreeItem',
        name: 'group',
        title: markup('tree group'),
        tooltip: markup('tree tooltip'),
        initOpen: true,
        infoUrl: link('group info'),
      },
      ...shownBy.map((name) => ({
        type: 'LayerContentTreeItem',
        name: `group.${name}`,
        layerName: name,
        tooltip: markup(`${name} tree tooltip`),
        infoUrl: link(`${name} info`),
      })),
      ...Object.entries(icons).map(([name, icon]) => ({
        type: 'ViewpointContentTreeItem',
        name: `group.icon-${name}`,
        title: 'evil.text',
        viewpointName: markup('viewpoint'),
        icon,
      })),
    ],
    i18n: [
      {
        name: 'evil',
        en: {
          evil: { text: shortMarkup('i18n'), linked: '@:evil.text' },
          content: { search: { title: shortMarkup('i18n of the engine') } },
        },
      },
    ],
    uiConfig: Object.entries({
      appTitle: markup('appTitle'),
      headerTitle: markup('headerTitle'),
      logo: svgUrl('logo'),
      mobileLogo: link('mobile logo'),
      favicon: svgUrl('favicon'),
      helpBaseUrl: link('help'),
      contentTreeActiveOnStartup: true,
      imprint: { ...page('imprint'), content: template('imprint') },
      dataProtection: { ...page('dataProtection'), url: link('dataProtection url') },
      footerInformation: [
        { ...page('footer'), url: link('footer url') },
        { ...page('footer text'), content: template('footer content') },
      ],
      splashScreen: {
        content: template('splash'),
        buttonTitle: markup('splash button'),
        checkBoxText: markup('splash box'),
        acceptInput: true,
      },
      customScreen: {
        name: 'custom',
        title: markup('custom title'),
        icon: icons.string,
        content: template('custom'),
      },
    }).map(([name, value]) => ({ name, value })),
  };
}
