/** Names that maps show, by country (ISO 3166) and the name that GeoNames has, where that is not the usual one. */
const german: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AM: { Yerevan: 'Eriwan' },
  AT: { Vienna: 'Wien' },
  BE: { Brussels: 'Brüssel', Brugge: 'Brügge', Liège: 'Lüttich' },
  CH: { Genève: 'Genf' },
  CN: { Beijing: 'Peking' },
  CU: { Havana: 'Havanna' },
  CY: { Nicosia: 'Nikosia' },
  CZ: { Prague: 'Prag', Brno: 'Brünn' },
  DE: { Munich: 'München' },
  DK: { Copenhagen: 'Kopenhagen' },
  DZ: { Algiers: 'Algier' },
  EG: { Cairo: 'Kairo' },
  ET: { 'Addis Ababa': 'Addis Abeba' },
  FR: { Nice: 'Nizza', Strasbourg: 'Straßburg' },
  GE: { Tbilisi: 'Tiflis' },
  GR: { Athens: 'Athen', Thessaloníki: 'Thessaloniki' },
  IN: { 'New Delhi': 'Neu-Delhi', Kolkata: 'Kalkutta' },
  IQ: { Baghdad: 'Bagdad' },
  IR: { Tehran: 'Teheran' },
  IT: {
    Bolzano: 'Bozen',
    Florence: 'Florenz',
    Genoa: 'Genua',
    Milan: 'Mailand',
    Naples: 'Neapel',
    Padova: 'Padua',
    Rome: 'Rom',
    Trento: 'Trient',
    Trieste: 'Triest',
    Venice: 'Venedig',
  },
  JP: { Tokyo: 'Tokio' },
  LU: { Luxembourg: 'Luxemburg' },
  LY: { Tripoli: 'Tripolis' },
  MA: { Marrakesh: 'Marrakesch' },
  MX: { 'Mexico City': 'Mexiko-Stadt' },
  NL: { 'The Hague': 'Den Haag' },
  PL: { Warsaw: 'Warschau', Kraków: 'Krakau' },
  PT: { Lisbon: 'Lissabon' },
  RO: { Bucharest: 'Bukarest' },
  RS: { Belgrade: 'Belgrad' },
  RU: { Moscow: 'Moskau', 'Saint Petersburg': 'Sankt Petersburg', Volgograd: 'Wolgograd' },
  SA: { Jeddah: 'Dschidda', Mecca: 'Mekka', Riyadh: 'Riad' },
  SG: { Singapore: 'Singapur' },
  SY: { Damascus: 'Damaskus' },
  UA: { Kyiv: 'Kyjiw', Kharkiv: 'Charkiw', Lviv: 'Lwiw' },
  UZ: { Tashkent: 'Taschkent' },
};

const english: typeof german = {
  BE: { Antwerpen: 'Antwerp', Brugge: 'Bruges', Gent: 'Ghent' },
  CH: { Genève: 'Geneva', Zürich: 'Zurich' },
  DE: { Köln: 'Cologne', Nürnberg: 'Nuremberg', Hannover: 'Hanover' },
  ES: { Sevilla: 'Seville' },
  GR: { Thessaloníki: 'Thessaloniki' },
  IT: { Padova: 'Padua' },
  SE: { Göteborg: 'Gothenburg' },
};

const byTown = (names: typeof german): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([country, towns]) =>
      Object.entries(towns).map(([name, shown]) => [`${country} ${name}`, shown]),
    ),
  );

/** By country and name, such as `IT Rome`. */
export const germanNames = byTown(german);
export const englishNames = byTown(english);
