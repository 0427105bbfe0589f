import type { LanguageTag } from './languages.ts';

/** Mails with a link by which a user sets a password (spec 3.10). */
export const ACCOUNT_MAIL_KINDS = ['invitation', 'passwordReset'] as const;
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

interface KindTexts {
  subject: (organization: string) => string;
  lines: readonly string[];
  end: string;
}

interface MailTexts {
  hello: string;
  signIn: (email: string, organization: string) => string;
  kinds: Readonly<Record<AccountMailKind, KindTexts>>;
}

/** The texts of mails about accounts, in the form of address of the console. */
export const ACCOUNT_MAIL_TEXTS: Readonly<Record<LanguageTag, MailTexts>> = {
  en: {
    hello: 'Hello,',
    signIn: (email, organization) => `You sign in as ${email}, at ${organization}.`,
    kinds: {
      invitation: {
        subject: (organization) => `Your account for ${organization}`,
        lines: ['You have been invited to answer conversations.', 'Open this page and choose a password:'],
        end: 'The page works once, within three days. If you did not expect this mail, ignore it.',
      },
      passwordReset: {
        subject: (organization) => `Your password for ${organization}`,
        lines: [
          'Somebody asked for a new password for your account.',
          'Open this page and choose a password:',
        ],
        end: 'The page works once, within an hour. If it was not you, ignore this mail: your password stays.',
      },
    },
  },
  nl: {
    hello: 'Hallo,',
    signIn: (email, organization) => `Je logt in als ${email}, bij ${organization}.`,
    kinds: {
      invitation: {
        subject: (organization) => `Je account voor ${organization}`,
        lines: [
          'Je bent uitgenodigd om gesprekken te beantwoorden.',
          'Open deze pagina en kies een wachtwoord:',
        ],
        end: 'De pagina werkt één keer, binnen drie dagen. Verwachtte je deze e-mail niet, dan kun je hem negeren.',
      },
      passwordReset: {
        subject: (organization) => `Je wachtwoord voor ${organization}`,
        lines: [
          'Iemand heeft om een nieuw wachtwoord voor je account gevraagd.',
          'Open deze pagina en kies een wachtwoord:',
        ],
        end: 'De pagina werkt één keer, binnen een uur. Was jij het niet, negeer dan deze e-mail: je wachtwoord blijft hetzelfde.',
      },
    },
  },
  de: {
    hello: 'Guten Tag,',
    signIn: (email, organization) => `Sie melden sich als ${email} an, bei ${organization}.`,
    kinds: {
      invitation: {
        subject: (organization) => `Ihr Konto für ${organization}`,
        lines: [
          'Sie wurden eingeladen, Gespräche zu beantworten.',
          'Öffnen Sie diese Seite und wählen Sie ein Passwort:',
        ],
        end: 'Die Seite funktioniert einmal, innerhalb von drei Tagen. Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
      },
      passwordReset: {
        subject: (organization) => `Ihr Passwort für ${organization}`,
        lines: [
          'Jemand hat ein neues Passwort für Ihr Konto angefordert.',
          'Öffnen Sie diese Seite und wählen Sie ein Passwort:',
        ],
        end: 'Die Seite funktioniert einmal, innerhalb einer Stunde. Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt.',
      },
    },
  },
  fr: {
    hello: 'Bonjour,',
    signIn: (email, organization) => `Vous vous connectez avec ${email}, chez ${organization}.`,
    kinds: {
      invitation: {
        subject: (organization) => `Votre compte pour ${organization}`,
        lines: [
          'Vous êtes invité à répondre à des conversations.',
          'Ouvrez cette page et choisissez un mot de passe :',
        ],
        end: 'La page fonctionne une fois, dans les trois jours. Si vous n’attendiez pas cet e-mail, ignorez-le.',
      },
      passwordReset: {
        subject: (organization) => `Votre mot de passe pour ${organization}`,
        lines: [
          'Quelqu’un a demandé un nouveau mot de passe pour votre compte.',
          'Ouvrez cette page et choisissez un mot de passe :',
        ],
        end: 'La page fonctionne une fois, dans l’heure. Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe reste le même.',
      },
    },
  },
  es: {
    hello: 'Hola:',
    signIn: (email, organization) => `Inicia sesión como ${email}, en ${organization}.`,
    kinds: {
      invitation: {
        subject: (organization) => `Su cuenta para ${organization}`,
        lines: [
          'Ha recibido una invitación para responder conversaciones.',
          'Abra esta página y elija una contraseña:',
        ],
        end: 'La página funciona una vez, en un plazo de tres días. Si no esperaba este correo, no le haga caso.',
      },
      passwordReset: {
        subject: (organization) => `Su contraseña para ${organization}`,
        lines: [
          'Alguien ha pedido una contraseña nueva para su cuenta.',
          'Abra esta página y elija una contraseña:',
        ],
        end: 'La página funciona una vez, en el plazo de una hora. Si no fue usted, no haga caso de este correo: su contraseña no cambia.',
      },
    },
  },
};
