import type { Catalog } from '../catalog.ts';

export const events: Catalog['events'] = {
  log: 'Logboek',
  types: 'Gebeurtenistypen',
  type: 'Gebeurtenistype',
  none: 'Geen gebeurtenissen.',
  noTypes: 'Nog geen gebeurtenistypen.',
  add: 'Nieuw gebeurtenistype',
  nameHint: 'Woorden met punten ertussen, zoals order.created.',
  error: 'Fout',
  retry: 'Opnieuw uitvoeren',
  retryFailed: 'Mislukte gebeurtenissen opnieuw uitvoeren',
  retryUnrouted: 'Alle gebeurtenissen met deze naam uitvoeren',
  retried: (count) =>
    count === 1
      ? '1 gebeurtenis wordt opnieuw uitgevoerd.'
      : `${count} gebeurtenissen worden opnieuw uitgevoerd.`,
  posted: (count) => (count === 1 ? '1 bericht' : `${count} berichten`),
  body: 'Inhoud',
  sample: 'Gebeurtenis',
  expression: 'Expressie (JSONata)',
  expressionHint:
    '$event heeft name, id, time, organization, headers en cloudEvent van de gebeurtenis. $contact, $conversation en $organization vinden records. $formatDate en $formatMoney schrijven datums en bedragen, en $parseJson leest een tekst als JSON.',
  results: 'Resultaat',
  unsaved: 'Niet opgeslagen',
  nothingPosted: 'Er wordt niets geplaatst: de gebeurtenis wordt genegeerd.',
  newConversation: 'Een nieuw gesprek',
  deleteWhat:
    'Vanaf dan worden gebeurtenissen met deze naam geweigerd. De gebeurtenissen in het logboek blijven.',
  failures: 'Laatst mislukt',
  failing: 'mislukt',
  statuses: {
    received: 'ontvangen',
    processed: 'verwerkt',
    ignored: 'genegeerd',
    failed: 'mislukt',
    unrouted: 'zonder type',
  },
};

export const ingest: Catalog['ingest'] = {
  title: 'Adres voor een afzender',
  what: 'Voor systemen die alleen een URL accepteren. Iedereen met de URL kan gebeurtenissen van dit type plaatsen, namens een van je bots.',
  replaces: 'Dit type heeft een adres. Een nieuw adres vervangt het: het oude wordt meteen geweigerd.',
  shownOnce: 'Kopieer het nu: het wordt niet nog eens getoond.',
  url: 'URL',
  end: 'Adres verwijderen',
  endWhat: 'Wat daarna naar het adres wordt gestuurd, wordt geweigerd.',
  create: 'Adres aanmaken',
  bot: 'Bot die plaatst',
  signature: 'Handtekening',
  unsigned: 'Geen: de URL is het geheim',
  kinds: {
    'standard-webhooks': 'Standard Webhooks, Svix',
    github: 'GitHub, Meta',
    stripe: 'Stripe',
    shopify: 'Shopify',
    slack: 'Slack',
  },
  declared: 'Een andere (HMAC)',
  secret: 'Geheim',
  header: 'Header van de handtekening',
  algorithm: 'Algoritme',
  encoding: 'Codering',
  prefix: 'Tekst voor de handtekening',
  content: 'Ondertekende inhoud',
  contentHint: 'Leeg betekent {body}. Ook {timestamp}, {id} en {url}, zoals in {timestamp}.{body}.',
  idHeader: 'Header met het id van de gebeurtenis',
  timestampHeader: 'Header met de tijd',
  timestampPrefix: 'Tekst voor de tijd',
  verifyToken: 'Verificatietoken',
  verifyTokenHint: 'Alleen voor Meta, dat het verstuurt bij het controleren van het adres.',
};

export const team: Catalog['team'] = {
  keys: 'API-sleutels',
  keyName: 'Naam van de nieuwe sleutel',
  keyEnds: 'Verloopt',
  keyEnd: [
    { value: '', text: 'Nooit' },
    { value: '30', text: 'Over 30 dagen' },
    { value: '90', text: 'Over 90 dagen' },
    { value: '365', text: 'Over een jaar' },
  ],
  keyEnded: (isOver) => (isOver ? 'verlopen' : 'verloopt'),
  createKey: 'Sleutel aanmaken',
  newKey: 'Nieuwe sleutel',
  shownOnce: 'Kopieer hem nu: hij wordt niet nog eens getoond.',
  noKeys: 'Geen sleutels.',
  lastUsed: 'laatst gebruikt',
  neverUsed: 'nooit gebruikt',
  revoke: 'Intrekken',
  revokeTitle: (name) => `De sleutel “${name}” intrekken?`,
  revokeWhat: 'Verzoeken met deze sleutel worden meteen geweigerd.',
  link: 'Wachtwoordlink',
  linkWhat: 'Een pagina waarop de gebruiker een wachtwoord kiest. De link werkt één keer, drie dagen lang.',
  createLink: 'Link maken',
  mailLink: 'Per e-mail versturen',
  mailAgain: 'Opnieuw versturen',
  mailed: (email) => `Uitnodiging gestuurd naar ${email}.`,
  mailWaiting: (email) =>
    `De e-mail naar ${email} is nog niet verstuurd. Er wordt een dag lang opnieuw geprobeerd. Je kunt ook deze link geven:`,
  mailFailed: (email, reason) =>
    `De e-mail naar ${email} is niet verstuurd (${reason.replace(/\.$/, '')}). Je kunt deze link geven:`,
  noMail: 'Er kan geen e-mail worden verstuurd. Geef deze link:',
  firstKey: 'Eerste sleutel',
  otp: 'Eenmalige wachtwoorden',
  removeOtp: 'Eenmalige wachtwoorden verwijderen',
  removeOtpWhat: 'Deze gebruiker logt dan alleen met het wachtwoord in.',
  otpRemoved: 'Verwijderd.',
};

export const teams: Catalog['teams'] = {
  online: 'Wie er online is',
  nobody: 'Het heeft nog geen leden.',
  states: { true: 'Online', false: 'Offline' },
  enter: 'Ik ben hier online',
  leave: 'Ik ben hier offline',
};

export const widget: Catalog['widget'] = {
  title: 'Chatpagina en widget',
  origins: 'Websites die de widget mogen hebben',
  originsHint:
    'Het adres van een website per regel, zoals https://www.example.com. Zonder adres verschijnt de widget niet.',
  colour: 'Kleur',
  welcome: 'Welkomsttekst',
  hours: 'Openingstijden',
  preview: 'Uiterlijk',
  sample: 'Hallo, kun je me helpen?',
  save: 'Uiterlijk opslaan',
  snippet: 'Zet deze regel op elke pagina van de website:',
  snippetLabel: 'Regel voor de website',
};

export const operations: Catalog['operations'] = {
  what: 'Elk gesprek is een workflow. Deze lijsten openen in de pagina’s van Temporal.',
  unknown: 'Waar de pagina’s van Temporal zijn, is niet ingesteld (TEMPORAL_UI_URL).',
};

export const account: Catalog['account'] = {
  language: 'Taal',
  ofBrowser: 'Zoals de browser',
  alerts: 'Meldingen in deze browser',
  sound: 'Een geluid afspelen bij nieuwe berichten en wachtende gesprekken',
  notifications: 'Meldingen tonen',
  keys: 'Losse toetsen zoals 1, / en r zijn sneltoetsen',
  notAllowed: 'De browser staat het voor dit adres niet toe.',
  password: 'Wachtwoord',
  current: 'Huidig wachtwoord',
  next: 'Nieuw wachtwoord',
  change: 'Wachtwoord wijzigen',
  otpBegin: 'Om eenmalige wachtwoorden vragen',
  otpScan: 'Voeg dit geheim toe aan je app en typ dan het getal dat de app toont.',
  otpSecret: 'Geheim van de eenmalige wachtwoorden',
  otpApp: 'De app op dit apparaat openen',
  confirm: 'Bevestigen',
  otpOn: 'Vanaf nu log je ook met een eenmalig wachtwoord in.',
  otpOff: 'Vanaf nu log je alleen met het wachtwoord in.',
  otpRemove: 'Eenmalige wachtwoorden verwijderen',
};

export const kinds: Catalog['kinds'] = {
  users: { title: 'Gebruikers', one: 'Gebruiker' },
  organizations: { title: 'Organisaties', one: 'Organisatie' },
  orggroups: { title: 'Groepen', one: 'Groep' },
  channels: { title: 'Teams', one: 'Team' },
  forms: { title: 'Formulieren', one: 'Formulier' },
  kbitems: { title: 'Kennis', one: 'Kennisitem' },
  countryHint: 'Twee letters, zoals NL: het land van telefoonnummers zonder landnummer.',
  knowledgeHint: 'Een opgeslagen antwoord. Medewerkers typen / en de titel, en het staat in hun antwoord.',
  ratingForm: {
    make: 'Formulier voor beoordelingen maken',
    name: 'Tevredenheid',
    rating: 'Beoordeling',
    comment: 'Opmerking',
  },
  ratingFormHint:
    'Contacten beoordelen een gesloten gesprek. Het formulier heeft een veld met de sleutel rating, en comment voor woorden.',
  options: {
    agent: 'medewerker',
    bot: 'bot',
    admin: 'beheerder',
    viewer: 'kijker',
    contact: 'contact',
    system: 'systeem',
    online: 'online',
    away: 'afwezig',
    offline: 'offline',
    topic: 'onderwerp',
    static: 'vast',
  },
  rows: {
    name: 'Naam',
    forms: 'Formulieren',
    countForms: (count) => (count === 1 ? '1 formulier' : `${count} formulieren`),
    label: 'Opschrift',
    key: 'Sleutel',
    addCategory: 'Categorie toevoegen',
    addField: 'Veld toevoegen',
    remove: (name) => `${name} verwijderen`,
  },
  forPrograms: (label) => `${label} voor programma’s (JSON)`,
  emailHint: 'De gebruiker logt ermee in. Zonder e-mail krijgt de gebruiker een adres van deze dienst.',
  passwordHint: 'Minstens tien tekens.',
};

export const tasks: Catalog['tasks'] = {
  title: 'Eerste stappen',
  here: 'Aan deze organisatie toevoegen',
  name: 'Je naam toevoegen, die contacten zien',
  agent: 'Een medewerker uitnodigen',
  widget: 'De widget op je website zetten',
  bot: 'Een bot verbinden',
  webhook: 'Een webhook toevoegen',
};
