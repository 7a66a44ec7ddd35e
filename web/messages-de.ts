import type { Messages } from './messages-en.ts';

export const german: Messages = {
  signIn: {
    title: 'Anmelden',
    subtitle: 'Ihre Geodaten und Karten, auf Ihrem eigenen Server.',
    username: 'Benutzername',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    submit: 'Anmelden',
    busy: 'Anmeldung läuft …',
    missing: 'Geben Sie Ihren Benutzernamen und Ihr Passwort ein.',
    wrong:
      'Benutzername oder Passwort stimmen nicht. Prüfen Sie beide; im Passwort zählt Groß- und Kleinschreibung.',
    throttled: (wait) => `Zu viele Fehlversuche. Sie können es ${wait} erneut versuchen.`,
    foreignAddress:
      'Der Dienst erwartet den Aufruf unter einer anderen Adresse. Bitten Sie den Betreiber, PLATEN_BASE_URL zu prüfen.',
    ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich wieder an, um fortzufahren.',
    tagline: 'Von Rohdaten zur Karte für alle.',
  },
  failure: {
    offline: 'Der Dienst antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
    other: (detail) => `Das hat nicht geklappt: ${detail}`,
    retry: 'Erneut versuchen',
  },
  top: { skip: 'Zum Inhalt', signOut: 'Abmelden', signedIn: 'Angemeldet', signedOut: 'Abgemeldet' },
  projects: {
    title: 'Projekte',
    subtitle: 'Alles, worauf Sie Zugriff haben.',
    filter: 'Nach Namen filtern',
    loading: 'Projekte werden geladen',
    more: 'Weitere Projekte zeigen',
    found: (count, isOne) => `${count} ${isOne ? 'Projekt' : 'Projekte'}`,
    noMatch: (text) => `Kein Projektname enthält „${text}“.`,
    emptyTitle: 'Noch kein Projekt',
    emptyAdmin:
      'Ein Projekt enthält Daten, Karten und die Menschen, die daran arbeiten. Die Demo legt eines an, mit echten Daten und einer öffentlichen Karte:',
    emptyUser:
      'Sie gehören noch zu keinem Projekt. Bitten Sie die Leitung eines Projekts oder den Betreiber dieses Dienstes, Sie aufzunehmen.',
    emptyCurl: 'Oder legen Sie per HTTP ein eigenes an:',
  },
  project: {
    apps: (count, isOne) => `${count} ${isOne ? 'App' : 'Apps'}`,
    files: (count, isOne) => `${count} ${isOne ? 'Datei' : 'Dateien'}`,
    datasources: (count, isOne) => `${count} ${isOne ? 'Datenquelle' : 'Datenquellen'}`,
    jobs: (count, isOne) => `${count} ${isOne ? 'Job' : 'Jobs'}`,
    members: (count, isOne) => `${count} ${isOne ? 'Mitglied' : 'Mitglieder'}`,
    publicApps: (count) => `${count} öffentlich`,
  },
  apps: {
    title: 'Apps',
    open: 'Karte öffnen',
    openNamed: (name) => `Karte öffnen: ${name}`,
    isPublic: 'Öffentlich',
    isPrivate: 'Nur für Mitglieder',
    viewer: (range) => `Viewer ${range}`,
    empty:
      'Noch keine App. Eine App zeigt Module, also Zusammenstellungen von Layern, als eine Karte. Die Demo legt ein Projekt mit beidem an:',
    more: (count) => `und ${count} weitere, die die API auflistet`,
  },
  jobs: {
    title: 'Neueste Jobs',
    states: {
      queued: 'Wartet',
      running: 'Läuft',
      succeeded: 'Fertig',
      failed: 'Fehlgeschlagen',
      aborted: 'Abgebrochen',
      timedOut: 'Zeit überschritten',
    },
  },
  developers: {
    title: 'Damit entwickeln',
    explorer: 'API-Explorer',
    explorerText: 'Jede Operation, hier zum Ausprobieren.',
    document: 'OpenAPI-Dokument',
    documentText: 'Für Codegeneratoren und Werkzeuge.',
    docs: 'Dokumentation',
    firstSteps: 'Erste Schritte',
    token: 'Einen Token holen, dann die Projekte auflisten:',
    copy: 'Kopieren',
    copied: 'Kopiert',
  },
};
